"""The leaderboard: what each run is worth, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from judge_tui.analysis.basis import Basis
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.arrays import Floats
from judge_tui.comparison.compare import COMPARED_BY_DEFAULT, compare_scores, measures_needed
from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, Scores, mean
from judge_tui.scoring.bounds import bounds_of, open_beyond, unbounded
from judge_tui.scoring.measure import STEP

__all__ = [
    "BY_WILCOXON",
    "Intervals",
    "Leaderboard",
    "MeanBounds",
    "RunRow",
    "Verdicts",
    "intervals",
    "leaderboard",
    "mean_bounds",
    "tested_measures",
    "verdicts",
]

_GREATEST_SUM = 2.0**53 * STEP
BY_WILCOXON = ComparisonSettings(tests=("wilcoxon",))
"""How runs of a campaign are compared, unless somebody says otherwise."""


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
        """How many judged queries the run does not answer and is not known to have been asked."""
        return self.missing_run - self.nothing_found


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """`rows` stand as the runs do, with means of the `measures` and the `shares` (Judged@k).
    `alike`: the means are over the same queries, of all runs that have any."""

    measures: tuple[Measure, ...]
    shares: tuple[Measure, ...]
    rows: tuple[RunRow, ...]
    alike: bool = True

    def by(self, measure: Measure) -> tuple[RunRow, ...]:
        """Return the rows, greatest mean first; of equal ones, the earlier run; last those without
        one."""

        def key(row: RunRow) -> tuple[bool, int]:
            worth = row.means[measure.name]
            # In steps of 1e-9: what is equal to a reader is equal here.
            return worth is None, -round((worth or 0.0) / STEP)

        return tuple(sorted(self.rows, key=key))


def leaderboard(
    judged: JudgedRuns, measures: Sequence[Measure], shares: Sequence[Measure] = ()
) -> Leaderboard:
    """Return the means of all runs, each over the queries it is scored for, as `score` has them."""
    every = tuple(dict.fromkeys([*measures, *shares]))
    scores = judged.scores(every)
    ids = judged.lists.query_ids
    failed = {(run, ids[query]) for run, query in judged.lists.failed}
    rows = tuple(
        RunRow(
            tag=run.tag,
            queries=len(run.query_ids),
            missing_run=len(run.missing_run),
            missing_qrels=len(run.missing_qrels),
            means={measure.name: run.mean_or_none(measure) for measure in every},
            nothing_found=len(run.without_results),
            failed=sum((run.row, query_id) in failed for query_id in run.without_results),
        )
        for run in scores.runs
    )
    alike = len({run.query_ids for run in scores.runs if run.query_ids}) <= 1
    return Leaderboard(tuple(measures), tuple(shares), rows, alike)


@dataclass(frozen=True, slots=True)
class Intervals:
    """The 95 % interval of each mean: measure -> tag -> (low, high), None where there is none, and
    `why` says the reason: measure -> tag -> reason."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, Mapping[str, str]]


def intervals(scores: Scores, seed: int) -> Intervals:
    """Return percentile bootstrap intervals of the means over queries (`comparison.resampling`)."""
    names = [measure.name for measure in scores.measures]
    found = {name: dict[str, tuple[float, float] | None].fromkeys(scores.tags) for name in names}
    reasons: dict[str, dict[str, str]] = {name: {} for name in names}
    together: dict[int, list[tuple[str, str, Floats]]] = {}
    for measure in scores.measures:
        why = reasons[measure.name]
        for tag, row in zip(scores.tags, scores.by_measure[measure.name], strict=True):
            values = row[~np.isnan(row)]
            n = len(values)
            if not n:
                why[tag] = "the run answers no judged query"
            elif n < 2:
                why[tag] = why_no_interval(n)
            elif measure.definition.average is not mean:
                why[tag] = f"{measure} is no arithmetic mean over queries"
            elif np.abs(values).sum() >= _GREATEST_SUM:
                why[tag] = "the values are too great to be resampled exactly"
            else:
                together.setdefault(n, []).append((measure.name, tag, values))
    # What is drawn depends on the number of queries alone, and is drawn once for all of as many.
    for same in together.values():
        between = bootstrap_intervals(np.stack([values for _, _, values in same]), seed)
        for (name, tag, values), one in zip(same, between, strict=True):
            found[name][tag] = one
            if one is None:
                reasons[name][tag] = why_no_interval(len(values), "value")
    return Intervals(found, {name: why for name, why in reasons.items() if why})


