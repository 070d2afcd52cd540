"""The leaderboard: what each run is worth, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.standing import Standing
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.family import Settings
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, mean
from judge_tui.scoring.measure import STEP

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Intervals",
    "Leaderboard",
    "RunRow",
    "Verdicts",
    "intervals",
    "leaderboard",
    "verdicts",
]

_NOT_SCORED = "the run answers no judged query"
_GREATEST_SUM = 2.0**53 * STEP


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run: the queries that its means are over, how many judged queries it does not answer and
    how many it answers that nobody judged, and its mean by full name of the measure, None where
    `queries` is 0. `nothing_found` of those that it does not answer count as 0, since it was asked
    them; at `failed` of these it failed."""

    tag: str
    queries: int
    missing_run: int
    missing_qrels: int
    means: Mapping[str, float | None]
    nothing_found: int = 0
    failed: int = 0

    @property
    def left_out(self) -> int:
        """How many judged queries it does not answer and is not known to have been asked."""
        return self.missing_run - self.nothing_found


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """`rows` stand as the runs do, with means of the `measures` and the `shares` (Judged@k)."""

    measures: tuple[Measure, ...]
    shares: tuple[Measure, ...]
    rows: tuple[RunRow, ...]

    def by(self, measure: Measure) -> tuple[RunRow, ...]:
        """The rows, greatest mean first; of equal ones, the earlier run; last those without one."""
        worth = {row.tag: row.means[measure.name] for row in self.rows}
        return tuple(
            sorted(
                self.rows,
                # In steps of 1e-9: what is equal to a reader is equal here.
                key=lambda row: (worth[row.tag] is None, -round((worth[row.tag] or 0.0) / STEP)),
            )
        )


@dataclass(frozen=True, slots=True)
class Intervals:
    """The 95 % interval of each mean: measure -> tag -> (low, high), None where there is none, and
    `why` says the reason: measure -> tag -> reason."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Each run beside the baseline: (tag, measure) -> comparison. `why`: tag -> why it is not
    compared. `comparisons` is the family that was corrected together, None where nothing is
    compared. `common`: of the runs that are compared over other queries than the two means are
    over, tag -> over how many, which both are scored for."""

    baseline: str
    of: Mapping[tuple[str, str], Comparison]
    why: Mapping[str, str]
    comparisons: Comparisons | None
    common: Mapping[str, int]


def leaderboard(
    standing: Standing, measures: Sequence[Measure], shares: Sequence[Measure] = ()
) -> Leaderboard:
    """The means of all runs, each over the queries it is scored for, as `score` has them."""
    counting = standing.judged
    rankings = standing.rankings
    answered, counted = rankings.answered, rankings.counted
    nothing = counting & counted & ~answered
    every = tuple(dict.fromkeys([*measures, *shares]))
    means = {measure.name: standing.means(measure).tolist() for measure in every}
    rows = tuple(
        RunRow(
            tag=tag,
            queries=int(standing.scored[place].sum()),
            missing_run=int((counting & ~answered[place]).sum()),
            missing_qrels=int((counted[place] & ~counting).sum()),
            means={
                name: None if np.isnan(values[place]) else values[place]
                for name, values in means.items()
            },
            nothing_found=int(nothing[place].sum()),
            failed=sum(
                1
                for query in np.flatnonzero(nothing[place]).tolist()
                if (place, query) in rankings.failed
            ),
        )
        for place, tag in enumerate(rankings.tags)
    )
    return Leaderboard(tuple(measures), tuple(shares), rows)


def intervals(standing: Standing, measures: Sequence[Measure], seed: int) -> Intervals:
    """Percentile bootstrap intervals of the means over queries (`comparison.resampling`)."""
    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    reasons: dict[str, dict[str, str]] = {}
    together: dict[int, list[tuple[str, str, NDArray[np.float64]]]] = {}
    for measure in measures:
        found[measure.name] = dict.fromkeys(standing.rankings.tags)
        why: dict[str, str] = {}
        for place, tag in enumerate(standing.rankings.tags):
            values = standing.values(measure)[place][standing.scored[place]]
            n = len(values)
            if n < 2:
                why[tag] = why_no_interval(n) if n else _NOT_SCORED
            elif measure.definition.average is not mean:
                why[tag] = f"{measure} is no arithmetic mean over queries"
            elif np.abs(values).sum() >= _GREATEST_SUM:
                why[tag] = "the values are too great to be resampled exactly"
            else:
                together.setdefault(n, []).append((measure.name, tag, values))
        reasons[measure.name] = why
    # What is drawn depends on the number of queries alone, and is drawn once for all of as many.
    for same in together.values():
        between = bootstrap_intervals(np.stack([values for _, _, values in same]), seed)
        for (name, tag, values), one in zip(same, between, strict=True):
            found[name][tag] = one
            if one is None:
                reasons[name][tag] = why_no_interval(len(values), "value")
    return Intervals(found, {name: why for name, why in reasons.items() if why})


def verdicts(
    standing: Standing,
    measures: Sequence[Measure],
    baseline: str,
    settings: Settings | None = None,
) -> Verdicts:
    """Each run compared with the baseline by each measure of which more is better, one family.

    As `compare` has them: paired over the queries of both; by Wilcoxon's test, two-sided, corrected
    after Holm, unless `settings` say otherwise (their baseline is not heeded). Raises `UsageError`
    for a baseline that is no run.
    """
    tags = standing.rankings.tags
    if baseline not in tags:
        raise UsageError(f"no run {baseline!r}", f"known: {', '.join(tags)}")
    settings = settings or Settings(tests=("wilcoxon",))
    settings = Settings(
        baseline=baseline,
        tests=settings.tests,
        correction=settings.correction,
        alternative=settings.alternative,
        alpha=settings.alpha,
        seed=settings.seed,
    )
    measures = [measure for measure in measures if measure.definition.quality]
    place = tags.index(baseline)
    both = (standing.scored & standing.scored[place]).sum(axis=1)
    shared = both > 0
    why = {
        tag: "it shares no judged query with the baseline"
        if standing.scored[place].any()
        else f"the baseline {baseline!r} answers no judged query"
        for tag, some in zip(tags, shared.tolist(), strict=True)
        if not some and tag != baseline
    }
    if shared.sum() < 2 or not measures:
        return Verdicts(baseline, {}, why, None, {})
    scores = standing.scores(measures_needed(measures))
    found = compare_scores(
        scores.of_runs(tag for tag in scores if tag not in why), measures, settings
    )
    of = {(one.tag, one.measure): one for one in found}
    unlike = shared & (standing.scored != standing.scored[place]).any(axis=1)
    common = {tags[run]: int(both[run]) for run in np.flatnonzero(unlike).tolist()}
    return Verdicts(baseline, of, why, found, common)
