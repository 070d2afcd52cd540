"""Each judge against the others: who stands apart, and in which direction?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.data import AgreementData
from judge_tui.agreement.estimate import Estimate, reasons_of, values_of
from judge_tui.agreement.kinds import Kinds, kinds_of
from judge_tui.agreement.mean import mean_of
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
        estimates = dict(self.estimates)
        fields = {"pairs": self.pairs, **values_of(estimates)}
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
        others = replace(kinds, places=kinds.places[rows != judge])
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
    return AgainstOthers(
        pooled.pairs,
        {
            "agreement": pooled.agreement,
            "kappa_quadratic": pooled.kappa_quadratic,
            "bias": mean_of(*biases(kinds, judge, scale)).estimate,
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
