"""The queries of a campaign: the rows of its table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.campaign.store.columns import read_metadata
from judge_tui.campaign.store.connection import Campaign
from judge_tui.model import Query

if TYPE_CHECKING:
    from judge_tui.formats.query_names import KnownQueries

__all__ = [
    "QueryName",
    "add_queries",
    "all_queries",
    "known_queries",
    "query_by_key",
    "query_keys",
    "query_names",
    "update_queries",
]


_INSERT = (
    "INSERT INTO queries (query_id, text, description, narrative, class, meta)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "UPDATE queries SET text = ?2, description = ?3, narrative = ?4, class = ?5, meta = ?6"
    " WHERE query_id = ?1"
)


def add_queries(campaign: Campaign, queries: Iterable[Query]) -> None:
    """Add queries that the campaign does not have."""
    with campaign.writing() as connection:
        connection.executemany(_INSERT, map(_row, queries))


def update_queries(campaign: Campaign, queries: Iterable[Query]) -> None:
    """Let queries that the campaign has be as these of their ids."""
    with campaign.writing() as connection:
        connection.executemany(_UPDATE, map(_row, queries))


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


def known_queries(campaign: Campaign, path: str | os.PathLike[str]) -> KnownQueries:
    """The queries, as the rows of the file `path` name them."""
    from judge_tui.formats.query_names import KnownQueries  # noqa: PLC0415 - the app names none

    return KnownQueries(
        all_queries(campaign),
        path,
        whose="the campaign",
        mend="load its queries first (load queries FILE), or leave out such rows (--skip-unknown of"
        " load)",
    )


def query_keys(campaign: Campaign) -> dict[str, int]:
    """The integer keys by query_id."""
    return dict(campaign.rows("SELECT query_id, id FROM queries"))


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


@dataclass(frozen=True, slots=True)
class QueryName:
    """What a query is called, and the class that slices are made by."""

    query_id: str
    text: str
    query_class: str


def query_by_key(campaign: Campaign, key: int) -> Query:
    """One query, whole. Raises `CampaignError` where there is none of that key."""
    query_id, text, description, narrative, query_class, meta = campaign.row(
        "SELECT query_id, text, description, narrative, class, meta FROM queries WHERE id = ?",
        (key,),
    )
    known = read_metadata(campaign.path, meta)
    return Query(query_id, text, description, narrative, query_class, known)


def query_names(campaign: Campaign) -> dict[int, QueryName]:
    """All queries, as they were loaded, by key."""
    rows = campaign.rows("SELECT id, query_id, text, class FROM queries ORDER BY id")
    return {key: QueryName(*row) for key, *row in rows}
