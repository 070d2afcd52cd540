"""Gates on a comparison: the means beside those of the baseline, over the queries of both."""

from __future__ import annotations

from judge_tui.model import tag_meant
from judge_tui.scoring import Measure, Scores
from judge_tui.scoring.run import mean_among
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
        means[run.tag] = mean_among(run, measure, {*baseline.query_ids})
        baselines[run.tag] = mean_among(baseline, measure, {*run.query_ids})
    return means, baselines
