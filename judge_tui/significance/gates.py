"""Gates on a comparison: the means beside those of the baseline, over the queries of both."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.model import tag_meant
from judge_tui.scoring import Measure, RunScores, Scores
from judge_tui.significance.pairing import who_with_whom
from judge_tui.significance.settings import Settings

__all__ = ["means_beside"]


def means_beside(
    measure: Measure, tag: str | None, scores: Scores, settings: Settings
) -> tuple[dict[str, float], dict[str, float] | None]:
    """What a gate by the measure, for the run `tag` or for every run, is held against: the means by
    tag, and for each the baseline's mean that it stands beside, as `unmet` takes them.

    The runs beside the baseline are what has to pass, each by its mean over the queries that it
    shares with the baseline, as a comparison has it; the baseline only where it is `tag`. Where all
    pairs are compared every run has to, by its mean over its own queries, and there is no baseline.
    Slices play no part. One that has no query there has no mean, and is left out. Raises
    `UsageError` for a baseline that is not there.
    """
    own = {run.tag: run.mean(measure) for run in scores.runs if run.query_ids}
    if settings.all_pairs:
        return own, None
    means, baselines = {}, {}
    for baseline, run in who_with_whom(scores, settings):
        if tag is not None and tag_meant(tag, scores) == baseline.tag:
            return own, own
        if set(run.query_ids).isdisjoint(baseline.query_ids):
            continue
        means[run.tag] = _mean(run, baseline, measure)
        baselines[run.tag] = _mean(baseline, run, measure)
    return means, baselines


def _mean(run: RunScores, other: RunScores, measure: Measure) -> float:
    both = set(other.query_ids)
    values: Sequence[float] = [
        value
        for query_id, value in zip(run.query_ids, run.values[str(measure)], strict=True)
        if query_id in both
    ]
    return measure.definition.average(values)
