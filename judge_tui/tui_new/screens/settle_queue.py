"""The queue of Settle: which cases are in it, and in which order. Arrays in, row numbers out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from judge_tui.agreement.decide import decide
from judge_tui.arrays import Bools, Ints
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.overview.disagreements import OrderedCases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED
from judge_tui.campaign.store.queries import QueryName

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN = -1
"""In the place of how many systems swap, where that is not known."""

Order: TypeAlias = Literal["swaps", "spread", "query"]
ORDERS: Sequence[Order] = ("swaps", "spread", "query")

Cell: TypeAlias = tuple[int, int, int, int]
"""Two judges (keys), and the grade that each of them gave."""


def _unresolved(cases: Cases) -> Bools:
    is_settled = cases.settled != NOT_DECIDED
    settled = cases.pairs[is_settled], cases.settled[is_settled].astype(np.int64)
    # A grade that nobody gave decides nothing.
    scale = np.unique(np.append(cases.grades, [0, *settled[1]]).clip(min=0))
    found = decide(cases.given, "majority", scale.tolist(), settled=settled)
    return np.isin(cases.pairs, found.unresolved)


MARKS: Mapping[str, Callable[[Cases], Bools]] = {
    "no majority, not settled": _unresolved,
    "flagged by a judge": lambda cases: cases.flagged,
    "with a comment": lambda cases: cases.noted,
    "cannot be judged": lambda cases: (cases.grades == CANNOT).sum(axis=1) > 0,
    "judged, agreed ones too": lambda cases: (cases.grades >= 0).sum(axis=1) > 0,
}
"""What a filter may ask for of any pair, a disagreement or not: bool[n]."""


@dataclass(frozen=True, slots=True)
class Filter:
    """All that is asked for must hold. Keys are the campaign file's own.

    `apart`: a judge whose grade nobody shares; `graded`: a judge who gave one; `mark`: one of
    `MARKS`. With a mark or a `cell`, pairs without a disagreement are among the cases.
    """

    query: int | None = None
    query_class: str | None = None
    apart: int | None = None
    graded: int | None = None
    mark: str | None = None
    settled: bool | None = None
    cell: Cell | None = None

    def but(self, other: Filter) -> Filter:
        """This filter, and what the other one asks for."""
        asked = {one.name: getattr(other, one.name) for one in fields(other)}
        return replace(self, **{name: value for name, value in asked.items() if value is not None})

    def keeps(self, cases: Cases, queries: Mapping[int, QueryName]) -> Bools:
        """bool[n]: the cases that it lets through."""
        kept = np.ones(len(cases), dtype=np.bool_)
        if self.mark is None and self.cell is None:
            kept &= cases.disputed
        if self.query is not None:
            kept &= cases.queries == self.query
        if self.query_class is not None:
            keys = [key for key, one in queries.items() if one.query_class == self.query_class]
            kept &= np.isin(cases.queries, keys)
        if self.apart is not None:
            kept &= stands_apart(cases, self.apart)
        if self.graded is not None:
            kept &= grades_of(cases, self.graded) >= 0
        if self.mark is not None:
            kept &= MARKS[self.mark](cases)
        if self.settled is not None:
            kept &= (cases.settled != NOT_DECIDED) == self.settled
        if self.cell is not None:
            one, other, grade, grade_of_other = self.cell
            kept &= grades_of(cases, one) == grade
            kept &= grades_of(cases, other) == grade_of_other
        return kept

    def words(self, called: Mapping[int, str], queries: Mapping[int, QueryName]) -> str:
        """What it asks for; judges as they are `called`, by their keys. Ids are foreign."""
        asked = []
        if self.query is not None:
            asked.append(f"query {queries[self.query].query_id}")
        if self.query_class is not None:
            asked.append(f"class {self.query_class}" if self.query_class else "queries of no class")
        if self.apart is not None:
            asked.append(f"{called.get(self.apart, '')} stands apart")
        if self.graded is not None:
            asked.append(f"graded by {called.get(self.graded, '')}")
        if self.cell is not None:
            one, other, grade, grade_of_other = self.cell
            asked.append(f"{called.get(one, '')} {grade}, {called.get(other, '')} {grade_of_other}")
        if self.mark is not None:
            asked.append(self.mark)
        if self.settled is not None:
            asked.append("settled" if self.settled else "not settled")
        return ", ".join(asked)


def grades_of(cases: Cases, judge: int) -> NDArray[np.int8]:
    """int8[n]: what a judge (a key) did, `NOT_DECIDED` of one who is not among them."""
    for column, one in enumerate(cases.judges):
        if one.key == judge:
            return cases.grades[:, column]
    return np.full(len(cases), NOT_DECIDED, dtype=np.int8)


def stands_apart(cases: Cases, judge: int) -> Bools:
    """bool[n]: where somebody else gave a grade, and nobody the one of this judge (a key)."""
    own = grades_of(cases, judge)
    given = (cases.grades >= 0).sum(axis=1)
    same = (cases.grades == own[:, None]).sum(axis=1)
    apart: Bools = (own >= 0) & (given > 1) & (same == 1)
    return apart


def filter_choices(
    cases: Cases, queries: Mapping[int, QueryName], called: Mapping[int, str]
) -> Iterator[tuple[Filter, str, int]]:
    """Each filter that lets something through, what it asks for, and how many cases have it; the
    first is none. Judges, by their keys, stand in the order of `called`."""
    wanted = [Filter(settled=False), Filter(settled=True)]
    wanted += [Filter(mark=mark) for mark in MARKS]
    wanted += [Filter(apart=key) for key in called]
    wanted += [Filter(graded=key) for key in called]
    yield Filter(), "all disagreements", int(cases.disputed.sum())
    for one in wanted:
        if count := int(one.keeps(cases, queries).sum()):
            yield one, one.words(called, queries), count
    of_query = Counter(cases.queries[cases.disputed].tolist())
    of_class: Counter[str] = Counter()
    for key, count in of_query.items():
        of_class[queries[key].query_class] += count
    for name in sorted(of_class) if len(of_class) > 1 else ():
        one = Filter(query_class=name)
        yield one, one.words(called, queries), of_class[name]
    for key, query in queries.items():
        if key in of_query:
            yield Filter(query=key), f"query {query.query_id}  {query.text}", of_query[key]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the queue, of keys. `grades`: one of each judge, or what the judge did instead;
    `swaps` is `UNKNOWN`, and `change` nan, where nothing was worked out."""

    pair: int
    query: int
    document: int
    grades: tuple[int, ...]
    settled: int | None
    swaps: int
    change: float
    spread: int


