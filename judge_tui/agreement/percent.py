"""Percent agreement: how often two judges gave the same grade."""

from __future__ import annotations

from math import sqrt

from judge_tui.agreement.confusion import NOTHING_SHARED, Confusion, total
from judge_tui.agreement.estimate import NORMAL_95, Estimate

__all__ = ["percent_agreement", "wilson"]


def percent_agreement(confusion: Confusion) -> Estimate:
    """The share, 0 to 1, of the shared pairs that got one grade, with Wilson's score interval.

    Wilson (1927), JASA 22:209-212: unlike value +- error, it has a width at 0 and at 1, and stays
    between them. Undefined where the judges share no pair.
    """
    n = total(confusion)
    if n == 0:
        return Estimate(None, None, NOTHING_SHARED)
    return wilson(sum(confusion[i][i] for i in range(len(confusion))) / n, n)


def wilson(share: float, n: float) -> Estimate:
    """A share of `n` independent cases with Wilson's score interval; `n` is above 0."""
    z2 = NORMAL_95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = NORMAL_95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At 0 and 1 an end of the interval is the share itself, but for rounding.
    low = 0.0 if share == 0 else centre - reach
    high = 1.0 if share == 1 else centre + reach
    return Estimate(share, (low, high))
