"""The means that a gate beside an earlier result holds, over the queries that are in both."""

from __future__ import annotations

from judge_tui.baseline.saved import SavedScores
from judge_tui.scoring import Measure, Scores
from judge_tui.scoring.run import mean_among

__all__ = ["means_in_both"]


def means_in_both(
    measure: Measure, earlier: SavedScores, scores: Scores
) -> tuple[dict[str, float], dict[str, float]]:
    """By tag, the means now, and those of the earlier result, of the queries that both average
    over, as `Change.difference` has them: queries that came or went say nothing of a run. One that
    shares none has no mean, and is left out."""
    means, before = {}, {}
    for run in scores.runs:
        was = earlier.run(run.tag)
        if was is not None and (both := {*run.query_ids}.intersection(was.query_ids)):
            means[run.tag] = mean_among(run, measure, both)
            before[run.tag] = mean_among(was, measure, both)
    return means, before
