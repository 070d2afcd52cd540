"""`--require` of `evaluate`: read before anything is asked, held to when everything is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from judge_tui.cli.class_gates import (
    class_failures,
    over_part_of_class,
    refuse_class_gate,
    worse_in_demands,
)
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import (
    NO_REGRESSION,
    ClassGate,
    Gate,
    Measure,
    Scores,
    Slices,
    failures,
    parse_class_gate,
    parse_gate,
    shown_slice,
    worse_by,
)

if TYPE_CHECKING:
    from judge_tui.analysis.demands import Demanded
    from judge_tui.class_measures import ClassMeasures
    from judge_tui.expectations import Expectations
    from judge_tui.report.evaluation import Required
    from judge_tui.significance import Comparisons, Settings

__all__ = ["EvaluationGates", "WithoutResults", "evaluation_gates"]

Asked: TypeAlias = Gate | ClassGate | None


class WithoutResults(NamedTuple):
    """The queries that a system `failed` at, and the class of each; `of_all`: it found nothing for
    any query, as where results are sought in the wrong place."""

    failed: Mapping[str, str]
    of_all: bool


class EvaluationGates(NamedTuple):
    """Every gate in the order in which it was given; None for the one that asks for no number."""

    gates: tuple[Asked, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What systems must be scored by to be held to them."""
        asked = (
            gate.asked if isinstance(gate, ClassGate) else gate.measure
            for gate in self.gates
            if gate is not None
        )
        return tuple(one for one in asked if isinstance(one, Measure))

    def refuse_unknown(
        self, right: Expectations, classes: Collection[str], own: ClassMeasures
    ) -> None:
        """Raise `UsageError` for a class that there is not, for what it is not held to, and, where
        classes have measures of their `own`, for a mean over queries that do not all have it.
        `classes`: those that are scored."""
        every = dict.fromkeys(query.query_class for query in right.queries)
        for gate in self.gates:
            if isinstance(gate, ClassGate):
                refuse_class_gate(gate, every, classes, right.demands)
            elif gate is not None:
                _refuse_composite(gate, every, classes, own)

    def held(
        self,
        scores: Scores,
        slices: Slices,
        settings: Settings,
        comparisons: Comparisons | None,
        demanded: Demanded | None,
        without: WithoutResults,
        right: Expectations,
    ) -> tuple[Required, ...]:
        """What came of each. `scores` by all `measures`, `slices` of them by class. `without`: what
        the baseline has no results for: beside one that was down, or that is wrongly set up,
        nothing can be shown to be as good. `right`: what they are scored by."""
        from judge_tui.report.evaluation import Required
        from judge_tui.significance import gate_failures

        outcomes = []
        for gate in self.gates:
            if gate is None:
                sentences = [*_worse(comparisons), *worse_in_demands(demanded)]
                sentences += _rests_on(NO_REGRESSION, without, settings)
                outcomes.append(Required(NO_REGRESSION, tuple(sentences)))
                continue
            # A number is for the baseline, too: who names none does not think of the first as one.
            over = ""
            if isinstance(gate, ClassGate):
                over = over_part_of_class(gate, slices.of_query, right.qrels, right.demands)
                comparison = settings if gate.beside_baseline else None
                sentences = class_failures(gate, scores, slices, demanded, comparison)
            elif gate.beside_baseline:
                sentences = gate_failures(gate, scores, settings)
            else:
                sentences = failures(gate, scores)
            if gate.beside_baseline:
                sentences = [*sentences, *_rests_on(gate, without, settings)]
            outcomes.append(Required(str(gate), tuple(sentences), over))
        return tuple(outcomes)


def evaluation_gates(
    required: Sequence[str], names: Sequence[str], compared: Sequence[Measure], baseline: str
) -> EvaluationGates:
    """Read them; `baseline`: the system that others stand beside. Raises `UsageError` for what
    could not be held to after hours of work: another system's name, a baseline or a verdict where
    there is none, and what holds the baseline to itself."""
    for text in required:
        _refuse_verdict_of_one(text)
    gates = tuple(
        None if text.strip() == NO_REGRESSION else parse_class_gate(text) or parse_gate(text)
        for text in required
    )
    beside = [str(gate) for gate in gates if gate is not None and gate.beside_baseline]
    beside += [NO_REGRESSION] if None in gates else []
    if beside and len(names) < 2:
        raise UsageError(
            f"gate {beside[0]} stands beside a baseline, and there is one system",
            "name two systems or more",
        )
    if None in gates and not compared:
        raise UsageError(
            f"gate {NO_REGRESSION} needs a measure of which more is better", "add -m nDCG@10"
        )
    for gate in gates:
        if gate is not None and gate.tag is not None and gate.tag not in names:
            raise unknown("system", gate.tag, names)
        if gate is not None and gate.beside_baseline and gate.tag == baseline:
            raise UsageError(
                f"gate {gate} holds {baseline} to itself: it is the baseline",
                "name another system, or another --baseline",
            )
    return EvaluationGates(gates)


def _refuse_verdict_of_one(text: str) -> None:
    tag, colon, verdict = text.rpartition(":")
    if colon and verdict.strip() == NO_REGRESSION:
        raise UsageError(
            f"{text!r} is no gate: {NO_REGRESSION} is asked of all systems but the baseline",
            f"write {NO_REGRESSION}, or {tag.strip()}:nDCG@10>=baseline-0.01",
        )


def _rests_on(gate: Asked | str, without: WithoutResults, settings: Settings) -> Iterator[str]:
    """That the baseline failed at queries that the gate is about, or found nothing at all."""
    its = [
        query_class
        for query_class in without.failed.values()
        if not isinstance(gate, ClassGate) or shown_slice(query_class) == gate.name
    ]
    if its:
        queries = "query" if len(its) == 1 else "queries"
        yield (
            f"{gate}: the baseline, {settings.baseline}, failed at {len(its):,} {queries}, so that"
            " nothing can be held to it; --again-failed asks once more"
        )
    elif without.of_all:
        yield (
            f"{gate}: the baseline, {settings.baseline}, found nothing for any query, so that"
            " nothing can be held to it; look at how it is set up"
        )


def _refuse_composite(
    gate: Gate, every: Iterable[str], classes: Collection[str], own: ClassMeasures
) -> None:
    if not own:
        return
    for name in every:
        if name not in classes or (name in own and gate.measure not in own[name]):
            asked = next(iter(classes), name)
            raise UsageError(
                f"gate {gate} is over all queries, and those of class {shown_slice(name)!r} are not"
                f" measured by {gate.measure}",
                f"ask it of a class, as {shown_slice(asked)}/{gate}"
                if gate.tag is None
                else f"ask it of a class, as {gate.tag}:CLASS/{gate.measure}",
            )


def _worse(comparisons: Comparisons | None) -> list[str]:
    from judge_tui.significance import Verdict

    return [
        f"{NO_REGRESSION}: {one.tag} is worse than {one.baseline} by {one.measure}"
        f"{'' if one.slice is None else f' in class {shown_slice(one.slice)!r}'}:"
        f" {worse_by(one.delta)}"
        for one in comparisons or ()
        if one.verdict is Verdict.WORSE
    ]
