"""What a result says beside the one that was saved earlier, and whether that could be chance."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from judge_tui.baseline.saved import SavedRun, SavedScores
from judge_tui.scoring import Measure, RunScores, Scores, Slices, shown_slice
from judge_tui.significance import (
    Difference,
    Outcome,
    Settings,
    Sides,
    Verdict,
    differences_of,
    outcomes_of,
)

__all__ = ["Change", "Changes", "changes_since"]

TEST = "wilcoxon"
CORRECTION = "holm"
ALPHA = 0.05
SEED = 0

_SETTINGS = Settings(tests=(TEST,), correction=CORRECTION, alpha=ALPHA, seed=SEED)
_NO_QUALITY = dict.fromkeys(("p", "verdict"), "more of it is not better")


@dataclass(frozen=True, slots=True)
class Change:
    """One run by one measure, earlier and now, over all queries or those of one `slice`.

    `before` and `now` are the averages of each result over its own queries. What follows is paired
    over the `queries` that are in both: `difference` of their averages there; `delta`, the mean of
    now - before (the same for measures whose average is a mean), with its 95 % bootstrap
    interval `ci95`; `wins` (greater now), `ties`, `losses`; Wilcoxon's signed-rank `p` (two-sided),
    `p_adjusted` by Holm over the whole family (`Changes`), and the verdict at alpha .05. What is
    undefined is None, and `why` says the reason under its name: so are p and verdict of measures
    like Judged and NumRet, of which more is not better.
    """

    tag: str
    measure: str
    before: float | None
    now: float | None
    queries: int
    difference: float | None
    delta: float | None
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_adjusted: float | None
    verdict: Verdict | None
    why: Mapping[str, str]
    slice: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The change as JSON has it; floats at full precision."""
        entry: dict[str, Any] = {
            "measure": self.measure,
            "tag": self.tag,
            **({} if self.slice is None else {"slice": self.slice}),
            "before": self.before,
            "now": self.now,
            "difference": self.difference,
            "queries": self.queries,
            "delta": self.delta,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "p": self.p,
            "p_adjusted": self.p_adjusted,
            "verdict": None if self.verdict is None else str(self.verdict),
        }
        return {**entry, "why": dict(self.why)} if self.why else entry


@dataclass(frozen=True, slots=True)
class Changes:
    """Every run x measure beside the earlier result, over all queries and, where the scores have
    slices `by` a field, over each of these, which is one family of tests. Slices of unlike measures
    are compared alone, each by its own, and so is one that has all queries of a run that are in
    both results: over these the same test would be in the family twice.

    `other_qrels`: the two results were made with different grades. `gone`: tags that were saved and
    are not there now. By tag, the queries that were averaged earlier and are not now: `lost`, those
    that have grades, and `ungraded`, of which nothing is known any more. `reclassed`: with classes,
    the queries that are in another one now -> that of then and of now.
    """

    earlier: SavedScores
    changes: tuple[Change, ...]
    other_qrels: bool
    gone: tuple[str, ...]
    lost: Mapping[str, tuple[str, ...]]
    ungraded: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...]
    by: str | None = None
    reclassed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    test: str = TEST
    correction: str = CORRECTION
    alpha: float = ALPHA
    seed: int = SEED

    @property
    def family(self) -> int:
        """How many comparisons the correction is over."""
        return sum(change.verdict is not None for change in self.changes)

    @property
    def over(self) -> str:
        """What they are over, behind the family; empty where that is all queries alone."""
        if self.by is None:
            return ""
        of_all = any(change.slice is None for change in self.changes)
        return f", over {'all queries and ' if of_all else ''}each {self.by}"

    def where(self, change: Change) -> str:
        """What is told behind a change of one slice: ` in class 'lookup'`; empty of all queries."""
        return "" if change.slice is None else f" in {self.by} {shown_slice(change.slice)!r}"

    def to_dict(self) -> dict[str, Any]:
        """The changes as JSON has them."""
        return {
            "judge_tui": self.earlier.version,
            "other_qrels": self.other_qrels,
            "gone": list(self.gone),
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "family": self.family,
            "seed": self.seed,
            **({} if self.by is None else {"by": self.by}),
            "changes": [change.to_dict() for change in self.changes],
        }


