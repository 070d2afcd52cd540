"""The queue of Settle: which cases are in it, and in which order. Arrays in, row numbers out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from judge_tui.agreement.decide import decide
from judge_tui.arrays import Bools, Ints
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.overview.disagreements import OrderedCases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED
from judge_tui.campaign.store.queries import QueryName

Order: TypeAlias = Literal["swaps", "spread", "query"]
ORDERS: Sequence[Order] = ("swaps", "spread", "query")

Cell: TypeAlias = tuple[int, int, int, int]
"""Two judges (keys), and the grade that each of them gave."""

Called: TypeAlias = Mapping[int, str]
"""Key of a judge -> what the judge is called, in the order in which judges are shown."""


class Filter(NamedTuple):
    """What is asked for of cases, in words and as bool[n]; a filter takes the place of another one
    of its `kind`. With `of_all`, pairs without a disagreement are among the cases. `detail`: what
    is said once more where it is chosen."""

    kind: str
    words: Callable[[Called], str]
    keeps: Callable[[Cases], Bools]
    of_all: bool = False
    detail: str = ""


def of_query(key: int, query: QueryName) -> Filter:
    words = f"query {query.query_id}"
    return Filter("query", lambda _: words, lambda cases: cases.queries == key, detail=query.text)


def of_cell(cell: Cell) -> Filter:
    """Where two judges gave these grades."""
    one, other, grade, grade_of_other = cell
    return Filter(
        "cell",
        lambda called: f"{called[one]} {grade}, {called[other]} {grade_of_other}",
        lambda cases: (
            (grades_of(cases, one) == grade) & (grades_of(cases, other) == grade_of_other)
        ),
        of_all=True,
    )


def filters_of(queries: Mapping[int, QueryName], judges: Sequence[int]) -> Iterator[Filter]:
    """All that can be asked for, but for cells."""
    settled = _is_settled
    yield Filter("settled", lambda _: "not settled", lambda cases: ~settled(cases))
    yield Filter("settled", lambda _: "settled", settled)
    for words, keeps in _MARKS.items():
        yield Filter("mark", lambda _, words=words: words, keeps, of_all=True)  # type: ignore[misc]
    yield from map(_apart, judges)
    classes: dict[str, list[int]] = {}
    for key, query in queries.items():
        classes.setdefault(query.query_class, []).append(key)
    if len(classes) > 1:
        yield from (_of_class(name, keys) for name, keys in sorted(classes.items()))
    yield from (of_query(key, query) for key, query in queries.items())


def grades_of(cases: Cases, judge: int) -> Ints:
    """int64[n]: what a judge (a key) did, `NOT_DECIDED` of one who is not among them."""
    columns = [column for column, one in enumerate(cases.judges) if one.key == judge]
    grades: Ints = cases.grades[:, columns].max(axis=1, initial=NOT_DECIDED).astype(np.int64)
    return grades


def new_judgments(before: Cases, now: Cases) -> int:
    """How many decisions of judges there are that were not there before."""
    return len(np.setdiff1d(_decisions(now), _decisions(before)))


def _decisions(cases: Cases) -> Ints:
    """int64[n]: pair, judge and decision in one number."""
    rows, columns = np.nonzero(cases.grades != NOT_DECIDED)
    judges = np.array([judge.key for judge in cases.judges], dtype=np.int64)[columns]
    codes = cases.grades[rows, columns].astype(np.int64) & 15
    numbers: Ints = cases.pairs[rows] << 24 | judges << 4 | codes
    return numbers


def _of_class(name: str, keys: Sequence[int]) -> Filter:
    words = f"class {name}" if name else "queries of no class"
    return Filter("class", lambda _: words, lambda cases: np.isin(cases.queries, keys))


def _apart(judge: int) -> Filter:
    def keeps(cases: Cases) -> Bools:
        own = grades_of(cases, judge)
        same = (cases.grades == own[:, None]).sum(axis=1)
        apart: Bools = (own >= 0) & ((cases.grades >= 0).sum(axis=1) > 1) & (same == 1)
        return apart

    return Filter("judge", lambda called: f"{called[judge]} stands apart", keeps)


def _is_settled(cases: Cases) -> Bools:
    return np.not_equal(cases.settled, NOT_DECIDED)


def _unresolved(cases: Cases) -> Bools:
    is_settled = _is_settled(cases)
    settled = cases.pairs[is_settled], cases.settled[is_settled].astype(np.int64)
    # A grade that nobody gave decides nothing.
    scale = np.unique(np.append(cases.grades, [0, *settled[1]]).clip(min=0))
    found = decide(cases.judgments, "majority", scale.tolist(), settled=settled)
    return np.isin(cases.pairs, found.unresolved)


_MARKS: Mapping[str, Callable[[Cases], Bools]] = {
    "no majority, not settled": _unresolved,
    "flagged by a judge": lambda cases: cases.flagged,
    "with a comment": lambda cases: cases.noted,
    "cannot be judged": lambda cases: (cases.grades == CANNOT).sum(axis=1) > 0,
    "judged, agreed ones too": lambda cases: (cases.grades >= 0).sum(axis=1) > 0,
}


class SettleQueue:
    """The cases that all filters let through, in an order; empty until it `takes` some. Rows change
    their places only where they are asked to: by `take`, `sort` and `narrow`.

    `rows`: int64[shown], the rows of the arrays of `cases`; `swaps` and `change`, as in
    `analysis.effects.Effects`, and `spread` are such arrays, too. `queries`: by key.
    """

    def __init__(self) -> None:
        self.filters: Mapping[str, Filter] = {}
        none, codes, marks = np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0, np.bool_)
        empty = Cases((), none, none, none, codes.reshape(0, 0), codes, marks, marks)
        self.cases, self.rows = empty, none
        self.take(OrderedCases(empty, none, None), {})

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_open(self) -> Bools:
        """bool[shown]: not settled."""
        return ~_is_settled(self.cases)[self.rows]

    def pair(self, place: int) -> int:
        """The key of the pair at a place."""
        return int(self.cases.pairs[self.rows[place]])

    def place_of(self, pair: int) -> int | None:
        """Where a pair stands; None where it is not shown."""
        return _first(self.cases.pairs[self.rows] == pair)

    def place_of_query(self, query: int) -> int | None:
        """Where the first case of a query stands."""
        return _first(self.cases.queries[self.rows] == query)

    def next_open(self, after: int) -> int | None:
        """The next case that is not settled, from the beginning again if need be; None where there
        is none."""
        later = self.is_open
        later[: after + 1] = False
        place = _first(later)
        return _first(self.is_open) if place is None else place

    def settle(self, pairs: Ints, grades: Ints) -> None:
        """Take in all that leads have settled, pairs ascending; rows stay."""
        settled = np.full(len(self.cases), NOT_DECIDED, dtype=np.int8)
        is_among = np.isin(self.cases.pairs, pairs)
        settled[is_among] = grades[np.searchsorted(pairs, self.cases.pairs[is_among])]
        self.cases = replace(self.cases, settled=settled)

    def take(
        self, found: OrderedCases, queries: Mapping[int, QueryName], order: Order = "swaps"
    ) -> None:
        """Show these cases in place of those before, in that order where it is known."""
        self.cases, self.queries = found.cases, queries
        self.spread = found.cases.spread
        self.swaps = np.zeros(len(found.cases), dtype=np.int64)
        self.change = np.zeros(len(found.cases))
        self.is_weighed = found.effects is not None
        if found.effects is not None:
            self.swaps[found.places] = found.effects.swaps
            self.change[found.places] = found.effects.change
        places = {key: place for place, key in enumerate(queries)}
        self._query_places = np.array([places[key] for key in self.cases.queries.tolist()], int)
        self.sort(order)

    @property
    def orders(self) -> Sequence[Order]:
        """Those that there are."""
        return [one for one in ORDERS if one != "swaps" or self.is_weighed]

    def sort(self, order: Order) -> None:
        """Disagreements first; by spread alone, so that rows stay once more is known of them."""
        self.order: Order = order if order in self.orders else "spread"
        change = np.round(self.change, 9)
        keys = {
            "swaps": (-self.spread, -change, -self.swaps),
            "spread": (-self.spread,),
            "query": (-self.spread, -change, -self.swaps, self._query_places),
        }
        self._sorted = np.lexsort((*keys[self.order], self.spread == 0))
        self._show()

    def narrow(self, asked: Filter | None) -> None:
        """Show what the filter lets through, too; None takes all of them off."""
        self.filters = {} if asked is None else {**self.filters, asked.kind: asked}
        self._show()

    def choices(self, judges: Sequence[int]) -> list[tuple[int, Filter | None]]:
        """All filters that let cases through, and how many each does by itself; first none. Judges
        by key, in the order in which they are shown."""
        disputed = self.spread > 0
        keys = {*self.cases.queries[disputed].tolist()}
        queries = {key: query for key, query in self.queries.items() if key in keys}
        counts = [(int(self._kept([one]).sum()), one) for one in filters_of(queries, judges)]
        return [(int(disputed.sum()), None), *((count, one) for count, one in counts if count)]

    def _show(self) -> None:
        kept = self._kept([*self.filters.values()])
        self.rows = self._sorted[kept[self._sorted]]

    def _kept(self, asked: Sequence[Filter]) -> Bools:
        kept = np.ones(len(self.cases), dtype=np.bool_)
        if not any(one.of_all for one in asked):
            kept = self.spread > 0
        for one in asked:
            kept = kept & one.keeps(self.cases)
        return kept


def _first(which: Bools) -> int | None:
    return int(which.argmax()) if which.any() else None
