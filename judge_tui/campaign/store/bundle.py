"""What one judge needs on another machine, as a campaign file of its own.

It is the same campaign, cut down to one judge: the pairs that were assigned (the whole pool where
nothing is assigned to anybody), their queries and documents, the judge's own events. It is as blind
as the Judge screen, to whoever opens the file: no run, no other judge, no gold grade, nothing of
why a pair is in the pool or was assigned, and no integer key that follows the order of a run.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from judge_tui.campaign.store.columns import DOCUMENT_FIELDS, EVENT_FIELDS, QUERY_FIELDS
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.events import rebuild
from judge_tui.campaign.store.judges import Judge, all_judges, find_judge, proper_name
from judge_tui.campaign.store.opening import new_file
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError, unknown

__all__ = ["Bundled", "export_bundle"]


@dataclass(frozen=True, slots=True)
class Bundled:
    """What a bundle holds: counts of pairs, of those that are decided, and of documents.

    `new`: the judge is not in the campaign yet. `size` is the file's, in bytes.
    """

    judge: str
    pairs: int
    decided: int
    queries: int
    documents: int
    without_text: int
    size: int
    new: bool


def export_bundle(campaign: Campaign, path: str | os.PathLike[str], *, judge: str) -> Bundled:
    """Write the bundle of one judge to `path`, whole or not at all.

    A judge who is not in the campaign yet can have one where nothing is assigned. Raises
    `UsageError` for a judge who has nothing to judge, and `CampaignError` where the path exists or
    cannot be written.
    """
    known = _judge(campaign, proper_name(judge))
    campaign.refuse_another_file()
    with _home(campaign) as home, new_file(path, campaign.settings) as connection:
        connection.execute("ATTACH ? AS home", (str(home),))
        for sql in _STATEMENTS:
            connection.execute(sql, {"judge": known.key, "name": known.name, "kind": known.kind})
        if campaign.settings.show_ranks:
            for sql in _RANKS:
                connection.execute(sql)
        rebuild(connection)
        counts = _counts(connection)
        if not counts[0]:
            raise _nothing(campaign, known)
    return Bundled(known.name, *counts, size=Path(path).stat().st_size, new=known.key == _NEW)


@contextmanager
def _home(campaign: Campaign) -> Iterator[Path]:
    """The campaign's file; a copy of one that is read-only, as SQLite writes beside it."""
    if not campaign.read_only:
        yield campaign.place
        return
    with TemporaryDirectory(prefix="judge-tui-") as folder:
        copy = Path(folder) / "copy.db"
        with campaign.in_words(), closing(sqlite3.connect(copy)) as target:
            campaign.connection.backup(target)
        yield copy


_NEW = 0
"""The key of nobody, for a judge who is not in the campaign yet."""


def _judge(campaign: Campaign, name: str) -> Judge:
    judge = find_judge(campaign, name)
    if judge is not None:
        return judge
    if campaign.rows("SELECT 1 FROM assignments LIMIT 1"):
        raise unknown("judge", name, [judge.name for judge in all_judges(campaign)])
    return Judge(_NEW, name, "judge", "human")


def _nothing(campaign: Campaign, judge: Judge) -> UsageError:
    if not campaign.rows("SELECT 1 FROM pool LIMIT 1"):
        return UsageError("there is nothing to judge yet", f"first: {typed(campaign.path, 'pool')}")
    return UsageError(
        f"nothing is assigned to {judge.name!r}",
        f"first: {typed(campaign.path, 'assign', '--judges NAMES')}",
    )


def _counts(connection: sqlite3.Connection) -> tuple[int, int, int, int, int]:
    pairs, decided, queries, documents, without_text = connection.execute(
        "SELECT (SELECT count(*) FROM main.pool), (SELECT count(*) FROM main.decisions),"
        " (SELECT count(*) FROM main.queries), (SELECT count(*) FROM main.documents),"
        " (SELECT count(*) FROM main.documents WHERE text IS NULL)"
    ).fetchone()
    return pairs, decided, queries, documents, without_text


