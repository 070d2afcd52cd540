"""Does it matter who judged? What a disagreement does to the order of the systems, and how alike
the orders are that two judges make of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns, lists_of_ranks
from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.arrays import sorted_unique
from judge_tui.comparison.family import Verdict, run_tests
from judge_tui.comparison.paired_tests import on_grid
from judge_tui.errors import UsageError
from judge_tui.scoring import UNJUDGED, JudgedLists, JudgedQueries, Measure, mean

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.arrays import Bools, Floats, Ints

_CELLS = 1_000_000
"""Results, or pairs of runs, worked out together: a few tens of MB."""


class Regrading:
    """What runs would be worth by a measure, were their pairs graded otherwise."""

    def __init__(self, judged: JudgedRuns, measure: Measure) -> None:
        self.judged = judged
        self.measure = measure
        pairs = judged.pair_by_rank
        if not measure.judged_only:
            pairs = pairs[:, :, : measure.depth]
        nobody = JudgedQueries.of_counts(np.zeros((pairs.shape[1], 1), dtype=np.int64))
        # The places of pairs stand where other lists have grades.
        self._hits = lists_of_ranks(pairs, nobody)

    @property
    def longest(self) -> int:
        """How many pairs the longest list has."""
        return int(np.diff(self._hits.start).max(initial=1))

    def values(self, grades: Ints) -> Floats:
        """Return float64[runs, queries], NaN where a run is not scored, by other grades,
        int64[pairs], `UNJUDGED` where there is none."""
        queries = self.judged.queries
        known = JudgedQueries.of_grades(queries, grades, len(self.judged.lists.query_ids))
        lists = _grade_hits(self._hits, grades[self._hits.grade], self._hits.query, known)
        return self.judged.values_of(lists, self.measure)

    def regrade_each(self, pairs: Ints, grades: Ints) -> Floats:
        """Give one pair after the other, int64[n], the grade beside it, all others as they stand.
        Return float64[n, runs]: every run's value for the query of the pair."""
        judged, hits = self.judged, self._hits
        runs, queries = judged.scored.shape
        lists = np.arange(runs) * queries + judged.queries[pairs][:, None]
        cases = np.arange(len(pairs))
        counts, now = judged.grade_counts[judged.queries[pairs]], judged.grades[pairs]
        graded = now != UNJUDGED
        counts[cases[graded], now[graded]] -= 1
        counts[cases, grades] += 1
        its = hits.rows(lists.ravel())
        case = np.repeat(cases, runs)
        of_hit = case[its.list]
        grade = np.where(its.grade == pairs[of_hit], grades[of_hit], judged.grades[its.grade])
        regraded = _grade_hits(its, grade, case, JudgedQueries.of_counts(counts))
        values: Floats = self.measure.value(regraded).reshape(-1, runs)
        if self.measure.definition.looks_at_results:
            values = np.where(hits.retrieved[lists] == 0, 0.0, values)
        return values


def _grade_hits(hits: JudgedLists, grades: Ints, query: Ints, known: JudgedQueries) -> JudgedLists:
    """Return the lists with the grade of each hit, and without those that have none."""
    there = grades != UNJUDGED
    return JudgedLists(
        hits.list[there], hits.rank[there], grades[there], hits.retrieved, query, known
    )


# Disagreements


@dataclass(frozen=True, slots=True)
class Effects:
    """Arrays of n disagreements, in the order in which they were asked about.

    The cases of a pair are: as it stands, and under each grade that some judge gave. `swaps`:
    int64, the pairs of systems that do not have the same order in all cases; `change`: float64, the
    largest change of a difference of two systems' means between two cases, in the measure's unit;
    `spread`: int64, the greatest less the least grade.
    """

    swaps: Ints
    change: Floats
    spread: Ints

    @property
    def order(self) -> Ints:
        """int64[n]: their places, most swaps first, then the largest change, then the widest
        spread, then as they were asked about."""
        # On the grid: two changes that are the same to a reader keep the order they came in.
        return np.lexsort((-self.spread, -on_grid(self.change[:, None])[:, 0], -self.swaps))


