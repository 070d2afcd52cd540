"""What a comparison says: one measure, one run, one baseline, what changed query by query; and all
of them together, as rows and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.family import Verdict
from judge_tui.comparison.paired_tests import TestResult, on_grid
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.comparison.tukey import TukeyPair
from judge_tui.on_demand import OnDemand
from judge_tui.scoring import RunScores, Scores


class Changes(NamedTuple):
    """Query ids by what became of them, each in ascending order.

    `added`: nothing relevant in the baseline's top k, something in the run's; `removed`: the
    reverse; else `improved`, `degraded` or `unchanged` by the measure.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    improved: tuple[str, ...]
    degraded: tuple[str, ...]
    unchanged: tuple[str, ...]

    @classmethod
    def of(cls, queries: Iterable[tuple[str, int, bool, bool]]) -> Changes:
        """Sort queries into buckets. Each is its id, its difference in steps of 1e-9, and whether
        the baseline and the run found anything relevant."""
        members: dict[str, list[str]] = {bucket: [] for bucket in BUCKETS}
        for query_id, steps, found_before, found_now in sorted(queries):
            if found_before != found_now:
                bucket = "added" if found_now else "removed"
            else:
                bucket = "improved" if steps > 0 else "degraded" if steps < 0 else "unchanged"
            members[bucket].append(query_id)
        return cls(*map(tuple, members.values()))

    def to_dict(self) -> dict[str, list[str]]:
        """Return the buckets by name, in the order of `BUCKETS`."""
        return {bucket: list(members) for bucket, members in self._asdict().items()}


BUCKETS = Changes._fields


class QueryDifference(NamedTuple):
    """One query: what it is worth in the baseline and in the run, the difference, and what became
    of it (one of `BUCKETS`)."""

    query_id: str
    before: float
    after: float
    difference: float
    bucket: str


@dataclass(frozen=True, slots=True)
class UnbiasedDifference:
    """How much better a run is than another: the mean `delta` over so many `queries`, with its 95 %
    t interval. It rests on so many judged `pairs` of the random stratum."""

    delta: float
    ci95: tuple[float, float]
    queries: int
    pairs: int

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "delta": self.delta,
            "ci95": list(self.ci95),
            "queries": self.queries,
            "pairs": self.pairs,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run against the baseline by one measure, over the queries that both runs answer, or
    over those of them in one slice.

    `slice` is None where all queries are compared. Means (arithmetic, whatever the measure),
    `delta` (mean - baseline_mean, 0.0 where it is 0 in steps of 1e-9) and its bootstrap interval
    `ci95` are in the measure's own unit; `wins`, `ties` and `losses` count queries. `tests` and
    `p_adjusted` are by name of the test. What is undefined is None, and `why` says the reason under
    its name. `before`, `after`: float64[queries], the values of the queries in `changed`, ascending
    by their ids. `unbiased`: what a random sample of the unjudged says, where there is one.
    """

    measure: str
    baseline: str
    tag: str
    slice: str | None
    queries: int
    baseline_mean: float
    mean: float
    delta: float
    ci95: tuple[float, float] | None
    wins: int
    ties: int
    losses: int
    tests: Mapping[str, TestResult]
    p_adjusted: Mapping[str, float | None]
    effect_size: float | None
    detectable_effect: float | None
    verdict: Verdict
    changed: Changes
    why: Mapping[str, str]
    before: Floats = field(repr=False, compare=False)
    after: Floats = field(repr=False, compare=False)
    unbiased: UnbiasedDifference | None = field(default=None, compare=False)

    @property
    def by_query(self) -> tuple[QueryDifference, ...]:
        """The queries one by one, greatest gain first, those alike by their ids."""
        changed = sorted((q, name) for name, ids in self.changed._asdict().items() for q in ids)
        sides = zip(changed, self.before.tolist(), self.after.tolist(), strict=True)
        rows = [QueryDifference(q, old, new, new - old, name) for (q, name), old, new in sides]
        order = np.argsort(-on_grid(self.after - self.before), kind="stable")
        return tuple(rows[at] for at in order.tolist())

    @property
    def verdict_by(self) -> str:
        """The test that gives the verdict: the first."""
        return next(iter(self.tests))

    @property
    def nonzero(self) -> int:
        """The queries for which the two runs differ."""
        return self.wins + self.losses

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it; floats at full precision."""
        names = ["measure", "baseline", "tag", *([] if self.slice is None else ["slice"])]
        names += ["queries", "baseline_mean", "mean", "delta", "ci95"]
        names += ["wins", "ties", "losses", "nonzero", "tests", "effect_size", "detectable_effect"]
        entry = {name: getattr(self, name) for name in names}
        entry["ci95"] = None if self.ci95 is None else list(self.ci95)
        entry["tests"] = {name: self._test_to_dict(name) for name in self.tests}
        entry |= {"verdict": str(self.verdict), "changed": self.changed.to_dict()}
        if self.unbiased is not None:
            entry["unbiased"] = self.unbiased.to_dict()
        return {**entry, "why": dict(self.why)} if self.why else entry

    def _test_to_dict(self, name: str) -> dict[str, Any]:
        result = self.tests[name]
        if result.p is None:
            return {"p": None, "why": result.why}
        statistic = {} if result.statistic is None else {"statistic": result.statistic}
        p_values = {field: getattr(result, field) for field in ("p", "p_greater", "p_less")}
        return {**statistic, **p_values, "p_adjusted": self.p_adjusted[name]}


