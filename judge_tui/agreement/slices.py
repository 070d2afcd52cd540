"""Agreement on part of the pairs: by query, by class of queries, over time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.data import AgreementData, pair_order
from judge_tui.agreement.estimate import Estimate, reasons_of
from judge_tui.agreement.kinds import kinds_of
from judge_tui.agreement.pooled import pooled_agreement
from judge_tui.errors import unknown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Slices = list[tuple[str, NDArray[np.int64]]]

__all__ = ["SLICINGS", "Slice", "slices_by"]


@dataclass(frozen=True, slots=True)
class Slice:
    """Agreement on some pairs: `pairs` that were graded, `pairs_shared` by two judges or more.

    `alpha` is ordinal; `agreement` and `kappa_quadratic` as `pooled_agreement` has them.
    """

    pairs: int
    pairs_shared: int
    alpha: Estimate
    agreement: Estimate
    kappa_quadratic: Estimate

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        estimates = {"agreement": self.agreement, "kappa_quadratic": self.kappa_quadratic}
        return {
            "pairs": self.pairs,
            "pairs_shared": self.pairs_shared,
            "alpha": {"ordinal": self.alpha.to_dict()},
            **{name: found.value for name, found in estimates.items()},
            "ci95": {
                name: None if found.ci95 is None else list(found.ci95)
                for name, found in estimates.items()
            },
            **reasons_of(estimates),
        }


def slices_by(
    data: AgreementData, by: str, *, seed: int = 0, resamples: int = 1000
) -> dict[str, Slice]:
    """Name -> agreement, for each slice that holds a graded pair. `by`: a key of `SLICINGS`, else
    `UsageError`. `seed` and `resamples` are those of alpha's bootstrap."""
    if by not in SLICINGS:
        raise unknown("slicing", by, SLICINGS)
    found = {}
    for name, pairs in SLICINGS[by](data):
        kinds = kinds_of(data.places[:, pairs], len(data.scale))
        shared = kinds.shared
        pooled = pooled_agreement(shared)
        alpha = krippendorff_alpha(
            shared.table, data.scale, times=shared.times, seed=seed, resamples=resamples
        )
        found[name] = Slice(
            pairs=len(pairs),
            pairs_shared=pooled.pairs,
            alpha=alpha["ordinal"],
            agreement=pooled.agreement,
            kappa_quadratic=pooled.kappa_quadratic,
        )
    return found


def _by_query(data: AgreementData) -> Slices:
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    order = np.argsort(data.queries, kind="stable")
    begin = np.searchsorted(data.queries[order], np.arange(1, len(data.query_ids)))
    parts = zip(data.query_ids, np.split(order, begin), strict=True)
    return [(query_id, pairs) for query_id, pairs in parts if len(pairs)]


def _by_class(data: AgreementData) -> Slices:
    import numpy as np  # noqa: PLC0415

    names = sorted(set(data.classes))
    place = {name: at for at, name in enumerate(names)}
    of_query = np.array([place[name] for name in data.classes], dtype=np.int64)
    of_pair = of_query[data.queries] if len(data.queries) else data.queries
    parts = ((name, np.flatnonzero(of_pair == at)) for at, name in enumerate(names))
    return [(name, pairs) for name, pairs in parts if len(pairs)]


def _by_half(data: AgreementData) -> Slices:
    order = pair_order(data)
    middle = (len(order) + 1) // 2
    return [("first half", order[:middle]), ("second half", order[middle:])]


SLICINGS: dict[str, Callable[[AgreementData], Slices]] = {
    "query": _by_query,
    "class": _by_class,
    "half": _by_half,
}
"""What the pairs can be sliced by. `half`: those with two grades or more, in the order in which the
second of them came; where they are odd in number, the first half has one more."""