_QUERY = ", ".join(QUERY_FIELDS)
_DOCUMENT = ", ".join(DOCUMENT_FIELDS)
_EVENT = ", ".join(EVENT_FIELDS)

_STATEMENTS = (
    "CREATE TEMP TABLE chosen (there INTEGER PRIMARY KEY, query INTEGER, document INTEGER)",
    # A pair that was taken from the judge stays, if the judge did something with it.
    "INSERT INTO temp.chosen SELECT id, query, document FROM home.pool"
    " WHERE NOT EXISTS (SELECT 1 FROM home.assignments)"
    " OR id IN (SELECT pair FROM home.assignments WHERE judge = :judge"
    "  UNION SELECT pair FROM home.events WHERE judge = :judge)",
    "INSERT INTO main.judges (id, name, role, kind) VALUES (1, :name,"
    " coalesce((SELECT role FROM home.judges WHERE id = :judge), 'judge'), :kind)",
    # Queries keep their order, which the judge meets them in; documents and pairs get another one:
    # theirs would tell which run had brought them.
    f"INSERT INTO main.queries (query_id, {_QUERY}) SELECT query_id, {_QUERY} FROM home.queries"
    " WHERE id IN (SELECT query FROM temp.chosen) ORDER BY id",
    f"INSERT INTO main.documents (doc_id, {_DOCUMENT}) SELECT doc_id, {_DOCUMENT}"
    " FROM home.documents WHERE id IN (SELECT document FROM temp.chosen) ORDER BY doc_id",
    "CREATE TEMP TABLE pairs (there INTEGER PRIMARY KEY, query INTEGER, document INTEGER)",
    "INSERT INTO temp.pairs SELECT c.there, q.id, d.id FROM temp.chosen AS c"
    " JOIN home.queries AS hq ON hq.id = c.query JOIN home.documents AS hd ON hd.id = c.document"
    " JOIN main.queries AS q ON q.query_id = hq.query_id"
    " JOIN main.documents AS d ON d.doc_id = hd.doc_id",
    "INSERT INTO main.pool (query, document, stratum)"
    " SELECT query, document, '' FROM temp.pairs ORDER BY query, document",
    "CREATE TEMP TABLE keys (there INTEGER PRIMARY KEY, here INTEGER)",
    "INSERT INTO temp.keys SELECT t.there, p.id FROM temp.pairs AS t"
    " JOIN main.pool AS p ON (p.query, p.document) = (t.query, t.document)",
    "INSERT INTO main.assignments (judge, pair, turn, position, purpose)"
    " SELECT 1, k.here, a.turn, a.position, iif(a.turn = 1, 'repeat', 'normal')"
    " FROM home.assignments AS a JOIN temp.keys AS k ON k.there = a.pair"
    " WHERE a.judge = :judge ORDER BY 2, 3",
    f"INSERT INTO main.events (id, judge, pair, {_EVENT})"
    f" SELECT e.id, 1, k.here, {', '.join(f'e.{name}' for name in EVENT_FIELDS)}"
    " FROM home.events AS e JOIN temp.keys AS k ON k.there = e.pair"
    " WHERE e.judge = :judge ORDER BY e.id",
)

# Where judges are shown ranks, those of these pairs are needed. Depth 0 says that nothing else of
# the run is here: no measure can be computed of it, and merging never takes it for the whole.
_RANKS = (
    "INSERT INTO main.runs (tag, source, sha256, loaded_at, depth, settings)"
    " SELECT tag, source, sha256, loaded_at, 0, settings FROM home.runs ORDER BY id",
    "INSERT INTO main.results (run, query, rank, document, score)"
    " SELECT n.id, p.query, r.rank, p.document, r.score FROM temp.chosen AS c"
    " JOIN temp.pairs AS p ON p.there = c.there"
    " JOIN home.results AS r ON r.query = c.query AND r.document = c.document"
    " JOIN home.runs AS hr ON hr.id = r.run JOIN main.runs AS n ON n.tag = hr.tag"
    " ORDER BY 1, 2, 3",
)
