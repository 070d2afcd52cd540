"""Qrels and runs out of tables and mappings: query_id -> doc_id -> number, each pair once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from judge_tui.errors import UsageError
from judge_tui.formats.columns import DOCUMENT, GRADE, QUERY, RANK, SCORE
from judge_tui.formats.ids import text_field
from judge_tui.model import Run
from judge_tui.sources.cells import (
    Refuse,
    as_grades,
    as_ids,
    as_names,
    as_ranks,
    as_scores,
    has_null,
    is_null,
)
from judge_tui.sources.tables import TAGS, Table, holds_columns, is_table, table_of

__all__ = ["grades_in", "runs_by_tag", "scores_in"]

Number = TypeVar("Number", int, float)

Read: TypeAlias = Callable[[Sequence[Any], Refuse], list[Number]]


def grades_in(source: Any, whose: str) -> dict[str, dict[str, int]]:
    """query_id -> doc_id -> grade. An empty cell (None, NaN) means that nobody judged the pair.

    Raises `UsageError` for what is neither a mapping nor a table, with the row or the pair.
    """
    if isinstance(source, Mapping) and not holds_columns(source):
        return _of_mapping(source, whose, "grade", as_grades)
    table = table_of(source, whose, GRADE)
    rows = _rows(table, table.values(SCORE if table.is_beir else GRADE))
    if has_null(rows.numbers):
        rows = rows.only([place for place, grade in enumerate(rows.numbers) if not is_null(grade)])
    return _of_rows(rows, "grade", as_grades)


def scores_in(source: Any, whose: str) -> dict[str, dict[str, float]]:
    """query_id -> doc_id -> score. A rank stands for its negative, where there is no score; a row
    without either, but with a grade, was judged and not retrieved, as a join leaves it.

    Raises `UsageError` as `grades_in` does.
    """
    if isinstance(source, Mapping) and not holds_columns(source):
        return _of_mapping(source, whose, "score", as_scores)
    table = table_of(source, whose, SCORE)
    scores = _scores(_retrieved(table), by_rank=not table.has(SCORE))
    return {**{query_id: {} for _, query_id in _lone(table)}, **scores}


def runs_by_tag(source: Any, whose: str) -> list[Run] | None:
    """The runs of a table that names them in a column; None for any other source."""
    if not (is_table(source) or isinstance(source, list)):
        return None
    table = table_of(source, whose, SCORE)
    if not table.has(TAGS):
        return None
    rows = _retrieved(table)
    all_tags = table.values(TAGS)
    tags = [all_tags[place] for place in rows.places]
    if all(map(is_null, tags)):
        return None

    def refuse(place: int, told: str, mend: str) -> NoReturn:
        raise UsageError(f"the tag in row {rows.places[place] + 1} of {whose} is {told}", mend)

    by_tag: dict[str, list[int]] = {}
    for place, tag in enumerate(as_names(tags, refuse)):
        by_tag.setdefault(tag, []).append(place)
    by_rank = not table.has(SCORE)
    asked: dict[str, set[str]] = {}
    for place, query_id in _lone(table):
        asked.setdefault(str(all_tags[place]), set()).add(query_id)
    return [
        Run(tag, _scores(rows.only(at), by_rank=by_rank), frozenset(asked.get(tag, ())))
        for tag, at in by_tag.items()
    ]


class _Rows(NamedTuple):
    """Rows of a table; `places` says where in it each of them is, from 0."""

    whose: str
    places: Sequence[int]
    query_ids: Sequence[Any]
    doc_ids: Sequence[Any]
    numbers: Sequence[Any]

    def only(self, places: Sequence[int]) -> _Rows:
        """Those at these places among them."""
        columns = (self.places, self.query_ids, self.doc_ids, self.numbers)
        return _Rows(self.whose, *([column[at] for at in places] for column in columns))


def _rows(table: Table, numbers: Sequence[Any]) -> _Rows:
    if not numbers:
        raise UsageError(f"there is no row in {table.whose}", "give at least one")
    query_ids, doc_ids = table.values(QUERY), table.values(DOCUMENT)
    if not table.is_quepid:
        return _Rows(table.whose, range(len(numbers)), query_ids, doc_ids, numbers)
    query_ids = [text_field(text) if isinstance(text, str) else text for text in query_ids]
    rows = _Rows(table.whose, range(len(numbers)), query_ids, doc_ids, numbers)
    return rows.only([place for place, doc_id in enumerate(doc_ids) if not is_null(doc_id)])


def _lone(table: Table) -> list[tuple[int, str]]:
    """The queries for which nothing was found, as Quepid has them in rows without a document, and
    where in the table these are."""
    if not table.is_quepid:
        return []
    return [
        (place, text_field(query))
        for place, (query, doc_id) in enumerate(
            zip(table.values(QUERY), table.values(DOCUMENT), strict=True)
        )
        if is_null(doc_id) and isinstance(query, str)
    ]


def _retrieved(table: Table) -> _Rows:
    rows = _rows(table, table.values(SCORE, RANK))
    if not (table.has(GRADE) and has_null(rows.numbers)):
        return rows
    grades = table.values(GRADE)
    return rows.only(
        [
            at
            for at, (place, number) in enumerate(zip(rows.places, rows.numbers, strict=True))
            if not is_null(number) or is_null(grades[place])
        ]
    )


def _scores(rows: _Rows, *, by_rank: bool) -> dict[str, dict[str, float]]:
    if not by_rank:
        return _of_rows(rows, "score", as_scores)
    ranks = _of_rows(rows, "rank", as_ranks)
    for query_id, by_doc in ranks.items():
        holders: dict[int, str] = {}
        for doc_id, rank in by_doc.items():
            if (first := holders.setdefault(rank, doc_id)) != doc_id:
                raise UsageError(
                    f"documents {first!r} and {doc_id!r} of query {query_id!r} of {rows.whose}"
                    f" have the same rank {rank}",
                    "give each document of a query a rank of its own, or a score",
                )
    return {q: {doc_id: -float(r) for doc_id, r in of.items()} for q, of in ranks.items()}


def _of_rows(rows: _Rows, noun: str, read: Read[Number]) -> dict[str, dict[str, Number]]:
    if not rows.places:
        raise UsageError(f"there is no {noun} in {rows.whose}", "give at least one")

    def refuse_id(which: str) -> Refuse:
        def refuse(place: int, told: str, mend: str) -> NoReturn:
            row = rows.places[place] + 1
            raise UsageError(f"row {row} of {rows.whose}: the {which} id is {told}", mend)

        return refuse

    query_ids = as_ids(rows.query_ids, refuse_id("query"))
    doc_ids = as_ids(rows.doc_ids, refuse_id("document"))

    def refuse(place: int, told: str, mend: str) -> NoReturn:
        raise UsageError(
            f"row {rows.places[place] + 1} of {rows.whose}: the {noun} of {doc_ids[place]!r} for"
            f" query {query_ids[place]!r} is {told}",
            mend,
        )

    numbers = read(rows.numbers, refuse)
    pairs: dict[str, dict[str, Number]] = {}
    for query_id, doc_id, number in zip(query_ids, doc_ids, numbers, strict=True):
        pairs.setdefault(query_id, {})[doc_id] = number
    if sum(map(len, pairs.values())) < len(numbers):
        raise _twice(rows, query_ids, doc_ids)
    return pairs


def _twice(rows: _Rows, query_ids: Sequence[str], doc_ids: Sequence[str]) -> UsageError:
    first: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(zip(query_ids, doc_ids, strict=True)):
        before = first.setdefault(pair, place)
        if before != place:
            break
    query_id, doc_id = pair
    return UsageError(
        f"row {rows.places[place] + 1} of {rows.whose}: document {doc_id!r} is already in query"
        f" {query_id!r}, row {rows.places[before] + 1}",
        "remove one of the two rows",
    )


def _of_mapping(
    source: Mapping[Any, Any], whose: str, noun: str, read: Read[Number]
) -> dict[str, dict[str, Number]]:
    def refuse_id(_place: int, told: str, mend: str) -> NoReturn:
        raise UsageError(f"a query id of {whose} is {told}", mend)

    pairs: dict[str, dict[str, Number]] = {}
    query_ids = as_ids(list(source), refuse_id)
    for query_id, given in zip(query_ids, source.values(), strict=True):
        if not isinstance(given, Mapping):
            raise UsageError(
                f"query {query_id!r} of {whose}: a mapping is wanted, here {type(given).__name__}",
                f"give doc_id -> {noun}",
            )
        if query_id in pairs:
            raise UsageError(f"query {query_id!r} is twice in {whose}", "give it once")
        pairs[query_id] = _of_query(query_id, given, whose, noun, read)
    return pairs


def _of_query(
    query_id: str, given: Mapping[Any, Any], whose: str, noun: str, read: Read[Number]
) -> dict[str, Number]:
    def refuse_id(_place: int, told: str, mend: str) -> NoReturn:
        raise UsageError(f"a document id in query {query_id!r} of {whose} is {told}", mend)

    doc_ids = as_ids(list(given), refuse_id)

    def refuse(place: int, told: str, mend: str) -> NoReturn:
        raise UsageError(
            f"the {noun} of {doc_ids[place]!r} for query {query_id!r} of {whose} is {told}", mend
        )

    by_doc = dict(zip(doc_ids, read(list(given.values()), refuse), strict=True))
    if len(by_doc) < len(doc_ids):
        doubled = next(d for place, d in enumerate(doc_ids) if d in doc_ids[:place])
        raise UsageError(
            f"document {doubled!r} is twice in query {query_id!r} of {whose}", "give it once"
        )
    return by_doc