def changes_since(
    earlier: SavedScores,
    scores: Scores,
    graded: Container[str],
    *,
    other_qrels: bool = False,
) -> Changes:
    """Compare every run and measure of `scores`, and of each of their slices, with the `earlier`
    result, which must have them.

    Paired by query, over the queries averaged in both. `graded`: the queries that the scores were
    made with. With `other_qrels` the difference is that of runs and grades together.
    """
    pairs: list[_Pair] = []
    if scores.slices is None or scores.slices.composite:
        both = [(was, run) for run in scores.runs if (was := earlier.run(run.tag)) is not None]
        if scores.slices is not None:
            both = [one for one in both if not _of_one_slice(*one, scores.slices)]
        pairs += (_Pair(was, run, measure) for measure in scores.measures for was, run in both)
    if scores.slices is not None:
        pairs += _pairs_of_slices(earlier, scores.slices, graded)
    tags = {run.tag for run in scores.runs}
    gone = tuple(run.tag for run in earlier.runs if run.tag not in tags)
    missing = _missing(earlier, scores.runs)
    lost = _only(missing, lambda query_id: query_id in graded)
    ungraded = _only(missing, lambda query_id: query_id not in graded)
    return Changes(
        earlier,
        tuple(_changes(pairs)),
        other_qrels,
        gone,
        lost,
        ungraded,
        tuple(_warnings(earlier, scores.runs, gone, lost, ungraded, other_qrels=other_qrels)),
        None if scores.slices is None else scores.slices.by,
        {} if scores.slices is None else _reclassed(earlier, scores.slices),
    )


class _Pair:
    """The values of one run by one measure, earlier and now, aligned over the queries of both."""

    def __init__(
        self, was: SavedRun, run: RunScores, measure: Measure, slice: str | None = None
    ) -> None:
        self.tag, self.measure, self.slice = run.tag, str(measure), slice
        self.quality = measure.definition.quality
        self.before, self.now = was.mean_or_none(measure), run.mean_or_none(measure)
        earlier = was.values_of(self.measure)
        values = zip(run.query_ids, run.values[self.measure], strict=True)
        both = [(earlier[query_id], value) for query_id, value in values if query_id in earlier]
        before, now = ([pair[side] for pair in both] for side in (0, 1))
        self.sides = Sides(
            np.array(before, dtype=np.float64),
            np.array(now, dtype=np.float64),
        )
        average = measure.definition.average
        self.difference = average(now) - average(before) if both else None

    @property
    def queries(self) -> int:
        return len(self.sides.before)


def _of_one_slice(was: SavedRun, run: RunScores, slices: Slices) -> bool:
    """Whether the queries that are in both are all of one slice."""
    shared = {*was.query_ids}.intersection(run.query_ids)
    return len({slices.of_query.get(query_id, "") for query_id in shared}) == 1


def _pairs_of_slices(
    earlier: SavedScores, slices: Slices, graded: Container[str]
) -> Iterator[_Pair]:
    """Those of a slice in which the run has no query, earlier or now, are left out. A query that
    has no grades any more is in the class that it was in."""
    names = [one.name for one in slices.slices]
    then = earlier.classes if slices.by == "class" else {}
    before = {}
    for saved in earlier.runs:
        there = {one: slices.of_query.get(one, "") for one in saved.query_ids if one in graded}
        gone = {one: then[one] for one in saved.query_ids if one in then and one not in graded}
        before[saved.tag] = saved.by_slice(names, there | gone)
    for one in slices.slices:
        for measure in one.measures:
            for run in one.runs:
                was = before[run.tag][one.name] if run.tag in before else None
                if was is not None and (was.query_ids or run.query_ids):
                    yield _Pair(was, run, measure, one.name)


