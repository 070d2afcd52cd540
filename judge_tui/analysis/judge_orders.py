"""Does it matter who judged? The order of the systems by each judge's grades, and how alike two
orders are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from judge_tui.agreement.decide import Given
from judge_tui.analysis.regrading import Regrading
from judge_tui.analysis.standing import Rankings
from judge_tui.comparison.family import Settings, Verdict, outcomes_of
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.errors import unknown
from judge_tui.scoring import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "OrdersOfTwo",
    "SystemOrders",
    "VerdictChange",
    "Winner",
    "kendall_tau",
    "order_of",
    "swapped",
    "system_orders",
    "tau_ap",
]


def order_of(values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.int8]:
    """int8[n, n]: 1 where the system of the row has the greater value, -1 where the smaller one, 0
    where the two are equal in steps of 1e-9. Values are finite."""
    array = np.asarray(values, dtype=np.float64)
    # Pair by pair: sums along a row, which the grid keeps exact, are not needed.
    apart = on_grid((array[:, None] - array)[..., None])[..., 0]
    return np.sign(apart).astype(np.int8)


def kendall_tau(one: NDArray[np.int8], other: NDArray[np.int8]) -> float | None:
    """Kendall's tau-b of two orders as `order_of` has them (Kendall, 1945; SciPy's `kendalltau`).

    Pairs that are tied in one of the orders count as neither the same nor opposite, and the
    greatest value is 1 all the same. None where an order ties all systems.
    """
    untied = int(np.count_nonzero(one)), int(np.count_nonzero(other))
    if not all(untied):
        return None
    agreeing = int((one.astype(np.int64) * other).sum())
    return agreeing / sqrt(untied[0] * untied[1])


def tau_ap(one: NDArray[np.int8], other: NDArray[np.int8]) -> float | None:
    """AP correlation of two orders, in which the top counts more than the bottom.

    Yilmaz, Aslam and Robertson (SIGIR 2008) compare with a true order; here neither is, so that
    it is the mean of the two directions. With ties it is the tau_AP,b of Urbano and Marrero (ICTIR
    2017): items tied at the top have nothing above them, and what is tied in one of the orders only
    is not in the same order. None where an order ties all systems.
    """
    found = _directed(one, other), _directed(other, one)
    return None if found[0] is None or found[1] is None else (found[0] + found[1]) / 2


def _directed(order: NDArray[np.int8], reference: NDArray[np.int8]) -> float | None:
    above = order < 0
    count = above.sum(axis=1)
    below = count > 0
    if not below.any():
        return None
    right = (above & (reference < 0)).sum(axis=1)
    return float(2 * (right[below] / count[below]).mean() - 1)


def swapped(one: NDArray[np.int8], other: NDArray[np.int8]) -> list[tuple[int, int]]:
    """The pairs of systems that stand in strictly opposite orders, by their places, ascending."""
    opposite = np.triu(one.astype(np.int64) * other < 0)
    return [(int(first), int(second)) for first, second in np.argwhere(opposite)]


_TOO_FEW = "fewer than two systems answer the queries of the pairs that both graded"
_BY_WILCOXON = Settings(tests=("wilcoxon",))


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """What is said of the run `tag` beside the baseline, by the one judge and by the other."""

    tag: str
    verdicts: tuple[Verdict, Verdict]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"tag": self.tag, "verdicts": [str(verdict) for verdict in self.verdicts]}


@dataclass(frozen=True, slots=True)
class OrdersOfTwo:
    """The orders that two judges make of the systems by the `pairs` that both graded, which are of
    so many `queries`.

    `tau`: Kendall's tau-b; `tau_ap`: the symmetric AP correlation; each None where it is undefined,
    for the reason `why`. `swaps`: the pairs of systems in strictly opposite orders.
    `verdicts_changed`: the runs of which a comparison with the baseline says something else.
    `too_little` says why there is nothing to order; `all_equal`: the places of the judges by whose
    grades all systems are equal.
    """

    judges: tuple[str, str]
    pairs: int
    queries: int
    tau: float | None
    tau_ap: float | None
    swaps: tuple[tuple[str, str], ...]
    verdicts_changed: tuple[VerdictChange, ...]
    too_little: str | None = None
    all_equal: tuple[int, ...] = ()

    @property
    def why(self) -> str | None:
        """Made of the judges as they are called now: a letter must not bring a name with it."""
        if self.too_little is not None or not self.all_equal:
            return self.too_little
        equal = " and ".join(self.judges[place] for place in self.all_equal)
        return f"all systems are equal by the grades of {equal}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        fields: dict[str, Any] = {
            "judges": list(self.judges),
            "pairs": self.pairs,
            "queries": self.queries,
            "tau": self.tau,
            "tau_ap": self.tau_ap,
            "swaps": [list(pair) for pair in self.swaps],
            "verdicts_changed": [change.to_dict() for change in self.verdicts_changed],
        }
        if self.why is not None:
            fields["why"] = {"tau": self.why, "tau_ap": self.why}
        return fields


@dataclass(frozen=True, slots=True)
class Winner:
    """The best system with the judge's grades in place of the final ones, where the judge gave any;
    several where they are equal. `changed`: with the final grades it is another."""

    judge: str
    tags: tuple[str, ...]
    changed: bool

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"judge": self.judge, "tags": list(self.tags), "changed": self.changed}


@dataclass(frozen=True, slots=True)
class SystemOrders:
    """What the judges do to the order of the systems by one measure.

    `baseline`: the run that the others are compared with, None where there are no two runs.
    `between` has every two judges, in their order; `winner` is the best system with the final
    grades, several where they are equal, and `winners` has it by judge. `why`: the reason where
    nothing can be said at all.
    """

    measure: str
    baseline: str | None
    between: tuple[OrdersOfTwo, ...] = ()
    winner: tuple[str, ...] = ()
    winners: tuple[Winner, ...] = ()
    why: str | None = None

    def called(self, names: Mapping[str, str]) -> SystemOrders:
        """The same, each judge called as `names` has it."""
        return replace(
            self,
            between=tuple(
                replace(two, judges=(names[two.judges[0]], names[two.judges[1]]))
                for two in self.between
            ),
            winners=tuple(replace(one, judge=names[one.judge]) for one in self.winners),
        )

    def to_dict(self) -> dict[str, Any]:
        """As `agreement -f json` has it under `system_order`."""
        fields: dict[str, Any] = {
            "measure": self.measure,
            "baseline": self.baseline,
            "between": [two.to_dict() for two in self.between],
            "winner": list(self.winner),
            "winners": [one.to_dict() for one in self.winners],
        }
        return fields if self.why is None else {**fields, "why": self.why}


def system_orders(
    rankings: Rankings,
    queries: NDArray[np.int64],
    documents: NDArray[np.int64],
    judged: Mapping[str, Given],
    final: Given,
    measure: Measure,
    *,
    baseline: str | None = None,
) -> SystemOrders:
    """Score all runs with the grades of each of two judges on the pairs that both graded, so that
    nothing differs but the judges.

    `queries`, `documents`: int64[n], pairs, each once, as in `Grading`; `judged`: judge -> places
    among these pairs, ascending, and grades; `final`: the same of the final grades, empty where
    there are none. `baseline` is the first run unless named. A
    verdict is that of Wilcoxon's test at .05, corrected by Holm over the runs: the measure is one,
    the family of `compare` may hold more. Raises `UsageError` for a baseline that is no run.
    """
    tags = rankings.tags
    if baseline is not None and baseline not in tags:
        raise unknown("run", baseline, tags)
    if len(tags) < 2:
        count = "no run" if not tags else "one run only"
        return SystemOrders(measure.name, None, why=f"an order needs two systems; there is {count}")
    baseline = tags[0] if baseline is None else baseline
    scored = _Scored(Regrading(rankings, queries, documents, measure), tags, baseline)
    names = list(judged)
    between = tuple(
        _of_two((one, other), judged[one], judged[other], queries, scored)
        for one, other in combinations(names, 2)
    )
    winner = scored.best(*final) if len(final[0]) else ()
    winners = []
    for name in names:
        tags_of = scored.best(*_in_place_of(final, judged[name], len(queries)))
        winners.append(Winner(name, tags_of, changed=bool(winner) and tags_of != winner))
    return SystemOrders(
        measure.name,
        baseline,
        between,
        winner,
        tuple(winners),
        why=None if len(names) > 1 else "an order by each of two judges needs two judges",
    )


class _Scored:
    """Runs scored by some grades: each set of grades once, as judges meet many others on the same
    pairs."""

    def __init__(self, regrading: Regrading, tags: Sequence[str], baseline: str) -> None:
        self.tags = tags
        self._regrading = regrading
        self._baseline = tags.index(baseline)
        self._known: dict[bytes, tuple[NDArray[np.float64], list[Verdict | None]]] = {}

    def of(
        self, places: NDArray[np.int64], grades: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], list[Verdict | None]]:
        """float64[runs], the means, NaN where a run is not scored; and the verdicts by run."""
        key = places.tobytes() + grades.tobytes()
        if key not in self._known:
            values = self._regrading.values(places, grades)
            self._known[key] = (self._regrading.means(values), self._verdicts(values))
        return self._known[key]

    def best(self, places: NDArray[np.int64], grades: NDArray[np.int64]) -> tuple[str, ...]:
        """The tags with the greatest mean, in the order of the runs."""
        means = self._regrading.means(self._regrading.values(places, grades))
        if np.isnan(means).all():
            return ()
        behind = np.where(np.isnan(means), 1.0, np.nanmax(means) - means)
        near = on_grid(behind[:, None])[:, 0] == 0
        return tuple(self.tags[place] for place in np.flatnonzero(near).tolist())

    def _verdicts(self, values: NDArray[np.float64]) -> list[Verdict | None]:
        """By run; None for the baseline."""
        before = values[self._baseline]
        both = ~(np.isnan(before) | np.isnan(values))
        others = [place for place in range(len(values)) if place != self._baseline]
        sides = [(before[both[place]], values[place, both[place]]) for place in others]
        outcomes = iter(outcomes_of(sides, _BY_WILCOXON))
        return [
            None if place == self._baseline else next(outcomes).verdict
            for place in range(len(values))
        ]


def _of_two(
    judges: tuple[str, str],
    one: Given,
    other: Given,
    queries: NDArray[np.int64],
    scored: _Scored,
) -> OrdersOfTwo:
    shared, in_one, in_other = np.intersect1d(
        one[0], other[0], assume_unique=True, return_indices=True
    )
    if not len(shared):
        return OrdersOfTwo(judges, 0, 0, None, None, (), (), "no pair was graded by both")
    means, verdicts = scored.of(shared, one[1][in_one])
    means_other, verdicts_other = scored.of(shared, other[1][in_other])
    # The same pairs are judged, so that the same runs are scored.
    there = np.flatnonzero(~np.isnan(means))
    orders = order_of(means[there]), order_of(means_other[there])
    tags = [scored.tags[place] for place in there.tolist()]
    return OrdersOfTwo(
        judges=judges,
        pairs=len(shared),
        queries=len(np.unique(queries[shared])),
        tau=kendall_tau(*orders),
        tau_ap=tau_ap(*orders),
        swaps=tuple((tags[first], tags[second]) for first, second in swapped(*orders)),
        verdicts_changed=tuple(_changes(scored.tags, verdicts, verdicts_other)),
        too_little=_TOO_FEW if len(there) < 2 else None,
        all_equal=tuple(place for place, order in enumerate(orders) if not order.any()),
    )


def _changes(
    tags: Sequence[str], one: list[Verdict | None], other: list[Verdict | None]
) -> Iterator[VerdictChange]:
    for tag, first, second in zip(tags, one, other, strict=True):
        if first is not None and second is not None and first is not second:
            yield VerdictChange(tag, (first, second))


def _in_place_of(final: Given, judged: Given, pairs: int) -> Given:
    """The final grades, and where the judge gave one, that one."""
    none = -1
    grades = np.full(pairs, none, dtype=np.int64)
    grades[final[0]] = final[1]
    grades[judged[0]] = judged[1]
    places = np.flatnonzero(grades != none)
    return places, grades[places]
