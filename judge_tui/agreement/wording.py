"""A value of alpha in words: how strong it is, and what speaks against relying on that."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

from judge_tui.agreement.estimates import FEW_PAIRS, Estimate
from judge_tui.counts import counted

TENTATIVE = 0.667
FIRM = 0.80


def strength_of(alpha: float) -> str:
    """Return how strong an alpha is: `weak` below .667, `firm` from .80 on, `tentative` between.

    Krippendorff (2004), Content Analysis, 2nd ed., 11.4: rely on data from .80 on, draw tentative
    conclusions from .667 on.
    """
    if alpha >= FIRM:
        return "firm"
    return "tentative" if alpha >= TENTATIVE else "weak"


def shown_alpha(alpha: float, decimals: int = 2) -> str:
    """Round an alpha; cut it where rounding would lead to another strength, so that number and word
    agree: .797 is 0.797 and tentative, .6669 is 0.666 and weak."""
    # Added to a zero, what rounds to -0 is 0.
    rounded = f"{round(alpha, decimals) + 0.0:.{decimals}f}"
    if strength_of(float(rounded)) == strength_of(alpha):
        return rounded
    # Strengths begin at thousandths: what is cut there is never above the edge.
    return str(Decimal(alpha).quantize(Decimal((0, (1,), -max(3, decimals))), ROUND_FLOOR))


def shown_span(ci95: tuple[float, float]) -> str:
    """Write an interval of alpha: `0.41 to 0.797`."""
    low, high = ci95
    return f"{shown_alpha(low)} to {shown_alpha(high)}"


def verdict_of(alpha: Estimate, pairs: int) -> str:
    """Say how strong an alpha is, and what speaks against relying on that: `firm, but from only 4
    pairs, and the interval reaches down to .41 (weak)`. `pairs`: those graded by two judges or
    more."""
    if alpha.value is None:
        return f"undefined: {alpha.why}"
    strength = strength_of(alpha.value)
    doubts = []
    if pairs < FEW_PAIRS:
        doubts.append(f"from only {counted(pairs, 'pair')}")
    if alpha.ci95 is None:
        doubts.append("without an interval")
    else:
        low, high = alpha.ci95
        if strength_of(low) != strength:
            doubts.append(f"the interval reaches down to {shown_alpha(low)} ({strength_of(low)})")
        elif strength_of(high) != strength:
            doubts.append(f"the interval reaches up to {shown_alpha(high)} ({strength_of(high)})")
    return f"{strength}, but {' and '.join(doubts)}" if doubts else strength
