"""`--require`: what must hold for the exit code to be 0. `score`, `compare` and `evaluate` read and
hold gates alike; what they differ in is the `Evidence`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import click

from judge_tui.errors import UsageError
from judge_tui.model import tag_meant
from judge_tui.nothing_found import failed_too_often, mostly_in_vain, so_many_in_vain
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Required,
    RunScores,
    Scores,
    parse_class_gate,
    parse_gate,
    unmet,
    worse_by,
)
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.baseline import SavedScores
    from judge_tui.scoring import Slices
    from judge_tui.scoring.demands import Met
    from judge_tui.significance import Comparisons, Settings

__all__ = [
    "Asked",
    "Basis",
    "Evidence",
    "Gates",
    "basis_of_run",
    "basis_on",
    "lost_queries",
    "read_gates",
    "refuse_held_to_itself",
    "say_unmet",
    "worse_in",
]

Asked: TypeAlias = Gate | ClassGate | None


class Gates(NamedTuple):
    """Every gate in the order in which it was given; None for the one that asks for no number."""

    asked: tuple[Asked, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What runs must be scored by to be held to them."""
        asked = (gate.asked for gate in self.of_classes)
        return (
            *(gate.measure for gate in self.numbers),
            *(one for one in asked if isinstance(one, Measure)),
        )

    @property
    def numbers(self) -> tuple[Gate, ...]:
        """Those that ask for a number over all queries."""
        return tuple(gate for gate in self.asked if isinstance(gate, Gate))

    @property
    def of_classes(self) -> tuple[ClassGate, ...]:
        """Those of single classes of queries."""
        return tuple(gate for gate in self.asked if isinstance(gate, ClassGate))

    @property
    def no_regression(self) -> bool:
        """Whether no verdict may be worse."""
        return None in self.asked

    @property
    def beside(self) -> list[str]:
        """Those that stand beside a baseline, as they are told."""
        return [_told(gate) for gate in self.asked if gate is None or gate.beside_baseline]

    def held(self, evidence: Evidence) -> tuple[Required, ...]:
        """What came of each. Raises `UsageError` for a run, a class or a baseline that is not
        there."""
        return tuple(
            Required(_told(gate), (*evidence.unmet(gate), *evidence.doubted(gate)))
            for gate in self.asked
        )


