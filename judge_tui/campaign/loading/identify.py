"""Which queries of a campaign those of a file are, and what a file adds to a known record."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import KnownQueries, name_of
from judge_tui.model import Document, Query

Record = TypeVar("Record", Query, Document)


class QueryOfFile(NamedTuple):
    """A query of a file in its `line`, under the id that it has in the campaign, and the campaign's
    own, None for a new one."""

    line: SupportsIndex
    query: Query
    known: Query | None


def identify(
    path: str | os.PathLike[str], rows: Sequence[tuple[SupportsIndex, Query]], known: KnownQueries
) -> list[QueryOfFile]:
    """The queries of a file with their lines, in its order. One without an id of its own whose text
    the campaign does not have gets the next free one of q001, q002 and so on.

    Raises `InputError` for a text of several queries, and for two rows that are one query.
    """
    taken = {*known, *(query.query_id for _, query in rows if query.own_id)}
    free = (one for one in (f"q{number:03}" for number in count(1)) if one not in taken)
    lines: dict[tuple[type, str], SupportsIndex] = {}
    found: list[QueryOfFile] = []
    for line, query in rows:
        name = name_of(query)
        its = known.find(line, name)
        one = name if its is None else its.query_id
        first = lines.setdefault((type(one), one), line)
        if first != line:
            raise InputError(
                path,
                line,
                f"query {quoted(name)} is in line {index(first)} already",
                "remove one of the two, or give each query an id of its own",
            )
        query_id = its.query_id if its else name if query.own_id else next(free)
        found.append(QueryOfFile(line, replace(query, query_id=query_id, own_id=True), its))
    return found


def merge_record(known: Record, new: Record, *, replacing: bool) -> tuple[Record, str]:
    """A record of the campaign with what a new one of a file adds: what was empty is filled in, and
    with `replacing` what was there. And the first field in which the two differ, "" for none."""
    merged: dict[str, Any] = {}
    unlike = ""
    for name in _FIELDS[type(known)]:
        merged[name], differs = _value(getattr(known, name), getattr(new, name), replacing)
        unlike = unlike or (name if differs else "")
    meta = dict(known.meta)
    for key, value in new.meta.items():
        meta[key], differs = _value(meta.get(key), value, replacing)
        unlike = unlike or (key if differs else "")
    return replace(known, meta=meta, **merged), unlike


_FIELDS: dict[type, tuple[str, ...]] = {
    Query: ("text", "description", "narrative", "query_class"),
    Document: ("title", "text", "url", "kind"),
}


def _value(known: Any, new: Any, replacing: bool) -> tuple[Any, bool]:
    """What holds of two values, and whether they differ."""
    if new in _NOTHING or known == new:
        return known, False
    if known in _NOTHING:
        return new, False
    return (new if replacing else known), True


_NOTHING: tuple[Any, ...] = (None, "", [], {})
