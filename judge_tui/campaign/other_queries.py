"""Queries of another copy of the campaign that have the ids of others here, as where each copy got
a new one: what was judged and found there is of its own text and must not come under ours."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Mapping

from judge_tui.campaign.query_changes import texts_listed
from judge_tui.campaign.typed import typed
from judge_tui.errors import CampaignError
from judge_tui.formats.mended_texts import may_be_mended
from judge_tui.formats.named_queries import words_of

__all__ = ["leave_out", "other_queries", "refuse_other_queries"]


def other_queries(connection: sqlite3.Connection, source: int) -> dict[str, tuple[str, str]]:
    """query_id -> the text here and there, of those among the queries staged under the number
    `source` that ask something else there; a text that was mended on one side does not. Ascending
    by query_id."""
    rows = connection.execute(
        "SELECT query_id, o.text, t.text FROM temp.incoming_queries AS t"
        " JOIN main.queries AS o USING (query_id)"
        " WHERE t.source = ? AND o.text <> t.text ORDER BY query_id",
        (source,),
    )
    return {query_id: texts for query_id, *texts in rows if not may_be_mended(*texts)}


def refuse_other_queries(
    connection: sqlite3.Connection, source: int, file: str, others: Mapping[str, tuple[str, str]]
) -> None:
    """Raise `CampaignError` where there are any in the file, which was staged under that number."""
    if not others:
        return
    mend = (
        "if they are one query, give it one text in both files first (load queries FILE --replace,"
        " with its id); else leave out"
    )
    if _have_other_ids(connection, source, others):
        export = typed(file, "export judgments", "-f quepid-book-json -o FILE")
        mend = (
            "as some are on the other side by another id, take what was judged there by the texts"
            f" of queries: {export}, and here load queries FILE, then load qrels FILE (times,"
            " flags and what a lead settled do not come); or leave out"
        )
    listed = texts_listed(others, "{} here, {} there")
    raise CampaignError(
        file,
        f"other queries have the same ids there as here: {listed}",
        f"{mend} what that file has of them (--skip-other-queries)",
    )


def _have_other_ids(
    connection: sqlite3.Connection, source: int, others: Mapping[str, tuple[str, str]]
) -> bool:
    """Whether the other side has the text of any of them, so that to mend texts does not help."""
    ours = {words_of(text) for (text,) in connection.execute("SELECT text FROM main.queries")}
    rows = connection.execute("SELECT text FROM temp.incoming_queries WHERE source = ?", (source,))
    theirs = {words_of(text) for (text,) in rows}
    return any(
        words_of(here) in theirs or words_of(there) in ours for here, there in others.values()
    )


def leave_out(
    connection: sqlite3.Connection, source: int, query_ids: Collection[str]
) -> tuple[int, int]:
    """Take all of these queries out of what was staged: how many pairs that are new here, and how
    many new events, do not come."""
    if not query_ids:
        return 0, 0
    named = {"source": source, "ids": json.dumps([*query_ids])}
    pairs = connection.execute(_NEW_PAIRS, named).fetchone()[0]
    for table in ("gold", "assignments"):
        connection.execute(f"{_DELETE.format(table)} AND key IN ({_PAIRS})", named)
    for table in ("decided", "settled"):
        connection.execute(f"{_DELETE.format(table)} AND pair IN ({_PAIRS})", named)
    events = connection.execute(f"{_DELETE.format('events')} AND pair IN ({_PAIRS})", named)
    connection.execute(f"{_DELETE.format('pairs')} AND key IN ({_PAIRS})", named)
    for table in ("results", "asked", "queries"):
        connection.execute(f"{_DELETE.format(table)} AND query_id IN ({_IDS})", named)
    return int(pairs), events.rowcount


_DELETE = "DELETE FROM temp.incoming_{} WHERE source = :source"
_IDS = "SELECT value FROM json_each(:ids)"
_PAIRS = (
    "SELECT t.key FROM temp.incoming_pairs AS t LEFT JOIN main.pool AS o ON o.id = t.here"  # noqa: S608
    " LEFT JOIN main.queries AS q ON q.id = o.query"
    f" WHERE t.source = :source AND coalesce(t.query_id, q.query_id) IN ({_IDS})"
)
_NEW_PAIRS = (
    "SELECT count(*) FROM temp.incoming_pairs"  # noqa: S608
    f" WHERE source = :source AND here IS NULL AND query_id IN ({_IDS})"
)
