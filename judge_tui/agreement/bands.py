"""What a value of alpha allows one to conclude."""

from __future__ import annotations

__all__ = ["FIRM", "TENTATIVE", "band"]

TENTATIVE = 0.667
FIRM = 0.80


def band(alpha: float) -> str:
    """`weak` below .667, `firm` from .80 on, `tentative` between.

    Krippendorff (2004), Content Analysis, 2nd ed., 11.4: rely on data from .80 on, draw tentative
    conclusions from .667 on.
    """
    if alpha >= FIRM:
        return "firm"
    return "tentative" if alpha >= TENTATIVE else "weak"