def effects_of(judged: JudgedRuns, pairs: Ints, votes: Bools, measure: Measure) -> Effects:
    """For each pair, score the runs once per grade that some judge gave to the pair, and once as it
    stands; count order changes and the largest change.

    As it stands, a pair that no policy decides is unjudged: any grade may change the order.

    `pairs`: int64[n], their places; `votes`: bool[n, greatest + 1], the grades that judges gave
    each. Two systems have an order by their means, or are equal in steps of 1e-9. Means are
    over each run's own scored queries. A query without any grade joins in under every grade,
    and has no mean as it stands. A run that is never scored has no place in the order.
    """
    if measure.definition.average is not mean:
        raise UsageError(
            f"{measure} has no arithmetic mean, by which disagreements are weighed",
            "name another measure",
        )
    swaps, change = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs))
    regrading, runs = Regrading(judged, measure), len(judged.lists.tags)
    size = max(1, _CELLS // (votes.shape[1] * max(1, runs) * max(runs, regrading.longest)))
    one, other = np.triu_indices(runs, 1)
    for begin in range(0, len(pairs), size):
        some = slice(begin, begin + size)
        means = _means_of_each(regrading, pairs[some], votes[some])
        # float64[pairs, cases, pairs of runs]; runs that are never scored have no order.
        apart = np.nan_to_num(means[:, :, one] - means[:, :, other])
        order = np.sign(on_grid(apart))
        swaps[some] = (order != order[:, :1]).any(axis=1).sum(axis=1)
        change[some] = (apart.max(axis=1) - apart.min(axis=1)).max(axis=1, initial=0.0)
    return Effects(swaps, change, spread_of(votes))


def spread_of(votes: Bools) -> Ints:
    """Return int64[n]: the greatest less the least grade, 0 where there is none. `votes`: as
    `effects_of` has them."""
    last = votes.shape[1] - 1
    spread = last - votes[:, ::-1].argmax(axis=1) - votes.argmax(axis=1)
    return np.where(votes.any(axis=1), spread, 0)


def _means_of_each(regrading: Regrading, pairs: Ints, votes: Bools) -> Floats:
    """Return float64[n, cases, runs]: the means under each grade, and as it stands; a pair
    with fewer grades than another has its first again, which makes no difference to anything."""
    judged = regrading.judged
    values = np.where(judged.scored, judged.values(regrading.measure), 0.0)
    sums, counts = values.sum(axis=1), judged.scored.sum(axis=1)
    case, grade = np.nonzero(votes)
    query = judged.queries[pairs[case]]
    # A query that is not scored yet joins in for the runs that it counts for.
    counted = judged.lists.counted[:, query].T
    worth = np.where(counted, regrading.regrade_each(pairs[case], grade), 0.0)
    joined = counts + (counted & ~judged.scored[:, query].T)
    each = _quotients(sums - values[:, query].T + worth, joined)
    first = np.concatenate([[0], np.cumsum(votes.sum(axis=1))[:-1]])
    most = int(votes.sum(axis=1).max(initial=1))
    # A pair without a grade has no case, and no mean.
    means = np.full((len(votes), most + 1, each.shape[1]), np.nan)
    rated = votes.any(axis=1)
    means[rated] = each[first[rated]][:, None]
    means[case, np.arange(len(case)) - first[case]] = each
    stands = rated & judged.graded_queries[judged.queries[pairs]]
    means[stands, most] = _quotients(sums, counts)
    return means


def _quotients(sums: Floats, counts: Ints) -> Floats:
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


# Orders of the systems


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
class SystemOrders:
    """What the judges do to the order of the systems by one measure.

    `baseline`: the run that the others are compared with, None where there are no two runs.
    `between` has every two judges, in their order. `why`: the reason where nothing can be said at
    all.
    """

    measure: str
    baseline: str | None
    between: tuple[OrdersOfTwo, ...] = ()
    why: str | None = None

    def called(self, names: Mapping[str, str]) -> SystemOrders:
        """Return the orders with each judge called as `names` has it."""
        between = (
            replace(two, judges=(names[two.judges[0]], names[two.judges[1]]))
            for two in self.between
        )
        return replace(self, between=tuple(between))

    def to_dict(self) -> dict[str, Any]:
        """Return it as `agreement -f json` has it under `system_order`."""
        fields: dict[str, Any] = {
            "measure": self.measure,
            "baseline": self.baseline,
            "between": [two.to_dict() for two in self.between],
        }
        return fields if self.why is None else {**fields, "why": self.why}


_Score: TypeAlias = "Callable[[Ints], tuple[Floats, list[Verdict | None]]]"
"""Grades -> the mean of each run, NaN where it is not scored, and the verdict on it, None for the
baseline."""


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
    `UsageError` for a baseline that is not a run.
    """
    tags = judged.lists.tags
    place = 0 if baseline is None else judged.lists.index_of_run(baseline)
    if len(tags) < 2:
        count = "no run" if not tags else "one run only"
        return SystemOrders(measure.name, None, why=f"an order needs two systems; there is {count}")
    regrading = Regrading(judged, measure)
    known: dict[bytes, tuple[Floats, list[Verdict | None]]] = {}

    def score(grades: Ints) -> tuple[Floats, list[Verdict | None]]:
        key = grades.tobytes()  # judges meet many others on the same pairs
        if key not in known:
            values = regrading.values(grades)
            known[key] = measure.means(values), _verdicts(values, place)
        return known[key]

    return SystemOrders(
        measure.name,
        tags[place],
        tuple(
            _of_two(judged, (one, other), by_judge[one], by_judge[other], score)
            for one, other in combinations(by_judge, 2)
        ),
        why=None if len(by_judge) > 1 else "an order by each of two judges needs two judges",
    )


def _verdicts(values: Floats, baseline: int) -> list[Verdict | None]:
    """Return the verdict on each run; None for the baseline, by its place."""
    before = values[baseline]
    both = ~(np.isnan(before) | np.isnan(values))
    others = [place for place in range(len(values)) if place != baseline]
    sides = [(before[both[place]], values[place, both[place]]) for place in others]
    verdicts: list[Verdict | None] = [one.verdict for one in run_tests(sides, BY_WILCOXON)]
    verdicts.insert(baseline, None)
    return verdicts


def _of_two(
    judged: JudgedRuns, judges: tuple[str, str], one: Ints, other: Ints, score: _Score
) -> OrdersOfTwo:
    shared = (one >= 0) & (other >= 0)
    if not shared.any():
        return OrdersOfTwo(judges, 0, 0, why="no pair was graded by both")
    means, verdicts = score(np.where(shared, one, UNJUDGED))
    means_other, verdicts_other = score(np.where(shared, other, UNJUDGED))
    # The same pairs are judged, so that the same runs are scored.
    there = np.flatnonzero(~np.isnan(means))
    orders = order_of(means[there]), order_of(means_other[there])
    tags, why = judged.lists.tags, None
    if len(there) < 2:
        why = "fewer than two systems answer the queries of the pairs that both graded"
    elif not all(order.any() for order in orders):
        why = "by the grades of one of the two all systems are equal"
    return OrdersOfTwo(
        judges=judges,
        pairs=int(shared.sum()),
        queries=len(sorted_unique(judged.queries[shared])),
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
