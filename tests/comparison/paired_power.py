"""Power of a paired t test by SciPy's noncentral t (Cohen 1988; as G*Power has it)."""

from scipy.special import nctdtr, stdtrit


def power_by_scipy(effect: float, n: int, alpha: float, alternative: str = "two-sided") -> float:
    """Of n pairs; NaN where SciPy has no number, for few queries and small alphas."""
    tail = alpha / 2 if alternative == "two-sided" else alpha
    bound, shift = -stdtrit(n - 1, tail), effect * n**0.5
    power = 1 - nctdtr(n - 1, shift, bound)
    if alternative == "two-sided":
        power += nctdtr(n - 1, shift, -bound)
    return float(power)
