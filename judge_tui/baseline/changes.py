"""What a result says beside the one that was saved earlier, and whether that could be chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from judge_tui.baseline.saved import SavedRun, SavedScores
from judge_tui.scoring import Measure, RunScores, Scores, mean
from judge_tui.significance import (
    STEP,
    TESTS,
    TestResult,
    Verdict,
    adjust,
    bootstrap_intervals,
    give_verdict,
    on_grid,
)

__all__ = ["Change", "Changes", "changes_since"]

TEST = "wilcoxon"
CORRECTION = "holm"
ALPHA = 0.05
SEED = 0

_NONE_IN_BOTH = "no query is in both results"


@dataclass(frozen=True, slots=True)
class Change:
    """One run by one measure, earlier and now.

    `before` and `now` are the averages of each result over its own queries. What follows is paired
    over the `queries` that are in both: `delta`, the mean of now - before, with its 95 % bootstrap
    interval `ci95`; `wins` (greater now), `ties`, `losses`; Wilcoxon's signed-rank `p` (two-sided),
    `p_adjusted` by Holm over every run x measure, and the verdict at alpha .05. What is undefined
    is None, and `why` says the reason under its name: so are p and verdict of measures like Judged
    and NumRet, of which more is not better.
    """

    tag: str
    measure: str
    before: float
    now: float
    queries: int
    delta: float | None
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_adjusted: float | None
    verdict: Verdict | None
    why: Mapping[str, str]

    @property
    def difference(self) -> float:
        """now - before."""
        return self.now - self.before

    def to_dict(self) -> dict[str, Any]:
        """The change as JSON has it; floats at full precision."""
        entry: dict[str, Any] = {
            "measure": self.measure,
            "tag": self.tag,
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
    """Every run x measure beside the earlier result, which is one family of tests.

    `other_qrels`: the two results were made with different grades. `gone`: tags that were saved and
    are not there now. `lost`: by tag, the queries that were averaged earlier and are not now.
    """

    earlier: SavedScores
    changes: tuple[Change, ...]
    other_qrels: bool
    gone: tuple[str, ...]
    lost: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...]
    test: str = TEST
    correction: str = CORRECTION
    alpha: float = ALPHA
    seed: int = SEED

    @property
    def family(self) -> int:
        """How many comparisons the correction is over."""
        return sum(change.verdict is not None for change in self.changes)

    def of(self, tag: str, measure: str) -> Change | None:
        """The change of one run by one measure."""
        found = (c for c in self.changes if (c.tag, c.measure) == (tag, measure))
        return next(found, None)

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
            "changes": [change.to_dict() for change in self.changes],
        }


def changes_since(earlier: SavedScores, scores: Scores, *, other_qrels: bool = False) -> Changes:
    """Compare every run and measure of `scores` with the `earlier` result, which must have them.

    Paired by query, over the queries averaged in both. With `other_qrels` the difference is that
    of runs and grades together.
    """
    pairs = [
        _Pair(was, run, measure)
        for measure in scores.measures
        for run in scores.runs
        if (was := earlier.run(run.tag)) is not None
    ]
    tested = [pair for pair in pairs if pair.tested]
    results = [pair.test() for pair in tested]
    adjusted = adjust([result.p for result in results], CORRECTION)
    outcomes = {
        (pair.tag, pair.measure): (result, p)
        for pair, result, p in zip(tested, results, adjusted, strict=True)
    }
    intervals = _intervals(pairs)
    tags = {run.tag for run in scores.runs}
    gone = tuple(run.tag for run in earlier.runs if run.tag not in tags)
    return Changes(
        earlier,
        tuple(
            pair.change(interval, *outcomes.get((pair.tag, pair.measure), (None, None)))
            for pair, interval in zip(pairs, intervals, strict=True)
        ),
        other_qrels,
        gone,
        _lost(earlier, scores.runs),
        tuple(_warnings(earlier, scores.runs, gone, other_qrels=other_qrels)),
    )


class _Pair:
    """The values of one run by one measure, earlier and now, aligned over the queries of both."""

    def __init__(self, was: SavedRun, run: RunScores, measure: Measure) -> None:
        self.tag, self.measure = run.tag, str(measure)
        self.tested = measure.definition.quality
        self.before, self.now = was.mean(measure), run.mean(measure)
        earlier = dict(zip(was.query_ids, was.values[self.measure], strict=True))
        values = zip(run.query_ids, run.values[self.measure], strict=True)
        both = [(earlier[query_id], value) for query_id, value in values if query_id in earlier]
        self.differences = np.array([now - before for before, now in both], dtype=float)
        self.grid = on_grid(self.differences)

    def test(self) -> TestResult:
        test = TESTS[TEST]
        nonzero = int(np.count_nonzero(self.grid))
        if not len(self.grid):
            return TestResult(why=_NONE_IN_BOTH)
        if 0 < nonzero < test.least_nonzero:
            return TestResult(
                why=f"the results differ for {nonzero} of {len(self.grid)} queries only; "
                f"the test needs {test.least_nonzero}"
            )
        return test.test(self.differences, SEED)

    def change(
        self,
        ci95: tuple[float, float] | None,
        result: TestResult | None,
        p_adjusted: float | None,
    ) -> Change:
        queries = len(self.grid)
        delta = mean(self.differences.tolist()) if queries else None
        why = {}
        if delta is None:
            why["delta"] = _NONE_IN_BOTH
        if ci95 is None:
            why["ci95"] = f"an interval needs at least 2 queries, here {queries}"
        if result is None:
            why["p"] = why["verdict"] = "more of it is not better"
        elif result.p is None:
            why["p"] = result.why
        return Change(
            tag=self.tag,
            measure=self.measure,
            before=self.before,
            now=self.now,
            queries=queries,
            delta=delta,
            ci95=ci95,
            wins=int((self.grid > 0).sum()),
            ties=int((self.grid == 0).sum()),
            losses=int((self.grid < 0).sum()),
            p=None if result is None else result.p,
            p_adjusted=p_adjusted,
            verdict=None if result is None else self._verdict(delta or 0.0, result, p_adjusted),
            why=why,
        )

    def _verdict(self, delta: float, result: TestResult, p_adjusted: float | None) -> Verdict:
        return give_verdict(
            len(self.grid),
            0.0 if abs(delta) < STEP else delta,
            result,
            p_adjusted,
            alpha=ALPHA,
            alternative="two-sided",
        )


def _intervals(pairs: Sequence[_Pair]) -> list[tuple[float, float] | None]:
    """The interval of each pair; those of as many queries share their resamples."""
    by_queries: dict[int, list[int]] = {}
    for place, pair in enumerate(pairs):
        by_queries.setdefault(len(pair.grid), []).append(place)
    found: dict[int, tuple[float, float] | None] = {}
    for places in by_queries.values():
        rows = np.stack([pairs[place].differences for place in places])
        found.update(zip(places, bootstrap_intervals(rows, SEED), strict=True))
    return [found[place] for place in range(len(pairs))]


def _lost(earlier: SavedScores, runs: Sequence[RunScores]) -> dict[str, tuple[str, ...]]:
    lost = {}
    for run in runs:
        was = earlier.run(run.tag)
        queries = sorted(set(was.query_ids) - set(run.query_ids)) if was is not None else []
        if queries:
            lost[run.tag] = tuple(queries)
    return lost


def _warnings(
    earlier: SavedScores, runs: Sequence[RunScores], gone: Sequence[str], *, other_qrels: bool
) -> Iterator[str]:
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
        lost = _lost(earlier, [run]).get(run.tag, ())
        new = sorted(set(run.query_ids) - set(was.query_ids))
        if lost:
            yield (
                f"queries of run {run.tag!r} that were averaged earlier and are not now: "
                f"{len(lost)}; the first is {lost[0]!r}"
            )
        if new:
            yield (
                f"queries of run {run.tag!r} that are averaged now and were not earlier: "
                f"{len(new)}; the first is {new[0]!r}"
            )
