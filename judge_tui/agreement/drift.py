"""Does a judge grade as in the beginning? The first and the second half of each judge's work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from judge_tui.agreement.against_others import AgainstOthers, beside_others, biases
from judge_tui.agreement.data import NOT_GRADED, AgreementData
from judge_tui.agreement.estimate import Estimate, student_95
from judge_tui.agreement.kinds import Kinds, kinds_of
from judge_tui.agreement.mean import NO_SPREAD, mean_of

__all__ = ["Drift", "drift"]


@dataclass(frozen=True, slots=True)
class Drift:
    """One judge's first half and second half, beside the others.

    `change`: how much the bias of the second half is greater than that of the first, with Welch's
    interval, and `p`, the two-sided p of Welch's test; None where it is undefined.
    """

    first: AgainstOthers
    second: AgainstOthers
    change: Estimate
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "bias_change": self.change.to_dict() | {"p": self.p},
        }


def drift(data: AgreementData) -> dict[str, Drift]:
    """Of each judge, by name: the pairs that another judge graded, too, halved in the order in
    which the judge first graded them; where they are odd in number, the first half has one more.
    """
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    given = data.places != NOT_GRADED
    shared = given.sum(axis=0) >= 2
    found = {}
    for judge, name in enumerate(data.judges):
        pairs = np.flatnonzero(given[judge] & shared)
        pairs = pairs[np.argsort(data.came[judge][pairs], kind="stable")]
        middle = (len(pairs) + 1) // 2
        first, second = (
            kinds_of(data.places[:, half], len(data.scale))
            for half in (pairs[:middle], pairs[middle:])
        )
        change, p = _change(first, second, judge, data.scale)
        found[name] = Drift(
            beside_others(first, judge, data.scale),
            beside_others(second, judge, data.scale),
            change,
            p,
        )
    return found


def _change(
    first: Kinds, second: Kinds, judge: int, scale: Sequence[int]
) -> tuple[Estimate, float | None]:
    """Welch (1947), Biometrika 34:28-35: the two halves may spread differently."""
    before, after = (mean_of(*biases(half, judge, scale)) for half in (first, second))
    if not before.n or not after.n:
        return Estimate(None, None, "a half has no pair to compare"), None
    change = after.value - before.value
    if before.n < 2 or after.n < 2:
        return Estimate(change, None, "no interval: it takes two pairs in each half"), None
    parts = [half.variance / half.n for half in (before, after)]
    if sum(parts) < NO_SPREAD:
        why = "no interval: the difference is the same everywhere in each half"
        return Estimate(change, None, why), None
    freedom = sum(parts) ** 2 / sum(
        part**2 / (half.n - 1) for part, half in zip(parts, (before, after), strict=True)
    )
    error = float(sum(parts) ** 0.5)
    reach = student_95(freedom) * error
    from scipy.special import stdtr  # noqa: PLC0415 - as in `student_95`

    p = 2 * float(stdtr(freedom, -abs(change) / error))
    return Estimate(change, (change - reach, change + reach)), p
