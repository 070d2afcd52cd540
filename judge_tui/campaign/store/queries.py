"""The queries of a campaign: the rows of its table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.campaign.store.backend import insertion
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.metadata import metadata_text, read_metadata
from judge_tui.model import Query

if TYPE_CHECKING:
    from judge_tui.formats.query_names import KnownQueries

QUERY_FIELDS = ("text", "description", "narrative", "class", "meta")
QUERY_COLUMNS = ("query_id", *QUERY_FIELDS)
_COLUMNS = ", ".join(QUERY_COLUMNS)


def write_queries(campaign: Campaign, queries: Iterable[Query]) -> None:
    """Let queries be as these: new ones join the campaign."""
    with campaign.writing():
        campaign.execute_many(
            insertion("queries", "query_id", *QUERY_FIELDS)
            + " ON CONFLICT (query_id) DO UPDATE SET text = excluded.text,"
            " description = excluded.description, narrative = excluded.narrative,"
            " class = excluded.class, meta = excluded.meta",
            (
                (
                    one.query_id,
                    one.text,
                    one.description,
                    one.narrative,
                    one.query_class,
                    metadata_text(one.meta),
                )
                for one in queries
            ),
        )


def all_queries(campaign: Campaign) -> list[Query]:
    """The queries in the order in which they were loaded."""
    rows = campaign.rows(f"SELECT {_COLUMNS} FROM queries ORDER BY id")
    return [query_of_row(campaign, row) for row in rows]


def query_by_key(campaign: Campaign, key: int) -> Query:
    """One query, whole. Raises `CampaignError` where there is none of that key."""
    row = campaign.row(f"SELECT {_COLUMNS} FROM queries WHERE id = ?", (key,))
    return query_of_row(campaign, row)


def query_of_row(campaign: Campaign, row: Sequence[str]) -> Query:
    """What a row of `QUERY_COLUMNS` holds."""
    query_id, text, description, narrative, query_class, meta = row
    known = read_metadata(campaign.path, meta)
    return Query(query_id, text, description, narrative, query_class, known)


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


@dataclass(frozen=True, slots=True)
class QueryName:
    """What a query is called, and the class that slices are made by."""

    query_id: str
    text: str
    query_class: str


def query_names(campaign: Campaign) -> dict[int, QueryName]:
    """All queries, as they were loaded, by key."""
    rows = campaign.rows("SELECT id, query_id, text, class FROM queries ORDER BY id")
    return {key: QueryName(*row) for key, *row in rows}
