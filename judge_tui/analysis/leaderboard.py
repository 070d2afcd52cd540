"""The leaderboard: what each run is worth, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from judge_tui.analysis.basis import Basis
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.unbiased import JudgedUnion, with_unbiased
from judge_tui.arrays import Floats
from judge_tui.comparison.compare import compare_scores, measures_needed, usual_measures
from judge_tui.comparison.comparison import Comparison, Comparisons
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.scoring import Measure, RunScores, Scores, mean
from judge_tui.scoring.bounds import bounds_of_means, unbounded
from judge_tui.scoring.measure import STEP

_GREATEST_SUM = 2.0**53 * STEP
BY_WILCOXON = ComparisonSettings(tests=("wilcoxon",))
"""How runs of a campaign are compared, everywhere but in `compare`, where users choose."""


@dataclass(frozen=True, slots=True)
class RankedRun:
    """A run by a `measure`: its mean, None where it is scored for no query; the 95 % `interval` of
    that, and the `bounds` that ungraded results leave open; beside the baseline, `compared`.
    `common`: over how many queries it is compared, where these are not those of both means."""

    run: RunScores
    measure: str
    mean: float | None
    interval: tuple[float, float] | None
    bounds: tuple[float, float] | None
    compared: Comparison | None
    common: int | None

    @property
    def tag(self) -> str:
        """That of the run."""
        return self.run.tag

    @property
    def queries(self) -> int:
        """How many queries its means are over."""
        return len(self.run.query_ids)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The runs by one measure, as `scores` have it, in their order, with what was worked out of
    them; None is what was not."""

    measure: Measure
    runs: tuple[RankedRun, ...]
    scores: Scores
    intervals: MeanIntervals | None
    bounds: MeanBounds | None
    verdicts: Verdicts | None

    @property
    def baseline(self) -> str | None:
        """The run that the others are compared with, if there is one."""
        return None if self.verdicts is None else self.verdicts.baseline

    @property
    def comparisons(self) -> Comparisons | None:
        """All that were corrected together, None where nothing is compared."""
        return None if self.verdicts is None else self.verdicts.comparisons

    @property
    def compared(self) -> list[Comparison]:
        """The comparisons by the measure, in the order of the runs."""
        return [one.compared for one in self.runs if one.compared is not None]

    @property
    def alike(self) -> bool:
        """Whether the means are over the same queries, of all runs that have any."""
        return len({one.run.query_ids for one in self.runs if one.queries}) <= 1

    def verdict(self, one: RankedRun) -> str | None:
        """The verdict on a run, `baseline` for that, None where there is none."""
        if one.compared is not None:
            return str(one.compared.verdict)
        return "baseline" if one.tag == self.baseline and len(self.runs) > 1 else None


def rank_runs(
    scores: Scores,
    measure: Measure,
    by: Measure | None,
    *,
    intervals: MeanIntervals | None = None,
    bounds: MeanBounds | None = None,
    verdicts: Verdicts | None = None,
) -> Ranking:
    """Rank all runs `by` a measure; of equal runs the earlier comes first, last those without a
    mean; None keeps their order. What was not worked out is None."""
    name = measure.name
    comparisons = (None if verdicts is None else verdicts.comparisons) or ()
    beside = {one.tag: one for one in comparisons if one.measure == name}
    rows = []
    for run in scores.runs:
        common, found = None, beside.get(run.tag)
        if found is not None:
            over = {len(one.query_ids) for one in (run, scores[found.baseline])}
            common = None if over == {found.queries} else found.queries
        rows.append(
            RankedRun(
                run,
                name,
                run.means.get(name),
                None if intervals is None else intervals.of.get(name, {}).get(run.tag),
                None if bounds is None else bounds.of.get(name, {}).get(run.tag),
                found,
                common,
            )
        )

    def key(one: RankedRun) -> tuple[bool, int]:
        worth = None if by is None else one.run.means[by.name]
        # In steps of 1e-9: what is equal to a reader is equal here.
        return worth is None, -round((worth or 0.0) / STEP)

    return Ranking(measure, tuple(sorted(rows, key=key)), scores, intervals, bounds, verdicts)


