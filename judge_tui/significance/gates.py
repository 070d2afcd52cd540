"""Gates on a comparison: the means beside those of the baseline, over the queries of both."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.scoring import Gate, Measure, RunScores, Scores, unmet
from judge_tui.significance.pairing import who_with_whom
from judge_tui.significance.settings import Settings

__all__ = ["gate_failures"]


def gate_failures(gate: Gate, scores: Scores, settings: Settings) -> list[str]:
    """One sentence for each run that does not pass; the gate's measure must be among the values.

    The runs beside the baseline are what has to pass, each by its mean over the queries that it
    shares with the baseline, as a comparison has it; the baseline only where the gate names it.
    Where all pairs are compared every run has to, by its mean over its own queries. Slices play no
    part. Raises `UsageError` for a run or a baseline that is not there.
    """
    own = {run.tag: run.mean(gate.measure) for run in scores.runs}
    if settings.all_pairs:
        return unmet(gate, own)
    means, baselines = {}, {}
    for baseline, run in who_with_whom(scores, settings):
        if gate.tag == baseline.tag:
            return unmet(gate, own, own)
        means[run.tag] = _mean(run, baseline, gate.measure)
        baselines[run.tag] = _mean(baseline, run, gate.measure)
    return unmet(gate, means, baselines)


def _mean(run: RunScores, other: RunScores, measure: Measure) -> float:
    both = set(other.query_ids)
    values: Sequence[float] = [
        value
        for query_id, value in zip(run.query_ids, run.values[str(measure)], strict=True)
        if query_id in both
    ]
    return measure.definition.average(values)
