"""Each judge against the others: who stands apart, and in which direction?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.data import AgreementData
from judge_tui.agreement.estimate import Estimate, reasons_of, student_95
from judge_tui.agreement.kinds import Kinds, kinds_of
from judge_tui.agreement.pooled import pooled_agreement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AgainstOthers", "against_others", "beside_others", "biases"]


@dataclass(frozen=True, slots=True)
class AgainstOthers:
    """One judge beside all others, on the `pairs` that the judge and another graded.

    `estimates`: `agreement` and `kappa_quadratic` as `pooled_agreement` has them, and `bias`, the
    mean of the judge's grade less the mean of the others' on the same pair, in grades; its interval
    is Student's. `alpha_without`: ordinal alpha of the others by themselves, without interval.
    """

    pairs: int
    estimates: dict[str, Estimate]
    alpha_without: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        fields: dict[str, Any] = {"pairs": self.pairs}
        estimates = dict(self.estimates)
        for name, found in estimates.items():
            fields[name] = found.value
        fields["ci95"] = {
            name: None if found.ci95 is None else list(found.ci95)
            for name, found in estimates.items()
        }
        if self.alpha_without is not None:
            fields["alpha_without"] = self.alpha_without.value
            estimates["alpha_without"] = self.alpha_without
        return fields | reasons_of(estimates)


def against_others(data: AgreementData) -> dict[str, AgainstOthers]:
    """Of each judge, by name."""
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    kinds = kinds_of(data.places, len(data.scale)).shared
    rows = np.arange(len(data.judges))
    found = {}
    for judge, name in enumerate(data.judges):
        beside = beside_others(kinds, judge, data.scale)
        others = Kinds(kinds.places[rows != judge], kinds.times, kinds.grades)
        without = (
            krippendorff_alpha(others.table, data.scale, times=others.times, resamples=0)["ordinal"]
            if len(rows) > 2
            else Estimate(None, None, "only one judge is left")
        )
        found[name] = AgainstOthers(beside.pairs, beside.estimates, without)
    return found


def beside_others(kinds: Kinds, judge: int, scale: Sequence[int]) -> AgainstOthers:
    """Of one judge, a row of `kinds`, without `alpha_without`."""
    pooled = pooled_agreement(kinds, judge)
    differences, times = biases(kinds, judge, scale)
    return AgainstOthers(
        pooled.pairs,
        {
            "agreement": pooled.agreement,
            "kappa_quadratic": pooled.kappa_quadratic,
            "bias": _mean(differences, times),
        },
    )


def biases(
    kinds: Kinds, judge: int, scale: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The judge's grade less the mean of the others', where there are such, and how many pairs."""
    import numpy as np  # noqa: PLC0415

    kinds = kinds.shared
    there = kinds.places[judge] >= 0
    table, own = kinds.table[there], kinds.places[judge][there]
    values = np.asarray(scale, dtype=float)
    grade = values[own]
    others = (table @ values - grade) / np.maximum(table.sum(axis=1) - 1, 1)
    return grade - others, kinds.times[there]


def _mean(differences: NDArray[np.float64], times: NDArray[np.int64]) -> Estimate:
    n = int(times.sum())
    if not n:
        return Estimate(None, None, "no pair has two grades to compare")
    mean = float(times @ differences) / n
    if n < 2:
        return Estimate(mean, None, "no interval: it takes two pairs")
    variance = float(times @ (differences - mean) ** 2) / (n - 1)
    if variance < 1e-18:
        return Estimate(mean, None, "no interval: the difference is the same everywhere")
    reach = student_95(n - 1) * (variance / n) ** 0.5
    return Estimate(mean, (mean - reach, mean + reach))
