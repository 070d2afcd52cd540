"""The queries of a campaign."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_fields

from judge_tui.campaign.asked_texts import told_of_asked
from judge_tui.campaign.coming_queries import (
    ComingQuery,
    coming_queries,
    told_of_ids,
    told_of_unsure,
)
from judge_tui.campaign.doubled_queries import refuse_doubled, told_of_doubled
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.loaded import Loaded
from judge_tui.campaign.metadata import read_metadata
from judge_tui.campaign.query_changes import (
    QueryChanges,
    has_other_text,
    refuse_changes,
    with_said,
)
from judge_tui.campaign.standing_under import standing_under
from judge_tui.errors import InputError
from judge_tui.formats import decode_id
from judge_tui.formats.mended_texts import may_be_mended
from judge_tui.formats.named_queries import NamedQueries, words_of
from judge_tui.formats.queries_and_documents import queries_for_campaign
from judge_tui.formats.said_of_queries import said_otherwise
from judge_tui.model import Query
from judge_tui.scoring.class_terms import DEMANDS, Demand, misspelt
from judge_tui.scoring.demands import Wanted, first_named

__all__ = [
    "add_queries",
    "all_queries",
    "fill_in_queries",
    "lacking_demands",
    "lacks_demands",
    "load_queries",
    "query_keys",
]

_INSERT = (
    "INSERT INTO queries (query_id, text, description, narrative, class, meta)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_UPDATE = (
    "UPDATE queries SET text = ?2, description = ?3, narrative = ?4, class = ?5, meta = ?6"
    " WHERE query_id = ?1"
)


def load_queries(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    replace: bool = False,
) -> Loaded:
    """Load a queries file. What it says of a query that is there already is added to it; what it
    does not say stays.

    A query is the one of its id or, where the file gives it none, of its text; a new one without an
    id gets one that nobody has (`coming_queries`). Of a row that may be several queries nothing is
    taken. `notes` of what is returned tell what came of it.

    Raises `InputError` at the first bad line, and where the file says something else of known
    queries than the campaign does, or has judged ones under other ids (`refuse_doubled`): the
    judgments made so far answered that. `replace` lets what the file says hold all the same, and
    the notes say what stands under another text then; but not where the texts of judged queries are
    those of other ids now, as in a file that was numbered anew (`_refuse_numbered_anew`).
    """
    read, by_text, told = queries_for_campaign(path, format=format)
    # Read before the campaign is held: a slow file keeps no judge waiting.
    rows = read if by_text else _decoded(campaign, path, read)
    with campaign.writing() as connection:
        queries = all_queries(campaign)
        coming = coming_queries(queries, rows, by_text=by_text)
        _refuse_numbered_anew(campaign, path, queries, coming)
        sure = [one for one in coming if len(one.known) == 1]
        if not replace:
            refuse_changes(path, sure)
            refuse_doubled(campaign, path, queries, coming)
        changes = QueryChanges()
        replaced = 0
        for one in sure:
            (known,) = one.known
            changed = with_said(known, one.query, over=replace)
            changes.note(known, one.query, changed)
            if changed != known:
                connection.execute(_UPDATE, _row(changed))
                replaced += 1
        new = [one for one in coming if not one.known]
        added = [replace_fields(one.query, query_id=one.query_id) for one in new]
        add_queries(campaign, added)
        under = standing_under(campaign, changes.texts)
    notes = [
        *told,
        *misspelt(query.query_class for _, query in rows),
        *told_of_ids(queries, coming, by_text=by_text),
        *told_of_unsure(coming),
        *told_of_doubled(queries, coming),
        *told_of_asked(campaign, added),
        *changes.notes(str(under), replaced=replace),
    ]
    return Loaded(len(new), replaced, len(coming) - len(new) - replaced, notes=tuple(notes))


def _under_their_ids(coming: Iterable[ComingQuery]) -> Iterator[tuple[int, Query]]:
    for one in coming:
        known = [query.query_id for query in one.known]
        yield one.line, replace_fields(one.query, query_id=known[0] if known else one.query_id)


def add_queries(campaign: Campaign, queries: Iterable[Query]) -> None:
    """Add queries that the campaign does not have."""
    with campaign.writing() as connection:
        connection.executemany(_INSERT, map(_row, queries))


def fill_in_queries(
    campaign: Campaign, told: Mapping[str, tuple[str, str]]
) -> tuple[int, list[str]]:
    """Give queries the narrative and the description told of them, where they have none: how many
    got something, and the ids of those that have another one, which stays."""
    filled = 0
    otherwise = []
    with campaign.writing() as connection:
        for known in all_queries(campaign):
            narrative, description = told.get(known.query_id, ("", ""))
            query = replace_fields(known, narrative=narrative, description=description)
            if said_otherwise(known, query):
                otherwise.append(known.query_id)
            changed = with_said(known, query, over=False)
            if changed != known:
                connection.execute(_UPDATE, _row(changed))
                filled += 1
    return filled, otherwise


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


def _refuse_numbered_anew(
    campaign: Campaign,
    path: str | os.PathLike[str],
    queries: Sequence[Query],
    coming: Sequence[ComingQuery],
) -> None:
    """Raise `InputError` where a file has texts of the campaign's `queries` under ids of others,
    and there are judgments for any whose text would change; but not for a text that was mended,
    and of which the campaign made a query of its own: one that the file does not have, and nobody
    has judged in the app."""
    named = NamedQueries(queries)
    there = {known.query_id for one in coming for known in one.known}
    other = [
        (one, known)
        for one in coming
        for known in one.known
        if one.query.own_id and has_other_text(known, one.query)
    ]
    moved: tuple[ComingQuery, Query, str] | None = None
    for one, known in other:
        same = [query.query_id for query in named.of_text(one.query.text)]
        own = may_be_mended(known.text, one.query.text) and not there.intersection(same)
        if same and not (own and not standing_under(campaign, same, from_files=False).judgments):
            moved = one, known, same[0]
            break
    if moved is None:
        return
    under = standing_under(campaign, [known.query_id for _, known in other])
    if under.judgments:
        one, known, its = moved
        raise InputError(
            path,
            one.line,
            f"query {known.query_id!r} is {words_of(known.text)!r:.70} in the campaign, and"
            f" {words_of(one.query.text)!r:.70} here, which is {its!r}"
            f" there: the file is numbered anew, and {under} would stand under other texts",
            "give each query the id that it has in the campaign, and new ones new ids",
        )


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