@dataclass(frozen=True, slots=True)
class MeanBounds:
    """How far unjudged documents could move each mean: measure -> tag -> (low, high), low <= mean
    <= high, None for a run that is not scored. `why`: measure -> why it has no bounds. `of_kept`:
    the measures whose bounds would be wider if lists that were cut when they were loaded were there
    whole."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, str]
    of_kept: tuple[str, ...]


def mean_bounds(
    judged: JudgedRuns, measures: Sequence[Measure], grades: Sequence[int]
) -> MeanBounds:
    """Return the least and the greatest mean over all gradings, with the `grades` of the scale
    (ascending), of the unjudged documents in what is kept of the lists: the bounds of `score
    --bounds`, looking at as many results.

    Each query is graded by itself, and an average rises with each of its values.
    """
    tags, scored = judged.lists.tags, judged.scored
    lists = judged.judged_lists.rows(scored.reshape(-1))
    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    why: dict[str, str] = {}
    for measure in measures:
        try:
            between = bounds_of(lists, measure, grades)
        except UsageError as error:
            why[measure.name] = str(error)
            continue
        if between is None:
            why[measure.name] = unbounded(measure) or ""
            continue
        ends = []
        for values in between:
            table = np.full(scored.shape, np.nan)
            table[scored] = values
            ends.append(measure.means(table).tolist())
        found[measure.name] = {
            tag: (low, high) if mine.any() else None
            for tag, mine, low, high in zip(tags, scored, *ends, strict=True)
        }
    of_kept = tuple(
        measure.name for measure in measures if measure.name in found and open_beyond(measure)
    )
    return MeanBounds(found, why, of_kept)


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


def tested_measures(basis: Basis) -> tuple[Measure, ...]:
    """Return the measures that verdicts are given by, as in `compare`: those that were asked for,
    else nDCG@10; where little is kept of the runs, the first that can be told."""
    quality = tuple(measure for measure in basis.measures if measure.definition.quality)
    if basis.question.measures:
        return quality
    return tuple(one for one in quality if one.name in COMPARED_BY_DEFAULT) or quality[:1]


def verdicts(
    judged: JudgedRuns,
    measures: Sequence[Measure],
    baseline: str,
    settings: ComparisonSettings = BY_WILCOXON,
) -> Verdicts:
    """Compare each run with the baseline by each measure of which more is better, as one family.

    As `compare` has them: paired over the queries of both; by Wilcoxon's test, two-sided, corrected
    after Holm, unless `settings` say otherwise. Raises `UsageError` for a baseline that is no run.
    """
    measures = [measure for measure in measures if measure.definition.quality]
    scores = judged.scores(measures_needed(measures))
    before = scores.counted[judged.lists.index_of_run(baseline)]
    both = dict(zip(scores.tags, (scores.counted & before).sum(axis=1).tolist(), strict=True))
    why = {
        tag: "it shares no judged query with the baseline"
        if before.any()
        else f"the baseline {baseline!r} answers no judged query"
        for tag, shared in both.items()
        if not shared and tag != baseline
    }
    compared = [tag for tag, shared in both.items() if shared]
    if len(compared) < 2 or not measures:
        return Verdicts(baseline, {}, why, None, {})
    found = compare_scores(
        scores.of_runs(compared).only(measures), replace(settings, baseline=baseline)
    )
    unlike = (scores.counted != before).any(axis=1).tolist()
    return Verdicts(
        baseline,
        {(one.tag, one.measure): one for one in found},
        why,
        found,
        {
            tag: shared
            for (tag, shared), apart in zip(both.items(), unlike, strict=True)
            if shared and apart
        },
    )
