"""What a value of alpha allows one to conclude."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

from judge_tui.agreement.estimate import Estimate

__all__ = [
    "BANDS",
    "FEW_PAIRS",
    "FIRM",
    "TENTATIVE",
    "band",
    "enough_for_kappa",
    "shown_alpha",
    "shown_span",
    "verdict_of",
]

TENTATIVE = 0.667
FIRM = 0.80
BANDS = ("weak", "tentative", "firm")
FEW_PAIRS = 30
"""Below so many pairs, an interval from resamples is itself uncertain, as it is below so many
queries."""


def band(alpha: float) -> str:
    """`weak` below .667, `firm` from .80 on, `tentative` between.

    Krippendorff (2004), Content Analysis, 2nd ed., 11.4: rely on data from .80 on, draw tentative
    conclusions from .667 on.
    """
    if alpha >= FIRM:
        return "firm"
    return "tentative" if alpha >= TENTATIVE else "weak"


def shown_alpha(alpha: float, decimals: int = 2) -> str:
    """Rounded; cut instead where rounding leads into another band, so that number and word agree:
    .797 is 0.797 and tentative, .6669 is 0.666 and weak."""
    # Added to a zero, what rounds to -0 is 0.
    rounded = f"{round(alpha, decimals) + 0.0:.{decimals}f}"
    if band(float(rounded)) == band(alpha):
        return rounded
    # The bands begin at thousandths: what is cut there is never above the edge.
    return str(Decimal(alpha).quantize(Decimal((0, (1,), -max(3, decimals))), ROUND_FLOOR))


def shown_span(ci95: tuple[float, float], decimals: int = 2) -> str:
    """An interval of alpha: `0.41 to 0.797`."""
    low, high = ci95
    return f"{shown_alpha(low, decimals)} to {shown_alpha(high, decimals)}"


def verdict_of(alpha: Estimate, pairs: int) -> str:
    """The band with what speaks against taking it at its word: `firm, but from only 4 pairs, and
    the interval reaches down to .41 (weak)`. `pairs`: with grades of two judges or more."""
    if alpha.value is None:
        return f"undefined: {alpha.why}"
    strength = band(alpha.value)
    doubts = []
    if pairs < FEW_PAIRS:
        doubts.append(f"from only {pairs} pair{'s' * (pairs != 1)}")
    if alpha.ci95 is None:
        doubts.append("without an interval")
    else:
        low, high = alpha.ci95
        if band(low) != strength:
            doubts.append(f"the interval reaches down to {shown_alpha(low)} ({band(low)})")
        elif band(high) != strength:
            doubts.append(f"the interval reaches up to {shown_alpha(high)} ({band(high)})")
    return f"{strength}, but {' and '.join(doubts)}" if doubts else strength


def enough_for_kappa(grades: int) -> int:
    """From how many pairs on the intervals of kappa on so many grades can be relied on.

    2 k^2 is what the large-sample error of weighted kappa needs: Cicchetti & Fleiss (1977) for 3 to
    7 grades, Cicchetti (1981), Appl. Psychol. Meas. 5:101-104, for 8 to 10. Neither looked at 2:
    what 3 take is taken for them, as 2 k^2 = 8 would be less than anybody has shown.
    """
    return 2 * max(grades, 3) ** 2
