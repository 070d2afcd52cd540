"""The queries of a campaign."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace as replace_fields

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.metadata import read_metadata
from judge_tui.errors import InputError
from judge_tui.formats import decode_id, iter_queries
from judge_tui.model import Query

__all__ = ["add_queries", "all_queries", "fill_in_queries", "load_queries", "query_keys"]

_INSERT = (
    "INSERT INTO queries (query_id, text, description, narrative, class, meta)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)


def load_queries(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    replace: bool = False,
) -> Loaded:
    """Load a queries file; a query that is there already with the same text is left alone.

    Raises `InputError` at the first bad line, and where a known id comes with another text: the
    judgments made so far answered the old one. `replace` changes it all the same.
    """
    added = replaced = unchanged = 0
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = _decoded(campaign, path, format)
    with campaign.writing() as connection:
        known = {query.query_id: query for query in all_queries(campaign)}
        for line, query in rows:
            if query.query_id not in known:
                connection.execute(_INSERT, _row(query))
                added += 1
            elif known[query.query_id] == query:
                unchanged += 1
            elif replace:
                connection.execute(
                    "UPDATE queries SET query_id = ?1, text = ?2, description = ?3,"
                    " narrative = ?4, class = ?5, meta = ?6 WHERE query_id = ?1",
                    _row(query),
                )
                replaced += 1
            else:
                raise InputError(
                    path,
                    line,
                    f"query {query.query_id!r} is in the campaign already, and not the same",
                    "give it a new id, or change it for everybody with --replace",
                )
    return Loaded(added, replaced, unchanged)


def add_queries(campaign: Campaign, queries: Iterable[Query]) -> None:
    """Add queries that the campaign does not have."""
    with campaign.writing() as connection:
        connection.executemany(_INSERT, map(_row, queries))


def fill_in_queries(campaign: Campaign, told: Mapping[str, tuple[str, str]]) -> int:
    """Give queries the narrative and the description told of them, where they have none; how many
    got something."""
    filled = 0
    with campaign.writing() as connection:
        for query in all_queries(campaign):
            narrative, description = told.get(query.query_id, ("", ""))
            both = query.narrative or narrative, query.description or description
            if both != (query.narrative, query.description):
                connection.execute(
                    "UPDATE queries SET narrative = ?, description = ? WHERE query_id = ?",
                    (*both, query.query_id),
                )
                filled += 1
    return filled


def all_queries(campaign: Campaign) -> list[Query]:
    """The queries in the order in which they were loaded."""
    rows = campaign.rows(
        "SELECT query_id, text, description, narrative, class, meta FROM queries ORDER BY id"
    )
    return [
        Query(
            query_id,
            text,
            description,
            narrative,
            query_class,
            read_metadata(campaign.path, meta),
        )
        for query_id, text, description, narrative, query_class, meta in rows
    ]


def query_keys(campaign: Campaign) -> dict[str, int]:
    """The integer keys by query_id."""
    return dict(campaign.rows("SELECT query_id, id FROM queries"))


def _decoded(
    campaign: Campaign, path: str | os.PathLike[str], format: str | None
) -> list[tuple[int, Query]]:
    """The file's queries with their lines, under the ids by which the campaign knows them."""
    rows: list[tuple[int, Query]] = []
    lines: dict[str, int] = {}
    read = list(iter_queries(path, format=format, exact=True))
    known = query_keys(campaign)
    own = {decode_id(query.query_id) for _, query in read}
    for line, query in read:
        query_id = decode_id(query.query_id)
        # As a table has it that was made from a file of TREC, or exported by an earlier version.
        other = decode_id(query_id)
        if query_id not in known and other in known and other not in own:
            query_id = other
        first = lines.setdefault(query_id, line)
        if first != line:
            raise InputError(
                path,
                line,
                f"query {query.query_id!r} is the one of line {first}: white space in an id may be"
                " written as %20",
                "keep one of the two, or write a real %20 as %2520",
            )
        rows.append((line, replace_fields(query, query_id=query_id)))
    return rows


def _row(query: Query) -> tuple[str, ...]:
    meta = json.dumps(query.meta, ensure_ascii=False)
    return (
        query.query_id,
        query.text,
        query.description,
        query.narrative,
        query.query_class,
        meta,
    )