def _changes(pairs: Sequence[_Pair]) -> Iterator[Change]:
    paired = [pair for pair in pairs if pair.queries]
    tested = [pair for pair in paired if pair.quality]
    untested = sum(pair.quality for pair in pairs) - len(tested)
    differences = iter(differences_of([pair.sides for pair in paired], SEED))
    outcomes = iter(
        outcomes_of([pair.sides for pair in tested], _SETTINGS, others=[None] * untested)
    )
    for pair in pairs:
        if not pair.queries:
            yield _unpaired(pair)
        else:
            yield _change(pair, next(differences), next(outcomes) if pair.quality else None)


def _change(pair: _Pair, difference: Difference, outcome: Outcome | None) -> Change:
    why = dict(difference.why)
    result = None if outcome is None else outcome.tests[TEST]
    if result is None:
        why |= _NO_QUALITY
    elif result.p is None:
        why["p"] = result.why
    return Change(
        tag=pair.tag,
        measure=pair.measure,
        before=pair.before,
        now=pair.now,
        queries=pair.queries,
        difference=pair.difference,
        delta=difference.delta,
        ci95=difference.ci95,
        wins=difference.wins,
        ties=difference.ties,
        losses=difference.losses,
        p=None if result is None else result.p,
        p_adjusted=None if outcome is None else outcome.p_adjusted[TEST],
        verdict=None if outcome is None else outcome.verdict,
        why=why,
        slice=pair.slice,
    )


def _unpaired(pair: _Pair) -> Change:
    none = "no query is in both results"
    return Change(
        tag=pair.tag,
        measure=pair.measure,
        before=pair.before,
        now=pair.now,
        queries=0,
        difference=None,
        delta=None,
        ci95=None,
        wins=0,
        ties=0,
        losses=0,
        p=None,
        p_adjusted=None,
        verdict=Verdict.TOO_FEW if pair.quality else None,
        why={"delta": none, "ci95": none, **({"p": none} if pair.quality else _NO_QUALITY)},
        slice=pair.slice,
    )


def _missing(earlier: SavedScores, runs: Sequence[RunScores]) -> dict[str, list[str]]:
    """By tag, the queries that were averaged earlier and are not now."""
    both = ((run, was) for run in runs if (was := earlier.run(run.tag)) is not None)
    return {run.tag: sorted(set(was.query_ids) - set(run.query_ids)) for run, was in both}


def _only(
    by_tag: Mapping[str, Sequence[str]], is_meant: Callable[[str], bool]
) -> dict[str, tuple[str, ...]]:
    meant = {tag: tuple(filter(is_meant, query_ids)) for tag, query_ids in by_tag.items()}
    return {tag: query_ids for tag, query_ids in meant.items() if query_ids}


def _reclassed(earlier: SavedScores, slices: Slices) -> dict[str, tuple[str, str]]:
    if slices.by != "class":
        return {}
    both = ((one, was, slices.of_query.get(one)) for one, was in earlier.classes.items())
    return {one: (was, now) for one, was, now in both if now not in (None, was)}


def _warnings(
    earlier: SavedScores,
    runs: Sequence[RunScores],
    gone: Sequence[str],
    lost: Mapping[str, Sequence[str]],
    ungraded: Mapping[str, Sequence[str]],
    *,
    other_qrels: bool,
) -> Iterator[str]:
    yield from earlier.remarks
    if other_qrels:
        yield (
            "the earlier result was made with other qrels: the differences are those of runs and "
            "grades together"
        )
    for tag in gone:
        yield f"run {tag!r} is in the earlier result and was not scored now"
    for run in runs:
        was = earlier.run(run.tag)
        if was is None:
            continue
        new = sorted(set(run.query_ids) - set(was.query_ids))
        for what, query_ids in (
            ("averaged earlier and are not now", lost.get(run.tag)),
            ("averaged earlier and have no grades now", ungraded.get(run.tag)),
            ("averaged now and were not earlier", new),
        ):
            if query_ids:
                yield (
                    f"queries of run {run.tag!r} that {'are' if query_ids is new else 'were'}"
                    f" {what}: {len(query_ids)}; the first is {query_ids[0]!r}"
                )
