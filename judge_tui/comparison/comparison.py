"""The outcome of a comparison: one measure, one run, one baseline, what changed query by query; and
all of them together, as rows and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from judge_tui.comparison.corrections import Floats, on_grid
from judge_tui.comparison.result import TestResult
from judge_tui.comparison.settings import Settings, Verdict
from judge_tui.comparison.tukey import TukeyPair
from judge_tui.model import Warning  # noqa: A004 - the noun of the product
from judge_tui.scoring import RunScores, Scores

__all__ = [
    "BUCKETS",
    "Cell",
    "Changes",
    "Comparison",
    "Comparisons",
    "columns_of",
    "rows_of",
    "sort_changes",
]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One run against the baseline by one measure, over the queries that both runs answer, or
    over those of them in one slice.

    `slice` is None where all queries are compared. Means (arithmetic, whatever the measure),
    `delta` (mean - baseline_mean) and `ci95` are in the measure's own unit; `nonzero` counts the
    queries that differ. `tests` and `p_adjusted` are by name of the test. What is undefined is
    None, and `why` says the reason under its name.
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

    @property
    def nonzero(self) -> int:
        """The queries for which the two runs differ."""
        return self.wins + self.losses

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it; floats at full precision."""
        entry: dict[str, Any] = {
            "measure": self.measure,
            "baseline": self.baseline,
            "tag": self.tag,
            **({} if self.slice is None else {"slice": self.slice}),
            "queries": self.queries,
            "baseline_mean": self.baseline_mean,
            "mean": self.mean,
            "delta": self.delta,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "nonzero": self.nonzero,
            "tests": {name: self._test_to_dict(name) for name in self.tests},
            "effect_size": self.effect_size,
            "detectable_effect": self.detectable_effect,
            "verdict": str(self.verdict),
            "changed": self.changed.to_dict(),
        }
        return {**entry, "why": dict(self.why)} if self.why else entry

    def _test_to_dict(self, name: str) -> dict[str, Any]:
        result = self.tests[name]
        if result.p is None:
            return {"p": None, "why": result.why}
        statistic = {} if result.statistic is None else {"statistic": result.statistic}
        return {
            **statistic,
            "p": result.p,
            "p_greater": result.p_greater,
            "p_less": result.p_less,
            "p_adjusted": self.p_adjusted[name],
        }


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Every measure x run (x slice) that was compared: one family. Iterated over, counted and
    indexed, it is its `comparisons`.

    `baseline` is None where all pairs of runs are compared; `sliced` says whether slices are,
    `complete` whether a query that a run does not answer counts as an empty list.
    `tukey` is None where it was not asked for, and empty where the runs share no query. `paired`:
    each baseline and the run beside it; `scores`: those of the runs; `gone`: tags of a saved result
    that are not scored now.
    """

    baseline: str | None
    settings: Settings
    sliced: bool
    complete: bool
    comparisons: tuple[Comparison, ...]
    tukey: tuple[TukeyPair, ...] | None
    paired: tuple[tuple[RunScores, RunScores], ...] = field(repr=False, compare=False)
    scores: Scores = field(repr=False, compare=False)
    warnings: tuple[Warning, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def family(self) -> int:
        """How many tests were corrected for together."""
        return len(self.comparisons)

    def __iter__(self) -> Iterator[Comparison]:
        """The comparisons, in their order."""
        return iter(self.comparisons)

    def __len__(self) -> int:
        """How many comparisons there are."""
        return len(self.comparisons)

    def __getitem__(self, place: int) -> Comparison:
        """The comparison at a place."""
        return self.comparisons[place]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what is in a row of `to_rows`; they depend on what was asked for."""
        return columns_of(self)

    def to_rows(self) -> list[tuple[Cell, ...]]:
        """One row a comparison, floats at full precision; what is undefined is None."""
        return rows_of(self)

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
        document: dict[str, Any] = {
            "schema_version": 1,
            "settings": {
                **self.settings.to_dict(),
                "baseline": self.baseline,
                "complete": self.complete,
            },
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
        }
        if self.tukey is not None:
            document["tukey"] = [pair.to_dict() for pair in self.tukey]
        return {**document, "warnings": [*map(str, self.warnings)]}