class Basis(NamedTuple):
    """What runs stand beside, as it is `called`: of the `queries` that a gate is about it has no
    result for `in_vain`, and is known to have `failed` at some of these; `tag`: the one run that
    stands beside it, None for all. `where` follows the word queries; `parts`: the same by those of
    each slice that has verdicts of its own. `is_held`: it is itself a run that is held."""

    called: str
    queries: int
    in_vain: int
    failed: int = 0
    tag: str | None = None
    where: str = ""
    parts: tuple[Basis, ...] = ()
    is_held: bool = False

    def doubts(self, gate: Asked) -> Iterator[str]:
        """Why a gate cannot be held to it: beside a system that was down, or that is most likely
        wrongly set up, everything looks better. Nor can such a system be held to be no worse where
        no verdict says that it is, as a number would."""
        of_another = (
            gate is not None
            and gate.tag is not None
            and self.tag is not None
            and tag_meant(gate.tag, [self.tag]) is None
        )
        if of_another:
            return
        if self.is_held and gate is not None:
            return
        nothing = f"so that nothing {'is shown of' if self.is_held else 'can be held to'} it"
        if failed_too_often(self.failed, self.queries) if self.is_held else self.failed:
            queries = "query" if self.queries == 1 else "queries"
            yield (
                f"{_told(gate)}: {self.called} failed at {self.failed:,} of {self.queries:,}"
                f" {queries}{self.where}, {nothing}; --retry-failed asks once more"
            )
        elif mostly_in_vain(self.in_vain, self.queries):
            what = f"{so_many_in_vain(self.in_vain, self.queries)}{self.where}"
            yield (
                f"{_told(gate)}: {self.called} found nothing for {what}, {nothing}; look at how it"
                " is set up"
            )
        else:
            for part in self.parts:
                yield from part.doubts(gate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What gates are held against: `scores` by all their measures, `slices` of these by class, and
    how demands are met. `worse`: one phrase for whatever has become worse.

    A gate beside a baseline is held to that of the `comparison`, or else to what each run has in
    the `earlier` result; with a comparison a number is asked of the runs beside the baseline, and
    of the baseline where the gate names it, or, with `baseline_too`, in any case. `bases`: what
    runs stand beside, by the queries that a gate is about.
    """

    scores: Scores
    worse: Sequence[str]
    slices: Slices | None
    demanded: Demanded | None
    comparison: Settings | None = None
    baseline_too: bool = False
    earlier: SavedScores | None = None
    bases: Callable[[Asked], Sequence[Basis]] = field(default=lambda _gate: ())

    def unmet(self, gate: Asked) -> list[str]:
        """One sentence for each run that does not pass."""
        if gate is None:
            return [f"{NO_REGRESSION}: {one}" for one in self.worse]
        silent = self._silent(gate)
        means, baselines = self._means(gate)
        if gate.tag is not None and tag_meant(gate.tag, silent) is not None:
            return [*silent.values()]
        return [*silent.values(), *unmet(gate, means, baselines)]

    def doubted(self, gate: Asked) -> list[str]:
        """Why nothing is shown by a gate beside a baseline, whatever the numbers are."""
        if gate is not None and not gate.beside_baseline:
            return []
        return [sentence for basis in self.bases(gate) for sentence in basis.doubts(gate)]

    def _silent(self, gate: Gate | ClassGate) -> dict[str, str]:
        """By tag, why there is no number to hold to a gate."""
        scores = self.scores
        if isinstance(gate, ClassGate):
            if not isinstance(gate.asked, Measure):
                return {}
            from judge_tui.cli.class_gates import scores_of_class

            scores = scores_of_class(gate, scores, self.slices)
        silent = _unanswered(gate, scores, self._beside(gate))
        if gate.beside_baseline and self.earlier is not None:
            silent = {**_not_in_earlier(gate, scores, self.earlier), **silent}
        return silent

    def _beside(self, gate: Gate | ClassGate) -> Settings | None:
        """The comparison that the gate is held to, if it is held to one."""
        return self.comparison if gate.beside_baseline or not self.baseline_too else None

    def _means(self, gate: Gate | ClassGate) -> tuple[dict[str, float], dict[str, float] | None]:
        """By tag what has to pass, and what each stands beside, as `scoring.unmet` takes them."""
        beside = self._beside(gate)
        scores = self.scores
        if isinstance(gate, Gate):
            measure = gate.measure
        else:
            from judge_tui.cli.class_gates import scores_of_class, shares_of_class

            if not isinstance(gate.asked, Measure):
                return shares_of_class(gate, gate.asked, self.demanded, beside)
            measure, scores = gate.asked, scores_of_class(gate, scores, self.slices)
        if beside is not None:
            from judge_tui.significance import means_beside

            return means_beside(measure, gate.tag, scores, beside)
        if gate.beside_baseline and self.earlier is not None:
            from judge_tui.baseline import means_in_both

            return means_in_both(measure, self.earlier, scores)
        return {run.tag: run.mean(measure) for run in scores.runs if run.query_ids}, None


def read_gates(
    texts: Sequence[str], *, rel: int | None = None, max_rel: int | None = None
) -> Gates:
    """Read the gates; `rel` and `max_rel` as in `parse_measure`. Raises `UsageError` for what is no
    gate."""
    return Gates(
        tuple(
            None
            if text.strip() == NO_REGRESSION
            else parse_class_gate(text, rel=rel, max_rel=max_rel)
            or parse_gate(text, rel=rel, max_rel=max_rel)
            for text in texts
        )
    )


def basis_on(
    called: str,
    parts: Iterable[tuple[str, Collection[str]]],
    nothing: Collection[str],
    failed: Collection[str] = (),
    *,
    is_held: bool = False,
) -> Basis:
    """What runs stand beside, by the queries of which it has no result, those at which it failed
    among them. `parts`: as of `parts_of_gate`."""
    whole, *others = (
        Basis(
            called,
            len(its),
            len(set(its).intersection(nothing)),
            len(set(its).intersection(failed)),
            where=where,
            is_held=is_held,
        )
        for where, its in parts
    )
    return whole._replace(parts=tuple(others))


def basis_of_run(
    run: RunScores,
    met: Met | None,
    parts: Iterable[tuple[str, Collection[str]]],
    *,
    is_held: bool,
) -> Basis:
    """A run as a baseline, or as one that is held; `met`: how it meets demands, `parts`: as of
    `parts_of_gate`."""
    nothing = {*run.without_results, *(met.in_vain if met is not None else ())}
    called = run.tag if is_held else f"the baseline, {run.tag},"
    return basis_on(called, parts, nothing, is_held=is_held)


def worse_in(comparisons: Comparisons | None, of_slice: str) -> list[str]:
    """A phrase for each verdict that is worse; `of_slice` is what is told of a slice, with `{}` for
    its name."""
    from judge_tui.scoring import shown_slice

    return [
        f"{one.tag} is worse than {one.baseline} by {one.measure}"
        f"{'' if one.slice is None else of_slice.format(shown_slice(one.slice))}:"
        f" {worse_by(one.delta)}"
        for one in comparisons or ()
        if one.verdict == "worse"
    ]


def refuse_held_to_itself(gates: Gates, baseline: str) -> None:
    """Raise `UsageError` for a gate that holds the baseline to itself, which shows nothing."""
    for gate in gates.asked:
        if gate is None or gate.tag is None or not gate.beside_baseline:
            continue
        if tag_meant(gate.tag, [baseline]) is not None:
            raise UsageError(
                f"gate {gate} holds {baseline} to itself: it is the baseline",
                "name another one, or another --baseline",
            )


def lost_queries(tag: str, count: int, baseline: str) -> str:
    """That a run is left out for what counts for the baseline: by its mean alone it may look
    better."""
    queries = "query that counts" if count == 1 else "queries that count"
    they = "it counts" if count == 1 else "they count"
    return (
        f"{tag} has no results for {count} {queries} for {baseline}; with --complete {they} as 0,"
        " and the verdict goes by that"
    )


def say_unmet(required: Iterable[Required]) -> int:
    """Name the gates that were not met, on standard error; the exit code."""
    whys = [sentence for one in required for sentence in one.unmet]
    for sentence in whys:
        click.echo(f"gate not met: {visible_line(sentence)}", err=True)
    return 1 if whys else 0


def _unanswered(
    gate: Gate | ClassGate, scores: Scores, comparison: Settings | None
) -> dict[str, str]:
    """By tag, why a gate by a measure is not met by a run that answers none of its queries, or none
    that the baseline of the `comparison` answers; no mean could say it. `scores`: over these
    queries alone."""
    which = f"class {gate.name!r}" if isinstance(gate, ClassGate) else f"the {scores.by}"
    baseline = None
    if comparison is not None and not comparison.all_pairs:
        from judge_tui.significance import who_with_whom

        baseline = who_with_whom(scores, comparison)[0][0]
    asked = None if gate.tag is None else tag_meant(gate.tag, scores)
    found = {}
    for run in scores.runs:
        if run.tag != asked and (gate.tag is not None or run is baseline):
            continue
        its = set(run.query_ids)
        if not its:
            who = f"{run.tag} answers none of"
        elif baseline is not None and its.isdisjoint(baseline.query_ids):
            who = f"{run.tag} and the baseline, {baseline.tag}, share none of"
        else:
            continue
        every = len(its.union(run.missing_run))
        found[run.tag] = (
            f"{gate}: {who} the {every:,} {'query' if every == 1 else 'queries'} of"
            f" {which}; with --complete they count as 0 instead"
        )
    return found


def _not_in_earlier(gate: Gate | ClassGate, scores: Scores, earlier: SavedScores) -> dict[str, str]:
    """By tag, why a gate beside an earlier result is not met by a run of other queries."""
    asked = None if gate.tag is None else tag_meant(gate.tag, scores)
    return {
        run.tag: f"{gate}: no query of {run.tag} counts in the earlier result, too; save it anew"
        for run in scores.runs
        if asked in (None, run.tag)
        and (was := earlier.run(run.tag)) is not None
        and set(run.query_ids).isdisjoint(was.query_ids)
    }


def _told(gate: Asked) -> str:
    return NO_REGRESSION if gate is None else str(gate)
