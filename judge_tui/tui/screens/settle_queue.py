"""The queue of Settle: which cases are in it, those first that matter most. Arrays in, row numbers
out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from judge_tui.agreement.decide import decide
from judge_tui.arrays import Bools, Ints
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.overview.disagreements import OrderedCases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED
from judge_tui.campaign.store.queries import QueryName

Cell: TypeAlias = tuple[int, int, int, int]
"""Two judges (keys), and the grade that each of them gave."""

Called: TypeAlias = Mapping[int, str]
"""Key of a judge -> what the judge is called, in the order in which judges are shown."""


class Filter(NamedTuple):
    """What is asked for of cases, in words and as bool[n]. With `of_all`, pairs without a
    disagreement are among the cases. `detail`: what is said once more where it is chosen."""

    words: Callable[[Called], str]
    keeps: Callable[[Cases], Bools]
    of_all: bool = False
    detail: str = ""


def of_query(key: int, query: QueryName) -> Filter:
    words = f"query {query.query_id}"
    return Filter(lambda _: words, lambda cases: cases.queries == key, detail=query.text)


def of_cell(cell: Cell) -> Filter:
    """Where two judges gave these grades."""
    one, other, grade, grade_of_other = cell
    return Filter(
        lambda called: f"{called[one]} {grade}, {called[other]} {grade_of_other}",
        lambda cases: (
            (grades_of(cases, one) == grade) & (grades_of(cases, other) == grade_of_other)
        ),
        of_all=True,
    )


def filters_of(queries: Mapping[int, QueryName]) -> Iterator[Filter]:
    """All that can be asked for, but for cells."""
    yield Filter(lambda _: "not settled", lambda cases: ~_is_settled(cases))
    yield Filter(lambda _: "settled", _is_settled)
    for words, keeps in _MARKS.items():
        yield Filter(lambda _, words=words: words, keeps, of_all=True)  # type: ignore[misc]
    yield from (of_query(key, query) for key, query in queries.items())


def grades_of(cases: Cases, judge: int) -> Ints:
    """int64[n]: what a judge (a key) did, `NOT_DECIDED` of one who is not among them."""
    columns = [column for column, one in enumerate(cases.judges) if one.key == judge]
    grades: Ints = cases.grades[:, columns].max(axis=1, initial=NOT_DECIDED).astype(np.int64)
    return grades


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
    """The disagreements, or the cases that a filter lets through; empty until it `takes` some. Rows
    change their places only by `take` and `narrow`.

    `rows`: int64[shown], the rows of the arrays of `cases`; `swaps` and `change`, as in
    `analysis.effects.Effects`, and `spread` are such arrays, too. `queries`: by key.
    """

    def __init__(self) -> None:
        self.filter: Filter | None = None
        none, codes, marks = np.zeros(0, np.int64), np.zeros(0, np.int8), np.zeros(0, np.bool_)
        grid = codes.reshape(0, 0)
        empty = Cases((), none, none, none, grid, codes, marks, marks, grid)
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

    def next_open(self, after: int) -> int | None:
        """The next case that is not settled, from the beginning again if need be; None where there
        is none."""
        later = self.is_open
        later[: after + 1] = False
        place = _first(later)
        return _first(self.is_open) if place is None else place

    def mark_settled(self, pairs: Ints, grades: Ints) -> None:
        """Mark all pairs that leads have settled, ascending, with their grades; rows stay."""
        settled = np.full(len(self.cases), NOT_DECIDED, dtype=np.int8)
        is_among = np.isin(self.cases.pairs, pairs)
        settled[is_among] = grades[np.searchsorted(pairs, self.cases.pairs[is_among])]
        self.cases = replace(self.cases, settled=settled)

    def take(self, found: OrderedCases, queries: Mapping[int, QueryName]) -> None:
        """Show these cases in place of those before."""
        self.cases, self.queries = found.cases, queries
        self.spread = found.cases.spread
        self.swaps = np.zeros(len(found.cases), dtype=np.int64)
        self.change = np.zeros(len(found.cases))
        self.is_weighed = found.effects is not None
        if found.effects is not None:
            self.swaps[found.places] = found.effects.swaps
            self.change[found.places] = found.effects.change
        self._disputed = found.cases.disputed
        self._sorted = np.append(found.places, np.flatnonzero(~self._disputed))
        self.narrow(self.filter)

    def narrow(self, asked: Filter | None) -> None:
        """Show what the filter lets through, or all disagreements."""
        self.filter = asked
        self.rows = self._sorted[self._kept(asked)[self._sorted]]

    def choices(self) -> list[tuple[int, Filter | None]]:
        """All filters that let cases through, and how many each does; first none."""
        keys = {*self.cases.queries[self._disputed].tolist()}
        queries = {key: query for key, query in self.queries.items() if key in keys}
        every = (None, *filters_of(queries))
        counts = [(int(self._kept(one).sum()), one) for one in every]
        return [(count, one) for count, one in counts if count or one is None]

    def _kept(self, asked: Filter | None) -> Bools:
        if asked is None:
            return self._disputed
        keeps = asked.keeps(self.cases)
        return keeps if asked.of_all else keeps & self._disputed


def _first(which: Bools) -> int | None:
    return int(which.argmax()) if which.any() else None
