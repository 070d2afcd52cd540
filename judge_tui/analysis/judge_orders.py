"""Does it matter who judged? The order of the systems by each judge's grades, and how alike two
orders are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.analysis.regrading import Regrading
from judge_tui.arrays import sorted_unique
from judge_tui.comparison.family import Verdict, run_tests
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.scoring import UNJUDGED, Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.arrays import Floats, Ints


def order_of(values: Sequence[float] | Floats) -> NDArray[np.int8]:
    """Return int8[n, n]: 1 where the system of the row has the greater value, -1 where the smaller
    one, 0 where the two are equal in steps of 1e-9. Values are finite."""
    array = np.asarray(values)
    # Pair by pair: sums along a row, which the grid keeps exact, are not needed.
    apart = on_grid((array[:, None] - array)[..., None])[..., 0]
    return np.sign(apart).astype(np.int8)


def kendall_tau(one: NDArray[np.int8], other: NDArray[np.int8]) -> float | None:
    """Return Kendall's tau-b of two orders as `order_of` has them (Kendall, 1945; SciPy's
    `kendalltau`).

    Pairs that are tied in one of the orders count as neither the same nor opposite, and the
    greatest value is 1 all the same. None where an order ties all systems.
    """
    untied = int(np.count_nonzero(one)), int(np.count_nonzero(other))
    if not all(untied):
        return None
    agreeing = int((one.astype(np.int64) * other).sum())
    return agreeing / sqrt(untied[0] * untied[1])


def tau_ap(one: NDArray[np.int8], other: NDArray[np.int8]) -> float | None:
    """Return the AP correlation of two orders, in which the top counts more than the bottom.

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
    """Return the pairs of systems, by index, that stand in strictly opposite orders, ascending."""
    opposite = np.triu(one.astype(np.int64) * other < 0)
    return [(int(first), int(second)) for first, second in np.argwhere(opposite)]


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A run `tag` that the grades of two judges give different `verdicts` beside the baseline."""

    tag: str
    verdicts: tuple[Verdict, Verdict]


@dataclass(frozen=True, slots=True)
class OrdersOfTwo:
    """The orders that two judges make of the systems by the `pairs` that both graded, which are of
    so many `queries`.

    `tau`: Kendall's tau-b; `tau_ap`: the symmetric AP correlation; each None where it is undefined,
    for the reason `why`. `swaps`: the pairs of systems in strictly opposite orders.
    `verdicts_changed`: the runs of which a comparison with the baseline says something else.
    """

    judges: tuple[str, str]
    pairs: int
    queries: int
    tau: float | None = None
    tau_ap: float | None = None
    swaps: tuple[tuple[str, str], ...] = ()
    verdicts_changed: tuple[VerdictChange, ...] = ()
    why: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        fields: dict[str, Any] = {
            "judges": list(self.judges),
            "pairs": self.pairs,
            "queries": self.queries,
            "tau": self.tau,
            "tau_ap": self.tau_ap,
            "swaps": [list(pair) for pair in self.swaps],
            "verdicts_changed": [
                {"tag": one.tag, "verdicts": [str(verdict) for verdict in one.verdicts]}
                for one in self.verdicts_changed
            ],
        }
        return fields if self.why is None else {**fields, "why": dict.fromkeys(_TAUS, self.why)}


_TAUS = ("tau", "tau_ap")


@dataclass(frozen=True, slots=True)
class Winner:
    """The best system with the judge's grades in place of the final ones, where the judge gave any;
    several where they are equal. `changed`: with the final grades it is another."""

    judge: str
    tags: tuple[str, ...]
    changed: bool


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
        """Return the orders with each judge called as `names` has it, winners in the order of
        these."""
        return replace(
            self,
            between=tuple(
                replace(two, judges=(names[two.judges[0]], names[two.judges[1]]))
                for two in self.between
            ),
            winners=tuple(
                replace(one, judge=names[one.judge])
                for one in sorted(self.winners, key=lambda one: names[one.judge])
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as `agreement -f json` has it under `system_order`."""
        fields: dict[str, Any] = {
            "measure": self.measure,
            "baseline": self.baseline,
            "between": [two.to_dict() for two in self.between],
            "winner": list(self.winner),
            "winners": [
                {"judge": one.judge, "tags": list(one.tags), "changed": one.changed}
                for one in self.winners
            ],
        }
        return fields if self.why is None else {**fields, "why": self.why}


