"""Agreement on part of the pairs: by query, by class of queries, over time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import alphas_by_part
from judge_tui.agreement.data import AgreementData, pair_order
from judge_tui.agreement.estimate import Estimate, reasons_of, values_of
from judge_tui.agreement.kinds import kinds_of
from judge_tui.agreement.pooled import pooled_by_part
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
            **values_of(estimates),
            **reasons_of(estimates),
        }


def slices_by(
    data: AgreementData, by: str, *, seed: int = 0, resamples: int = 1000
) -> dict[str, Slice]:
    """Name -> agreement, for each slice that holds a graded pair. `by`: a key of `SLICINGS`, else
    `UsageError`. `seed` and `resamples` are those of alpha's bootstrap."""
    if by not in SLICINGS:
        raise unknown("slicing", by, SLICINGS)
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    slices = SLICINGS[by](data)
    sizes = [len(pairs) for _, pairs in slices]
    pairs = np.concatenate([np.empty(0, dtype=np.int64), *(pairs for _, pairs in slices)])
    part = np.repeat(np.arange(len(slices)), sizes)
    shared = kinds_of(data.places[:, pairs], len(data.scale), part).shared
    pooled = pooled_by_part(shared, len(slices))
    alphas = alphas_by_part(
        shared.table,
        shared.times,
        shared.part,
        data.scale,
        parts=len(slices),
        metrics=("ordinal",),
        seed=seed,
        resamples=resamples,
    )
    return {
        name: Slice(
            pairs=size,
            pairs_shared=of_slice.pairs,
            alpha=alpha,
            agreement=of_slice.agreement,
            kappa_quadratic=of_slice.kappa_quadratic,
        )
        for (name, _), size, of_slice, alpha in zip(
            slices, sizes, pooled, alphas["ordinal"], strict=True
        )
    }


def _by_query(data: AgreementData) -> Slices:
    import numpy as np  # noqa: PLC0415

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