class SettleQueue:
    """The cases that a filter lets through, in an order. Rows change their places when they are
    asked to: by `sort`, `narrow` and `renew`."""

    def __init__(self, cases: Cases, queries: Mapping[int, QueryName]) -> None:
        self.cases = cases
        self.queries = queries
        self.filter = Filter()
        self.order: Order = "spread"
        self.rows: Ints
        """int64[n]: those shown, of the arrays of `cases`, in their order."""
        self.renew(cases)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Case:
        row, cases = int(self.rows[place]), self.cases
        settled = int(cases.settled[row])
        return Case(
            int(cases.pairs[row]),
            int(cases.queries[row]),
            int(cases.documents[row]),
            tuple(cases.grades[row].tolist()),
            None if settled == NOT_DECIDED else settled,
            int(self._swaps[row]),
            float(self._change[row]),
            int(self._spread[row]),
        )

    @property
    def open(self) -> int:
        """How many of those shown are not settled."""
        return int((self.cases.settled[self.rows] == NOT_DECIDED).sum())

    def place_of(self, pair: int) -> int | None:
        """Where a pair stands; None where it is not shown."""
        return _first(self.cases.pairs[self.rows] == pair)

    def place_of_query(self, query: int) -> int | None:
        """Where the first case of a query stands, an open one if there is any."""
        of_query = self.cases.queries[self.rows] == query
        is_open = self.cases.settled[self.rows] == NOT_DECIDED
        place = _first(of_query & is_open)
        return _first(of_query) if place is None else place

    def next_open(self, after: int) -> int | None:
        """The next case that is not settled, from the beginning again if need be; None where there
        is none."""
        is_open = np.flatnonzero(self.cases.settled[self.rows] == NOT_DECIDED)
        if not len(is_open):
            return None
        later = is_open[is_open > after]
        return int(later[0] if len(later) else is_open[0])

    def settle(self, pairs: Ints, grades: Ints) -> None:
        """Take in all that leads have settled, pairs ascending; rows stay."""
        settled = np.full(len(self.cases), NOT_DECIDED, dtype=np.int8)
        is_among = np.isin(self.cases.pairs, pairs)
        settled[is_among] = grades[np.searchsorted(pairs, self.cases.pairs[is_among])]
        self.cases = replace(self.cases, settled=settled)

    def weigh(self, found: OrderedCases | None) -> None:
        """Take in what hangs on the disagreements, None while nothing is known; rows stay."""
        self._swaps = np.full(len(self.cases), UNKNOWN, dtype=np.int64)
        self._change = np.full(len(self.cases), np.nan)
        effects = None if found is None else found.effects
        self.is_weighed = effects is not None
        if found is not None and effects is not None:
            # Others may have gone on since those were read.
            pairs = found.cases.pairs[found.places]
            _, rows, at = np.intersect1d(self.cases.pairs, pairs, return_indices=True)
            self._swaps[rows], self._change[rows] = effects.swaps[at], effects.change[at]

    def sort(self, order: Order) -> None:
        """Disagreements first, and those alike by what the other orders would have first."""
        self.order = order
        change = np.round(np.nan_to_num(self._change, nan=-1.0), 9)
        weight = (-self._spread, -change, -self._swaps)
        keys = {
            "swaps": weight,
            "spread": (-change, -self._swaps, -self._spread),
            "query": (*weight, self._query_places),
        }
        self._sorted = np.lexsort((*keys[order], self._spread == 0))
        self.narrow(self.filter)

    def narrow(self, filter: Filter) -> None:
        """Show what the filter lets through."""
        self.filter = filter
        kept = filter.keeps(self.cases, self.queries)
        self.rows = self._sorted[kept[self._sorted]]

    def renew(self, cases: Cases) -> None:
        """Take in what judges and leads did meanwhile, in order."""
        self.cases = cases
        self._spread = cases.spread
        places = {key: place for place, key in enumerate(self.queries)}
        self._query_places = np.array([places[key] for key in cases.queries.tolist()], dtype=int)
        self.weigh(None)
        self.sort(self.order)


def _first(which: Bools) -> int | None:
    return int(which.argmax()) if which.any() else None
