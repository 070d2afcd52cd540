"""Queries of a file, and which of a campaign's they are: by their ids, or else by their texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count, islice
from typing import NamedTuple

from judge_tui.formats.ids import as_field
from judge_tui.formats.mended_texts import may_be_mended, mended_ones
from judge_tui.formats.named_queries import NamedQueries, words_of
from judge_tui.formats.problems import quoted
from judge_tui.formats.which_queries import which_queries
from judge_tui.model import Query

__all__ = [
    "ComingQuery",
    "coming_queries",
    "first_three",
    "free_ids",
    "told_of_ids",
    "told_of_unsure",
]

_WIDTH = 3
"""Of the number in an id that a place in a file gives: q001."""


class ComingQuery(NamedTuple):
    """A query in a `line` of a file, and the campaign's that it is; several of one text where
    nothing says which. `may_be`: the campaign's of its text, where nothing says which rows of that
    text are which. `query_id`: what a new one is called in the campaign."""

    line: int
    query: Query
    known: Sequence[Query]
    may_be: Sequence[Query]
    query_id: str


def coming_queries(
    known: Sequence[Query], rows: Sequence[tuple[int, Query]], *, by_text: bool = False
) -> list[ComingQuery]:
    """The queries of a file with their lines, in its order, beside those of a campaign.

    One with an id of its own is the query of that id. Others are none of these, and are known by
    their texts (`which_queries`); a new text at the place of a query that the file has no more,
    while most of the others stand where they stood, is that query with its text mended, if it may
    be (`may_be_mended`). A new one has the id of its place, unless another has that; then, or where
    texts stand for ids (`by_text`), an id that neither the campaign nor the file has.
    """
    named = NamedQueries(known)
    nameless = [query for _, query in rows if not query.own_id]
    own = {query.query_id for _, query in rows if query.own_id} if nameless else ()
    others = NamedQueries(query for query in known if query.query_id not in own) if own else named
    which = which_queries(nameless, others)
    of_text = which.of_each(len(nameless))
    found = of_text if by_text else _with_mended(others, nameless, of_text)
    may_be = {at: its.queries for its in which.unsure for at in its.rows}
    each = iter([(its, may_be.get(at, ())) for at, its in enumerate(found)])
    theirs: list[tuple[Sequence[Query], Sequence[Query]]] = []
    for _, query in rows:
        of_id = named.of_id(query.query_id) if query.own_id else None
        theirs.append(((of_id,) if of_id else (), ()) if query.own_id else next(each))
    taken = {query.query_id for query in known}
    without = [
        not (its or query.own_id) and (by_text or query.query_id in taken)
        for (_, query), (its, _) in zip(rows, theirs, strict=True)
    ]
    if not by_text:  # so that no run which numbers queries by this file names one of these
        taken.update(query.query_id for _, query in rows)
    free = iter(free_ids(taken, sum(without), 1 if by_text else _WIDTH))
    return [
        ComingQuery(line, query, *its, next(free) if lacks else query.query_id)
        for (line, query), its, lacks in zip(rows, theirs, without, strict=True)
    ]


def free_ids(taken: Collection[str], wanted: int, width: int = 1) -> list[str]:
    """Ids for queries that come without: q1, q2 and so on, counted on from how many there are, of
    at least so many digits."""
    width = max(width, len(str(len(taken) + wanted)))
    numbers = (f"q{number:0{width}}" for number in count(len(taken) + 1))
    return list(islice((one for one in numbers if one not in taken), wanted))


def told_of_ids(
    known: Sequence[Query], coming: Sequence[ComingQuery], *, by_text: bool = False
) -> list[str]:
    """What is to be told of the ids under which queries come that have none of their own."""
    nameless = [one for one in coming if not one.query.own_id]
    if by_text:
        return _told_of_texts(NamedQueries(known), nameless)
    ids = {query.query_id for query in known} | {one.query_id for one in coming if not one.known}
    elsewhere = [
        f"{quoted(one.query.text)} is {its}, not {one.query.query_id}"
        for one in nameless
        for its in ([query.query_id for query in one.known] or [one.query_id])
        if len(one.known) < 2
        if its != one.query.query_id and one.query.query_id in ids
    ]
    if not elsewhere:
        return []
    told = [
        "the file has no ids of queries, which are known by their texts, and its places would give"
        f" {len(elsewhere):,} of {len(nameless):,} the ids of others ({first_three(elsewhere)}): a"
        " run that numbers queries by this file is taken for others, unless NAME.answers.jsonl"
        " beside it says what was asked; write their ids into the file, as query_id"
    ]
    there = {query.query_id for one in coming for query in one.known}
    gone = [f"{one.query_id} {quoted(one.text)}" for one in known if one.query_id not in there]
    if gone and any(not one.known for one in nameless):
        told.append(
            f"queries of the campaign that the file does not have: {len(gone):,}"
            f" ({first_three(gone)}); one whose text was mended beyond recognition counts as a new"
            " query"
        )
    return told


def told_of_unsure(coming: Sequence[ComingQuery]) -> list[str]:
    """What is to be told of rows of which nothing says which queries they are."""
    rows: dict[tuple[str, ...], list[ComingQuery]] = {}
    for one in coming:
        if one.may_be:
            rows.setdefault(tuple(query.query_id for query in one.may_be), []).append(one)
    fewer: list[str] = []
    more: list[str] = []
    for ids, its in rows.items():
        lines = ("line " if len(its) == 1 else "lines ") + ", ".join(str(one.line) for one in its)
        which = f"{quoted(its[0].query.text)} in {lines}, {' or '.join(ids)}"
        (fewer if len(its) < len(ids) else more).append(which)
    told = []
    if fewer:
        told.append(
            f"rows that ask what several queries of the campaign do, and nothing says which of them"
            f" they are: {first_three(fewer)}; nothing is taken from them, and their answers and"
            f" runs are refused, {_WRITE_IDS}"
        )
    if more:
        told.append(
            "rows that ask the same, and nothing says which of them the campaign has:"
            f" {first_three(more)}; the first ones are taken for its queries, in their order, and"
            f" the rest for new ones, {_WRITE_IDS}"
        )
    return told


_WRITE_IDS = "unless the ids of the queries are written into the file, as query_id"


def _with_mended(
    named: NamedQueries, queries: Sequence[Query], found: Sequence[Sequence[Query]]
) -> list[Sequence[Query]]:
    """What was found by text; and, for texts that are new where most are known, the queries that
    the file has no more, if these are their older texts: of the one which stood at its place, where
    most stand where they stood, or else of the only one that it may be."""
    mended = list(found)
    places = sum(
        any(one.query_id == query.query_id for one in its)
        for query, its in zip(queries, found, strict=True)
    )
    if 2 * places > len(queries):
        there = {one.query_id for its in found for one in its}
        for at, query in enumerate(queries):
            stood = None if found[at] or query.query_id in there else named.of_id(query.query_id)
            if stood and may_be_mended(stood.text, query.text):
                mended[at] = [stood]
    if 2 * sum(map(bool, found)) > len(queries):
        there = {one.query_id for its in mended for one in its}
        gone = [one for one in named if one.query_id not in there and words_of(one.text)]
        new = [at for at, its in enumerate(mended) if not its]
        texts = [queries[at].text for at in new]
        for was, at in mended_ones([one.text for one in gone], texts).items():
            mended[new[at]] = [gone[was]]
    return mended


def _told_of_texts(named: NamedQueries, coming: Sequence[ComingQuery]) -> list[str]:
    texts = [one.query.text for one in coming if not one.known]
    of_ids = [text for text in texts if named.of_field(as_field(text))]
    if not of_ids:
        return []
    return [
        f"new queries whose texts are ids of others: {len(of_ids):,}, such as {of_ids[0]!r:.70};"
        " the file tells queries by their text"
    ]


def first_three(told: Sequence[str]) -> str:
    """The first three, in a line."""
    return "; ".join([*told[:3], *(["…"] if len(told) > 3 else [])])
