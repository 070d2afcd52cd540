"""One arm beside another, as columns of a table: of outcomes, and of what queries demand."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.report.layout import Cell, Column, difference, probability
from judge_tui.significance.arms import ArmComparison

__all__ = ["arm_cells", "arm_columns"]


def arm_columns(baseline: str, arm: str) -> Sequence[Column]:
    """What `baseline` and `arm` have, how much that differs, and how sure that is."""
    return (
        Column(baseline),
        Column(arm),
        Column("delta", difference),
        Column("95% interval"),
        Column("gained"),
        Column("lost"),
        Column("mcnemar p", probability),
        Column("adjusted", probability),
        Column("verdict", right=False),
    )


def arm_cells(one: ArmComparison, verdict: Cell) -> Sequence[Cell]:
    """The cells of these columns, with the verdict in the words of the table."""
    return (
        one.before,
        one.after,
        one.delta,
        None if one.ci95 is None else " to ".join(map(difference, one.ci95)),
        len(one.gained),
        len(one.lost),
        one.test.p,
        one.p_adjusted,
        verdict,
    )