def system_orders(
    judged: JudgedRuns,
    by_judge: Mapping[str, Ints],
    measure: Measure,
    *,
    baseline: str | None = None,
) -> SystemOrders:
    """Score all runs with the grades of each of two judges on the pairs that both graded, so that
    nothing differs but the judges.

    `by_judge`: judge -> int[pairs], the grades that the judge gave, `UNJUDGED` elsewhere.
    `baseline` is the first run unless named. A verdict is that of Wilcoxon's test at .05, corrected
    by Holm over the runs: the measure is one, the family of `compare` may hold more. Raises
    `UsageError` for a baseline that is no run.
    """
    tags = judged.lists.tags
    place = 0 if baseline is None else judged.lists.index_of_run(baseline)
    if len(tags) < 2:
        count = "no run" if not tags else "one run only"
        return SystemOrders(measure.name, None, why=f"an order needs two systems; there is {count}")
    scored = _ByGrades(judged, measure, place)
    between = [
        _of_two((one, other), by_judge[one], by_judge[other], scored)
        for one, other in combinations(by_judge, 2)
    ]
    winner = scored.best(judged.grades) if (judged.grades >= 0).any() else ()
    winners = []
    for judge, grades in by_judge.items():
        best = scored.best(np.where(grades >= 0, grades, judged.grades))
        winners.append(Winner(judge, best, changed=bool(winner) and best != winner))
    return SystemOrders(
        measure.name,
        tags[place],
        tuple(between),
        winner,
        tuple(winners),
        why=None if len(by_judge) > 1 else "an order by each of two judges needs two judges",
    )


class _ByGrades:
    """Runs scored by some grades: each set of grades once, as judges meet many others on the same
    pairs."""

    def __init__(self, judged: JudgedRuns, measure: Measure, baseline: int) -> None:
        self.judged = judged
        self._measure = measure
        self._regrading = Regrading(judged, measure)
        self._baseline = baseline
        self._known: dict[bytes, tuple[Floats, list[Verdict | None]]] = {}

    def of(self, grades: Ints) -> tuple[Floats, list[Verdict | None]]:
        """Return float64[runs], the means, NaN where a run is not scored; and the verdicts by
        run."""
        key = grades.tobytes()
        if key not in self._known:
            values = self._regrading.values(grades)
            self._known[key] = (self._measure.means(values), self._verdicts(values))
        return self._known[key]

    def best(self, grades: Ints) -> tuple[str, ...]:
        """Return the tags with the greatest mean, in the order of the runs."""
        means = self._measure.means(self._regrading.values(grades))
        if np.isnan(means).all():
            return ()
        behind = np.where(np.isnan(means), 1.0, np.nanmax(means) - means)
        near = on_grid(behind[:, None])[:, 0] == 0
        tags = self.judged.lists.tags
        return tuple(tags[place] for place in np.flatnonzero(near).tolist())

    def _verdicts(self, values: Floats) -> list[Verdict | None]:
        """Return the verdict on each run; None for the baseline."""
        before = values[self._baseline]
        both = ~(np.isnan(before) | np.isnan(values))
        others = [place for place in range(len(values)) if place != self._baseline]
        sides = [(before[both[place]], values[place, both[place]]) for place in others]
        outcomes = iter(run_tests(sides, BY_WILCOXON))
        return [
            None if place == self._baseline else next(outcomes).verdict
            for place in range(len(values))
        ]


def _of_two(judges: tuple[str, str], one: Ints, other: Ints, scored: _ByGrades) -> OrdersOfTwo:
    shared = (one >= 0) & (other >= 0)
    if not shared.any():
        return OrdersOfTwo(judges, 0, 0, why="no pair was graded by both")
    means, verdicts = scored.of(np.where(shared, one, UNJUDGED))
    means_other, verdicts_other = scored.of(np.where(shared, other, UNJUDGED))
    # The same pairs are judged, so that the same runs are scored.
    there = np.flatnonzero(~np.isnan(means))
    orders = order_of(means[there]), order_of(means_other[there])
    tags = scored.judged.lists.tags
    why = None
    if len(there) < 2:
        why = "fewer than two systems answer the queries of the pairs that both graded"
    elif not all(order.any() for order in orders):
        why = "by the grades of one of the two all systems are equal"
    return OrdersOfTwo(
        judges=judges,
        pairs=int(shared.sum()),
        queries=len(sorted_unique(scored.judged.queries[shared])),
        tau=kendall_tau(*orders),
        tau_ap=tau_ap(*orders),
        swaps=tuple((tags[there[a]], tags[there[b]]) for a, b in swapped(*orders)),
        verdicts_changed=tuple(
            VerdictChange(tag, (first, second))
            for tag, first, second in zip(tags, verdicts, verdicts_other, strict=True)
            if first is not None and second is not None and first is not second
        ),
        why=why,
    )
