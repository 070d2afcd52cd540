"""What a reader of a comparison must know before believing it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_tui.scoring import RunScores
from judge_tui.significance.comparison import Comparison
from judge_tui.significance.verdict import FEWEST_QUERIES, Verdict

__all__ = ["FEW_QUERIES", "cautions"]

FEW_QUERIES = 30
"""Fewer than this many pairs: a warning."""


def cautions(
    baseline: RunScores,
    others: Sequence[RunScores],
    comparisons: Sequence[Comparison],
    alpha: float,
) -> Iterator[str]:
    """One sentence each for missing queries, few queries, and a mean that contradicts its test."""
    judged = len(baseline.query_ids) + len(baseline.missing_run)
    for run in others:
        paired = len(set(baseline.query_ids) & set(run.query_ids))
        pair = f"{baseline.tag!r} and {run.tag!r}"
        if paired < judged:
            yield (
                f"{pair} are compared over {paired} of the {judged} queries of the qrels: "
                f"{len(baseline.missing_run)} missing from {baseline.tag!r}, "
                f"{len(run.missing_run)} from {run.tag!r}"
            )
        if paired < FEWEST_QUERIES:
            yield f"{pair}: paired queries {paired}, fewer than {FEWEST_QUERIES}; judge more"
        elif paired < FEW_QUERIES:
            yield (
                f"{pair}: paired queries {paired}, fewer than {FEW_QUERIES}; "
                "only a large difference can be shown"
            )
    for run in (baseline, *others):
        if run.missing_qrels:
            yield (
                f"queries of run {run.tag!r} that are not in the qrels: "
                f"{len(run.missing_qrels)}, left out; the first is {run.missing_qrels[0]!r}"
            )
    for comparison in comparisons:
        if _contradicted(comparison, alpha):
            yield (
                f"{comparison.tag!r} by {comparison.measure}: the {next(iter(comparison.tests))} "
                "test and the mean difference do not point the same way: no difference is shown"
            )


def _contradicted(comparison: Comparison, alpha: float) -> bool:
    p = comparison.p_adjusted[next(iter(comparison.tests))]
    return comparison.verdict is Verdict.NOTHING_SHOWN and p is not None and p < alpha
