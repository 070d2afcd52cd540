"""The queries of a campaign."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace as replace_fields
from itertools import count, islice

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.metadata import read_metadata
from judge_tui.errors import InputError
from judge_tui.formats import decode_id
from judge_tui.formats.named_queries import NamedQueries
from judge_tui.formats.queries_and_documents import queries_for_campaign
from judge_tui.model import Query
from judge_tui.scoring.class_terms import DEMANDS, Demand, misspelt
from judge_tui.scoring.demands import Wanted, first_named

__all__ = [
    "add_queries",
    "all_queries",
    "fill_in_queries",
    "free_ids",
    "lacking_demands",
    "lacks_demands",
    "load_queries",
    "query_keys",
]

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

    A file without ids of queries, as Quepid has them, adds those whose texts are new, as q1, q2 and
    so on, be a text the id of another; those that are there get its narratives and descriptions
    where they have none.
    """
    read, by_text, told = queries_for_campaign(path, format=format)
    if by_text:
        return _load_by_text(campaign, [query for _, query in read], told)
    added = replaced = unchanged = 0
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = _decoded(campaign, path, read)
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
    notes = misspelt(query.query_class for _, query in rows)
    return Loaded(added, replaced, unchanged, notes=(*told, *notes))


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


def free_ids(taken: Collection[str], wanted: int) -> list[str]:
    """Ids for queries that come without: q1, q2 and so on, counted on from how many there are."""
    width = len(str(len(taken) + wanted))
    numbers = (f"q{number:0{width}}" for number in count(len(taken) + 1))
    return list(islice((one for one in numbers if one not in taken), wanted))


def _load_by_text(campaign: Campaign, read: Sequence[Query], told: Sequence[str]) -> Loaded:
    """Take over queries whose texts stand for ids; `told`: what is to be known of their file."""
    with campaign.writing():
        known = all_queries(campaign)
        named = NamedQueries(known)
        found = [(query, named.of_text(decode_id(query.query_id))) for query in read]
        new = [query for query, there in found if not there]
        ids_as_texts = [query.text for query in new if named.of_field(query.query_id)]
        ids = free_ids({query.query_id for query in known}, len(new))
        add_queries(
            campaign,
            [replace_fields(query, query_id=one) for query, one in zip(new, ids, strict=True)],
        )
        needs = {
            one.query_id: (query.narrative, query.description)
            for query, there in found
            for one in there
        }
        filled = fill_in_queries(campaign, needs)
    notes = [*told]
    if ids_as_texts:
        notes.append(
            f"new queries whose texts are ids of others: {len(ids_as_texts):,}, such as"
            f" {ids_as_texts[0]!r:.70}; the file tells queries by their text"
        )
    unchanged = len(read) - len(new) - filled
    return Loaded(len(new), replaced=filled, unchanged=unchanged, notes=tuple(notes))


def _decoded(
    campaign: Campaign, path: str | os.PathLike[str], read: Sequence[tuple[int, Query]]
) -> list[tuple[int, Query]]:
    """The file's queries with their lines, under the ids by which the campaign knows them."""
    rows: list[tuple[int, Query]] = []
    lines: dict[str, int] = {}
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


def lacks_demands(query: Query, demands: Mapping[Demand, Wanted]) -> bool:
    """Whether a query of the campaign demands anything else than these, which a file has of it."""
    return any(query.meta.get(demand) != its.written for demand, its in demands.items())


def lacking_demands(query_ids: Sequence[str]) -> str:
    """What is to be said of the queries that do."""
    return (
        f"queries of which the file says what is to come first ({', '.join(DEMANDS)}), and the"
        f" campaign does not: {first_named(query_ids)}; it is no grade and is left out here:"
        " load these queries with it, with --replace"
    )
