"""Which of the queries that are known the rows of a file without ids are: those of their texts, and
where several have one text those of which the same is said, or that stand where they stood."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge_tui.formats.mended_texts import may_be_mended
from judge_tui.formats.named_queries import NamedQueries
from judge_tui.formats.said_of_queries import meant_by, said_of, said_otherwise
from judge_tui.model import Query

__all__ = ["Unsure", "Which", "which_queries"]


@dataclass(frozen=True, slots=True)
class Unsure:
    """Rows, by their number from 0, and queries of one text: nothing says which of them is
    which."""

    rows: tuple[int, ...]
    queries: tuple[Query, ...]

    def row_is(self, row: int) -> list[Query]:
        """What one of its rows is where that must be said: with fewer queries than rows these are
        the first ones, in their order, and the rest are none of them; else any of all."""
        if len(self.rows) < len(self.queries):
            return [*self.queries]
        at = self.rows.index(row)
        return [*self.queries[at : at + 1]]


@dataclass(frozen=True, slots=True)
class Which:
    """The query of each row of which it is known, by the number of the row from 0; and the rows of
    which it is not. All others are none of the queries."""

    sure: Mapping[int, Query]
    unsure: Sequence[Unsure]

    def of_each(self, rows: int) -> list[list[Query]]:
        """What each of so many rows is (`Unsure.row_is`)."""
        found = [[self.sure[at]] if at in self.sure else [] for at in range(rows)]
        for its in self.unsure:
            for at in its.rows:
                found[at] = its.row_is(at)
        return found


def which_queries(rows: Sequence[Query], named: NamedQueries) -> Which:
    """The queries that the rows of a file without ids are, in its order; known ones in theirs.

    A row is one of those of its text. Of several, on either side, it is the one of which the same
    is said (`said_of`), as far as both sides say such things. Rows and queries that this leaves are
    paired in their order where there are as many of both: between the next texts above and below
    that are known on both sides and come once, for places move on as soon as a row is put in or
    taken out, or in all. Else one row and one query are the same that do not contradict each other
    while all others do. Whatever is left is `unsure`.
    """
    found = [named.of_text(row.text) for row in rows]
    alike: dict[tuple[str, ...], list[int]] = {}
    for at, its in enumerate(found):
        if its:
            alike.setdefault(tuple(one.query_id for one in its), []).append(at)
    single = [its[0] for ids, its in alike.items() if len(ids) == len(its) == 1]
    which = Which({at: found[at][0] for at in single}, [])
    if len(single) == len(alike):
        return which
    gaps = _Gaps(rows, [*named], which.sure)
    sure, unsure = {**which.sure}, []
    for ids, places in alike.items():
        if not len(ids) == len(places) == 1:
            left = _Left(rows, gaps, places, [*found[places[0]]])
            unsure += left.tell_apart()
            sure |= left.sure
    return Which(sure, unsure)


class _Gaps:
    """What stands between rows that are sure."""

    def __init__(
        self, rows: Sequence[Query], known: Sequence[Query], sure: Mapping[int, Query]
    ) -> None:
        self._rows, self._known = rows, known
        self._place = {query.query_id: at for at, query in enumerate(known)}
        in_order = sorted(sure)
        self._row_at = [-1, *in_order, len(rows)]
        self._known_at = [-1, *(self._place[sure[at].query_id] for at in in_order), len(known)]

    def paired(self, places: Sequence[int], queries: Sequence[Query]) -> dict[int, Query]:
        """Those of the rows and queries, all of one text, that stand in one gap, as many of both;
        or each in the place of the other, where the gap has as many rows as queries, and all the
        rest may be mended ones."""
        by_gap: dict[int, list[int]] = {}
        for at in places:
            by_gap.setdefault(bisect(self._row_at, at) - 1, []).append(at)
        found: dict[int, Query] = {}
        for gap, its in by_gap.items():
            start, end = self._known_at[gap : gap + 2]
            there = [query for query in queries if start < self._place[query.query_id] < end]
            if len(there) == len(its):
                found |= zip(its, there, strict=True)
            elif there and self._is_as_it_was(gap):
                of_place = {self._place[query.query_id]: query for query in there}
                moved = start - self._row_at[gap]
                found |= {at: of_place[at + moved] for at in its if at + moved in of_place}
        return found

    def _is_as_it_was(self, gap: int) -> bool:
        (row, row_end), (start, end) = self._row_at[gap : gap + 2], self._known_at[gap : gap + 2]
        return row_end - row == end - start and all(
            may_be_mended(one.text, other.text)
            for one, other in zip(
                self._rows[row + 1 : row_end], self._known[start + 1 : end], strict=True
            )
        )


@dataclass
class _Left:
    """The rows and queries of one text of which it is not known yet which is which."""

    rows: Sequence[Query]
    gaps: _Gaps
    places: list[int]
    queries: list[Query]
    sure: dict[int, Query] = field(default_factory=dict)

    def tell_apart(self) -> list[Unsure]:
        """Tell them apart as far as can be; what is left."""
        names = _said_in(self.rows[at] for at in self.places) & _said_in(self.queries)
        by_key: dict[str, tuple[list[int], list[Query]]] = {}
        for at in self.places:
            by_key.setdefault(_key(self.rows[at], names), ([], []))[0].append(at)
        for query in self.queries:
            by_key.setdefault(_key(query, names), ([], []))[1].append(query)
        for places, queries in by_key.values():
            self._pair(places, queries)
        self._pair(self.places, self.queries)
        for one in self._not_contradicted():
            self._pair(one.rows, one.queries)
        unsure = [*self._not_contradicted()]
        rows = {at for one in unsure for at in one.rows}
        ids = {query.query_id for one in unsure for query in one.queries}
        others = Unsure(
            tuple(at for at in self.places if at not in rows),
            tuple(query for query in self.queries if query.query_id not in ids),
        )
        return [*unsure, *([others] if others.rows and others.queries else [])]

    def _not_contradicted(self) -> list[Unsure]:
        """Rows and queries that may be one by what is said of them, apart from those that can be
        none of these."""
        places: dict[str, list[int]] = {}
        for at in self.places:
            places.setdefault(repr(said_of(self.rows[at])), []).append(at)
        parts: list[tuple[list[int], set[str]]] = []
        for alike in places.values():
            row = self.rows[alike[0]]
            ids = {one.query_id for one in self.queries if not said_otherwise(one, row)}
            both = [part for part in parts if part[1] & ids]
            parts = [part for part in parts if not part[1] & ids]
            rows = [at for its, _ in both for at in its]
            parts.append(([*rows, *alike], ids.union(*(its for _, its in both))))
        return [
            Unsure(tuple(sorted(its)), tuple(one for one in self.queries if one.query_id in ids))
            for its, ids in parts
            if ids
        ]

    def _pair(self, places: Sequence[int], queries: Sequence[Query]) -> None:
        """Pair those of them that are left by where they stand, and the rest in their order, where
        there are as many of both."""
        self._take(self.gaps.paired(*self._left_of(places, queries)))
        its_places, its_queries = self._left_of(places, queries)
        if len(its_places) == len(its_queries):
            self._take(dict(zip(its_places, its_queries, strict=True)))

    def _left_of(
        self, places: Sequence[int], queries: Sequence[Query]
    ) -> tuple[list[int], list[Query]]:
        left, ids = {*self.places}, {query.query_id for query in self.queries}
        return (
            [at for at in places if at in left],
            [query for query in queries if query.query_id in ids],
        )

    def _take(self, sure: Mapping[int, Query]) -> None:
        self.sure |= sure
        taken = {query.query_id for query in sure.values()}
        self.places = [at for at in self.places if at not in sure]
        self.queries = [query for query in self.queries if query.query_id not in taken]


def _said_in(queries: Iterable[Query]) -> set[str]:
    return {name for query in queries for name in said_of(query)}


def _key(query: Query, names: set[str]) -> str:
    its = said_of(query)
    return repr([(name, meant_by(name, its[name])) for name in sorted(names & its.keys())])