BUCKETS = ("added", "removed", "improved", "degraded", "unchanged")


@dataclass(frozen=True, slots=True)
class Changes:
    """Query ids by what became of them, each in ascending order.

    `added`: nothing relevant in the baseline's top k, something in the run's; `removed`: the
    reverse; else `improved`, `degraded` or `unchanged` by the measure.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    improved: tuple[str, ...]
    degraded: tuple[str, ...]
    unchanged: tuple[str, ...]

    def to_dict(self) -> dict[str, list[str]]:
        """The buckets by name, in the order of `BUCKETS`."""
        return {bucket: list(getattr(self, bucket)) for bucket in BUCKETS}


def sort_changes(
    query_ids: Sequence[str],
    differences: Sequence[float] | Floats,
    found_before: Sequence[bool],
    found_now: Sequence[bool],
) -> Changes:
    """Put each query into its bucket; the four sequences are aligned, one entry a query."""
    buckets: dict[str, list[str]] = {bucket: [] for bucket in BUCKETS}
    signs = [int(step) for step in on_grid(differences)]
    for query_id, sign, before, now in sorted(
        zip(query_ids, signs, found_before, found_now, strict=True)
    ):
        buckets[_bucket(sign, before=before, now=now)].append(query_id)
    return Changes(**{bucket: tuple(members) for bucket, members in buckets.items()})


def _bucket(sign: int, *, before: bool, now: bool) -> str:
    if before != now:
        return "added" if now else "removed"
    if sign:
        return "improved" if sign > 0 else "degraded"
    return "unchanged"


Cell: TypeAlias = str | int | float | None

_OF_A_TEST = ("statistic", "p", "p_greater", "p_less", "p_adjusted")


def columns_of(comparisons: Comparisons) -> tuple[str, ...]:
    """The names of the columns: those of each test begin with its name (`wilcoxon_p`), and under
    those of the buckets stands how many queries are in them."""
    names = ["measure", "baseline", "tag", *(["slice"] if comparisons.sliced else [])]
    names += ["queries", "baseline_mean", "mean", "delta"]
    names += ["ci95_low", "ci95_high", "wins", "ties", "losses", "nonzero"]
    for name in comparisons.settings.tests:
        names += [f"{name}_{field}" for field in _OF_A_TEST]
    names += ["p_adjusted_of", "effect_size", "detectable_effect", "verdict", *BUCKETS]
    return (*names, *([] if comparisons.tukey is None else ["tukey_p"]))


def rows_of(comparisons: Comparisons) -> list[tuple[Cell, ...]]:
    """The values in the order of `columns_of`; what is undefined is None."""
    p_adjusted_of = comparisons.settings.p_adjusted_of
    rows = [_row(comparison, p_adjusted_of) for comparison in comparisons.comparisons]
    if comparisons.tukey is None:
        return rows
    p = {(pair.measure, pair.slice, frozenset(pair.tags)): pair.p for pair in comparisons.tukey}
    return [
        (*row, p.get((c.measure, c.slice, frozenset((c.baseline, c.tag)))))
        for row, c in zip(rows, comparisons.comparisons, strict=True)
    ]


def _row(c: Comparison, p_adjusted_of: str) -> tuple[Cell, ...]:
    low, high = c.ci95 or (None, None)
    row: list[Cell] = [c.measure, c.baseline, c.tag, *([] if c.slice is None else [c.slice])]
    row += [c.queries, c.baseline_mean, c.mean, c.delta]
    row += [low, high, c.wins, c.ties, c.losses, c.nonzero]
    for name, result in c.tests.items():
        row += [result.statistic, result.p, result.p_greater, result.p_less, c.p_adjusted[name]]
    row += [p_adjusted_of, c.effect_size, c.detectable_effect, str(c.verdict)]
    return (*row, *(len(getattr(c.changed, bucket)) for bucket in BUCKETS))