Cell: TypeAlias = str | int | float | None

_OF_A_TEST = ("statistic", "p", "p_greater", "p_less", "p_adjusted")

RunPair: TypeAlias = tuple[RunScores, RunScores]
"""A baseline, and the run beside it."""


@dataclass(frozen=True)
class Comparisons:
    """The comparisons, ordered by measure, then by slice, then as the runs were given.

    `baseline` is None where all pairs of runs are compared. `tukey` is None where it was not asked
    for, and empty where the runs share no query. `fewest`: measure -> the fewest queries of a
    comparison by it. `paired`: each baseline and the run beside it; `scores`: those of the runs;
    `gone`: tags of a saved result that are not scored now;
    `any_unbiased`: whether a random sample says anything of any of them.
    """

    baseline: str | None
    settings: ComparisonSettings
    comparisons: Sequence[Comparison]
    tukey: tuple[TukeyPair, ...] | None
    fewest: Mapping[str, int]
    paired: Sequence[RunPair] = field(repr=False, compare=False)
    scores: Scores = field(repr=False, compare=False)
    warnings: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    any_unbiased: bool = False

    @property
    def sliced(self) -> bool:
        """Whether each slice of the queries is compared by itself."""
        return self.scores.slices is not None

    @property
    def family(self) -> int:
        """How many tests were corrected for together."""
        return len(self.comparisons)

    def reason(self, one: Comparison) -> str:
        """Return why no difference is shown, where the numbers beside it may let one expect a
        verdict: no test was made, the test and the mean contradict each other, or the interval
        leaves out 0 and the test shows nothing; else ""."""
        if one.verdict != Verdict.NOTHING_SHOWN or not one.nonzero:
            return ""
        test, alpha = one.tests[one.verdict_by], self.settings.alpha
        p, adjusted = test.p_of(self.settings.alternative), one.p_adjusted[one.verdict_by]
        if p is None or adjusted is None:
            return test.why
        if adjusted < alpha:
            return f"the {one.verdict_by} test and the mean point different ways"
        if one.ci95 is None or one.ci95[0] <= 0 <= one.ci95[1]:
            return ""
        if p < alpha:
            return f"p {p:.4f} alone, {adjusted:.4f} corrected for {self.family} comparisons"
        return f"p {p:.4f} by the {one.verdict_by} test, which gives the verdict"

    def __iter__(self) -> Iterator[Comparison]:
        """Iterate over the comparisons, in their order."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """Return how many comparisons there are."""
        return len(self.comparisons)

    def __getitem__(self, index: int) -> Comparison:
        """Return the comparison at an index."""
        return self.comparisons[index]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of `to_rows`, which depend on what was asked for: those of each
        test begin with its name (`wilcoxon_p`), those of the buckets hold how many queries are in
        them."""
        return tuple(self._row(self[0])) if self.comparisons else ()

    def to_rows(self) -> list[tuple[Cell, ...]]:
        """Return one row a comparison, floats at full precision; what is undefined is None."""
        return [*self.rows]

    @property
    def rows(self) -> Sequence[tuple[Cell, ...]]:
        """What `to_rows` returns, each row made when it is asked for."""
        return OnDemand(len(self), lambda at: tuple(self._row(self[at]).values()))

    def _row(self, one: Comparison) -> dict[str, Cell]:
        """Return what JSON has of a comparison, flat."""
        row: dict[str, Cell] = {}
        for name, value in one.to_dict().items():
            if name == "ci95":
                row["ci95_low"], row["ci95_high"] = value or (None, None)
            elif name == "tests":
                for test, result in value.items():
                    row |= {f"{test}_{figure}": result.get(figure) for figure in _OF_A_TEST}
                row["p_adjusted_of"] = self.settings.p_adjusted_of
            elif name == "changed":
                row |= {bucket: len(query_ids) for bucket, query_ids in value.items()}
            elif name not in ("why", "unbiased"):
                row[name] = value
        if self.any_unbiased:
            its = one.unbiased
            ends = (None, None) if its is None else its.ci95
            row["unbiased_delta"] = None if its is None else its.delta
            row["unbiased_ci95_low"], row["unbiased_ci95_high"] = ends
            row["unbiased_queries"] = None if its is None else its.queries
        if self.tukey is not None:
            row["tukey_p"] = self._of_tukey.get(
                (one.measure, one.slice, frozenset((one.baseline, one.tag)))
            )
        return row

    @cached_property
    def _of_tukey(self) -> Mapping[tuple[str, str | None, frozenset[str]], float | None]:
        return {(one.measure, one.slice, frozenset(one.tags)): one.p for one in self.tukey or ()}

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON has it."""
        basis = {"baseline": self.baseline, "complete": self.scores.rules.complete}
        document: dict[str, Any] = {
            "schema_version": 1,
            "settings": {**self.settings.to_dict(), **basis},
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
        }
        if self.tukey is not None:
            document["tukey"] = [pair.to_dict() for pair in self.tukey]
        return {**document, "warnings": [*self.warnings]}
