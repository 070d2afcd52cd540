"""An interval that holds at every look at once: for those who look after each round, and stop when
they have seen enough.

A 95 % interval misses the truth in one look of twenty. Who looks ten times and stops at the first
that leaves out 0 is wrong more often than that. A confidence sequence is wider, and wrong at any of
its looks in no more than 5 % of campaigns, however many looks there are.
"""

from __future__ import annotations

from math import e

import numpy as np
from numpy.typing import ArrayLike

from judge_tui.arrays import Floats


def half_width(information: ArrayLike, planned: ArrayLike, alpha: float = 0.05) -> Floats:
    """Return half the width of the interval of an estimate with this information, 1 / SE^2.

    The two-sided normal mixture boundary (Robbins, Annals of Mathematical Statistics 41, 1970;
    Howard, Ramdas, McAuliffe & Sekhon, Annals of Statistics 49, 2021, equation 14), by information:
    sqrt((I + rho) log((I + rho) / (rho alpha^2))) / I. With an estimated error it holds as samples
    grow (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, Annals of Statistics 52, 2024). rho makes
    it tightest at the information that is `planned`, which the looks may pass: there x = I / rho
    solves x = log((1 + x) / alpha^2), which Lambert's W does.
    """
    from scipy.special import lambertw  # noqa: PLC0415 - most campaigns have no sample

    there = np.asarray(information, dtype=np.float64)
    best_ratio = -1 - lambertw(-(alpha**2) / e, -1).real
    rho = np.asarray(planned, dtype=np.float64) / best_ratio
    width: Floats = np.sqrt((there + rho) * np.log((there + rho) / (rho * alpha**2))) / there
    return width