@dataclass(frozen=True, slots=True)
class MeanIntervals:
    """The 95 % interval of each mean: measure -> tag -> (low, high), None where there is none, and
    `why` says the reason: measure -> tag -> reason."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, Mapping[str, str]]


def intervals(scores: Scores, seed: int) -> MeanIntervals:
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
    return MeanIntervals(found, {name: why for name, why in reasons.items() if why})


@dataclass(frozen=True, slots=True)
class MeanBounds:
    """How far unjudged documents could move each mean: measure -> tag -> (low, high), low <= mean
    <= high, None for a run that is not scored. `why`: measure -> why it has no bounds."""

    of: Mapping[str, Mapping[str, tuple[float, float] | None]]
    why: Mapping[str, str]


def mean_bounds(
    judged: JudgedRuns, measures: Sequence[Measure], grades: Sequence[int]
) -> MeanBounds:
    """Return the least and the greatest mean over all gradings, with the `grades` of the scale
    (ascending), of the unjudged documents in what is kept of the lists: the bounds of `score
    --bounds`, looking at as many results."""
    tags, scored = judged.lists.tags, judged.scored
    lists = judged.every_list.rows(scored.reshape(-1))

    def by_run(values: Floats) -> Floats:
        table = np.full(scored.shape, np.nan)
        table[scored] = values
        return table

    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    why: dict[str, str] = {}
    for measure in measures:
        try:
            both = bounds_of_means(lists, measure, grades, by_run)
        except UsageError as error:
            why[measure.name] = str(error)
            continue
        if both is None:
            why[measure.name] = unbounded(measure) or ""
            continue
        found[measure.name] = {
            tag: (low, high) if mine.any() else None
            for tag, mine, (low, high) in zip(tags, scored, both.tolist(), strict=True)
        }
    return MeanBounds(found, why)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Each run beside the baseline. `comparisons` is the family that was corrected together, None
    where nothing is compared; `why`: tag -> why a run is not compared."""

    baseline: str
    comparisons: Comparisons | None
    why: Mapping[str, str] = field(default_factory=dict)


def tested_measures(basis: Basis) -> tuple[Measure, ...]:
    """Return the measures that verdicts are given by, as in `compare`: those that were asked for,
    else nDCG@10; where little is kept of the runs, the first that can be told."""
    quality = tuple(measure for measure in basis.measures if measure.definition.quality)
    return quality if basis.question.measures else usual_measures(quality)


def verdicts(
    judged: JudgedRuns,
    measures: Sequence[Measure],
    baseline: str,
    union: JudgedUnion | None = None,
) -> Verdicts:
    """Compare each run with the baseline by each measure of which more is better, as one family.

    As `compare` has them: paired over the queries of both; by Wilcoxon's test, two-sided, corrected
    after Holm. `union`: for unbiased differences, where pairs were drawn. Raises `UsageError`
    for a baseline that is not a run.
    """
    measures = [measure for measure in measures if measure.definition.quality]
    scores = judged.scores(measures_needed(measures))
    before = scores.counted[judged.lists.index_of_run(baseline)]
    both = dict(zip(scores.tags, (scores.counted & before).any(axis=1).tolist(), strict=True))
    why = {
        tag: "it shares no judged query with the baseline"
        if before.any()
        else f"the baseline {baseline!r} answers no judged query"
        for tag, shared in both.items()
        if not shared and tag != baseline
    }
    compared = [tag for tag, shared in both.items() if shared]
    if len(compared) < 2 or not measures:
        return Verdicts(baseline, None, why)
    settings = replace(BY_WILCOXON, baseline=baseline)
    found = compare_scores(scores.of_runs(compared).only(measures), settings)
    return Verdicts(baseline, with_unbiased(found, union), why)
