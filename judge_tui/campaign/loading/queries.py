"""Queries into a campaign, from a file of them or beside documents and grades: which of its queries
those of a file are, and what a file adds to a known record."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace as changed_in
from itertools import count
from operator import index
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import known_queries, write_queries
from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import KnownQueries, folded_text, name_of
from judge_tui.formats.rows import iter_queries
from judge_tui.formats.source import AsLayout
from judge_tui.model import Document, Query

PathLike = str | os.PathLike[str]


def load_queries(
    campaign: Campaign, path: PathLike, *, layout: AsLayout = None, replace: bool = False
) -> LoadCounts:
    """Load a file of queries. What it says of a query that is there already is added to it; what it
    does not say stays.

    Raises `InputError` at the first bad line, and where the file says something else of a query
    than the campaign does, unless `replace`: then the file holds.
    """
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = list(iter_queries(path, format=layout))
    with campaign.writing():
        return take_queries(campaign, path, rows, replace=replace)[0]


def take_queries(
    campaign: Campaign,
    path: PathLike,
    rows: Sequence[tuple[SupportsIndex, Query]],
    *,
    replace: bool,
) -> tuple[LoadCounts, list[str]]:
    """The same of rows that were read, and the ids that they have in the campaign, in their order;
    part of the caller's transaction."""
    here = known_queries(campaign, path)
    found = identify(path, rows, here)
    new = [one.query for one in found if one.known is None]
    changed = []
    for line, query, known in found:
        if known is None:
            continue
        if not replace:
            here.refuse_other_text(line, known, query.text)
        # White space is no other text.
        same = folded_text(known.text) == folded_text(query.text)
        new_of_it = changed_in(query, text=known.text) if same else query
        merged, unlike = merge_record(known, new_of_it, replacing=replace)
        if unlike and not replace:
            raise InputError(
                path,
                line,
                f"query {quoted(known.query_id)} has another {_called(unlike)} in the campaign",
                "mend the line, or change the campaign's query with --replace",
            )
        if merged != known:
            changed.append(merged)
    write_queries(campaign, [*new, *changed])
    counts = LoadCounts(len(new), len(changed), len(found) - len(new) - len(changed))
    return counts, [one.query.query_id for one in found]


def _called(field: str) -> str:
    return "class" if field == "query_class" else field


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
        found.append(QueryOfFile(line, changed_in(query, query_id=query_id, own_id=True), its))
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
    return changed_in(known, meta=meta, **merged), unlike


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
