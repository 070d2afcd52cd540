"""The tables of a campaign and their migrations, oldest first. Never edit a landed migration."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import quote
from uuid import UUID

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from judge_tui.campaign.store.events import rebuild
from judge_tui.errors import UsageError

if TYPE_CHECKING:
    import sqlite3

__all__ = ["migrate"]


migrations = Migrations("judge_tui")


@migrations()
def m001_the_nouns(db: Database) -> None:
    """Campaign, queries, documents, runs, results, pool, judges and the events."""
    db.conn.execute(
        """
        CREATE TABLE campaign (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            scale TEXT NOT NULL,
            guidelines TEXT NOT NULL,
            seed INTEGER NOT NULL,
            show_ranks INTEGER NOT NULL,
            schema_version INTEGER NOT NULL,
            created TEXT NOT NULL
        ) STRICT
        """
    )
    db.conn.execute(
        """
        CREATE TABLE queries (
            id INTEGER PRIMARY KEY,
            query_id TEXT NOT NULL UNIQUE,
            text TEXT NOT NULL,
            description TEXT NOT NULL,
            narrative TEXT NOT NULL,
            class TEXT NOT NULL,
            meta TEXT NOT NULL
        ) STRICT
        """
    )
    # text IS NULL: only the id is known, no documents file has held it yet.
    db.conn.execute(
        """
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY,
            doc_id TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL DEFAULT '',
            text TEXT,
            url TEXT NOT NULL DEFAULT '',
            kind TEXT NOT NULL DEFAULT '',
            meta TEXT NOT NULL DEFAULT '{}'
        ) STRICT
        """
    )
    db.conn.execute(
        """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY,
            tag TEXT NOT NULL UNIQUE,
            source TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            loaded_at TEXT NOT NULL,
            depth INTEGER NOT NULL,
            settings TEXT NOT NULL
        ) STRICT
        """
    )
    db.conn.execute(
        """
        CREATE TABLE results (
            run INTEGER NOT NULL REFERENCES runs,
            query INTEGER NOT NULL REFERENCES queries,
            rank INTEGER NOT NULL,
            document INTEGER NOT NULL REFERENCES documents,
            score REAL NOT NULL,
            PRIMARY KEY (run, query, rank)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.conn.execute("CREATE INDEX results_by_pair ON results (query, document)")
    db.conn.execute(
        """
        CREATE TABLE pool (
            id INTEGER PRIMARY KEY,
            query INTEGER NOT NULL REFERENCES queries,
            document INTEGER NOT NULL REFERENCES documents,
            priority REAL NOT NULL,
            stratum TEXT NOT NULL,
            UNIQUE (query, document)
        ) STRICT
        """
    )
    db.conn.execute(
        """
        CREATE TABLE judges (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            role TEXT NOT NULL CHECK (role IN ('judge', 'lead')),
            kind TEXT NOT NULL CHECK (kind IN ('human', 'model'))
        ) STRICT
        """
    )
    db.conn.execute(
        """
        CREATE TABLE events (
            id TEXT PRIMARY KEY,
            judge INTEGER NOT NULL REFERENCES judges,
            pair INTEGER NOT NULL REFERENCES pool,
            action TEXT NOT NULL CHECK (action IN (
                'grade', 'skip', 'cannot', 'flag', 'unflag', 'comment', 'adjudicate',
                'undo', 'redo')),
            grade INTEGER CHECK ((grade IS NOT NULL) = (action IN ('grade', 'adjudicate'))),
            note TEXT NOT NULL,
            target TEXT REFERENCES events CHECK (
                (target IS NOT NULL) = (action IN ('undo', 'redo'))),
            looked REAL,
            painted_at TEXT,
            written_at TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """
    )
    # Covers what counting a judge's decisions needs: half a million of them are read in order.
    db.conn.execute("CREATE INDEX events_by_judge ON events (judge, pair, action, id, grade)")
    db.conn.execute("CREATE INDEX events_in_order ON events (judge, id)")
    db.conn.execute("CREATE INDEX events_by_pair ON events (pair)")
    db.conn.execute("CREATE INDEX events_by_target ON events (target) WHERE target IS NOT NULL")
    for change in ("UPDATE", "DELETE"):
        db.conn.execute(
            f"""
            CREATE TRIGGER events_refuse_{change.lower()} BEFORE {change} ON events
            BEGIN SELECT RAISE(ABORT, 'events are append-only'); END
            """
        )
    # An undo names the event it undoes, a redo names the undo: what holds now follows from the
    # names alone, whatever the clocks of the machines said.
    db.conn.execute(
        """
        CREATE VIEW live_events AS
        SELECT * FROM events AS e
        WHERE e.action NOT IN ('undo', 'redo')
        AND NOT EXISTS (
            SELECT 1 FROM events AS u
            WHERE u.target = e.id AND u.action = 'undo'
            AND NOT EXISTS (SELECT 1 FROM events AS r WHERE r.target = u.id AND r.action = 'redo')
        )
        """
    )
    # With max(), SQLite takes the other columns from the row that holds the maximum.
    db.conn.execute(
        """
        CREATE VIEW decisions AS
        SELECT max(id) AS id, judge, pair, action, grade, note, looked, written_at
        FROM live_events WHERE action IN ('grade', 'skip', 'cannot')
        GROUP BY judge, pair
        """
    )
    db.conn.execute(
        """
        CREATE VIEW adjudications AS
        SELECT max(id) AS id, judge, pair, grade, note, written_at
        FROM live_events WHERE action = 'adjudicate'
        GROUP BY pair
        """
    )


@migrations()
def m002_assignments(db: Database) -> None:
    """Who judges what, hidden repeats, pairs of known grade, and which campaign a file belongs to.

    `turn` is 0 where a judge meets a pair for the first time and 1 for its hidden repeat: what is
    done there stands beside the first grade and never replaces it.
    """
    db.conn.execute("ALTER TABLE campaign ADD COLUMN campaign_id TEXT NOT NULL DEFAULT ''")
    for name, seed, created in db.conn.execute("SELECT name, seed, created FROM campaign"):
        # Copies that were made before there was an id get the same one, wherever they are.
        digest = blake2b(
            f"{seed} {created} {name}".encode("utf-8", "surrogatepass"), digest_size=16
        )
        db.conn.execute("UPDATE campaign SET campaign_id = ?", (str(UUID(bytes=digest.digest())),))
    db.conn.execute(
        """
        CREATE TABLE assignments (
            judge INTEGER NOT NULL REFERENCES judges,
            pair INTEGER NOT NULL REFERENCES pool,
            turn INTEGER NOT NULL CHECK (turn IN (0, 1)),
            position INTEGER NOT NULL,
            purpose TEXT NOT NULL CHECK (purpose IN ('normal', 'overlap', 'gold', 'repeat'))
                CHECK ((purpose = 'repeat') = (turn = 1)),
            PRIMARY KEY (judge, pair, turn)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.conn.execute("CREATE INDEX assignments_by_pair ON assignments (pair)")
    db.conn.execute(
        "CREATE TABLE gold (pair INTEGER PRIMARY KEY REFERENCES pool,"
        " grade INTEGER NOT NULL) STRICT"
    )
    db.conn.execute(
        "ALTER TABLE events ADD COLUMN turn INTEGER NOT NULL DEFAULT 0 CHECK (turn IN (0, 1))"
    )
    db.conn.execute("DROP INDEX events_by_judge")
    db.conn.execute("CREATE INDEX events_by_judge ON events (judge, pair, turn, action, id, grade)")
    for view in ("decisions", "adjudications", "live_events"):
        db.conn.execute(f"DROP VIEW {view}")
    db.conn.execute(
        """
        CREATE VIEW live_events AS
        SELECT * FROM events AS e
        WHERE e.action NOT IN ('undo', 'redo')
        AND NOT EXISTS (
            SELECT 1 FROM events AS u
            WHERE u.target = e.id AND u.action = 'undo'
            AND NOT EXISTS (SELECT 1 FROM events AS r WHERE r.target = u.id AND r.action = 'redo')
        )
        """
    )
    for view, turn in (("decisions", 0), ("repeats", 1)):
        db.conn.execute(
            f"""
            CREATE VIEW {view} AS
            SELECT max(id) AS id, judge, pair, action, grade, note, looked, written_at
            FROM live_events WHERE action IN ('grade', 'skip', 'cannot') AND turn = {turn}
            GROUP BY judge, pair
            """
        )
    db.conn.execute(
        """
        CREATE VIEW adjudications AS
        SELECT max(id) AS id, judge, pair, grade, note, written_at
        FROM live_events WHERE action = 'adjudicate'
        GROUP BY pair
        """
    )


@migrations()
def m003_tallies(_db: Database) -> None:
    """What it made, counts kept by triggers, m010 takes away again."""


@migrations()
def m004_settled(db: Database) -> None:
    """What leads settled is little among millions of events, and asked for at every scoring."""
    db.conn.execute("CREATE INDEX events_of_settling ON events (pair) WHERE action = 'adjudicate'")


@migrations()
def m005_asked(db: Database) -> None:
    """What a run of a live system was asked: a query without results is in no run file."""
    db.conn.execute(
        """
        CREATE TABLE asked (
            run INTEGER NOT NULL REFERENCES runs,
            query INTEGER NOT NULL REFERENCES queries,
            seconds REAL NOT NULL CHECK (seconds >= 0),
            failure TEXT NOT NULL,
            PRIMARY KEY (run, query)
        ) STRICT, WITHOUT ROWID
        """
    )


@migrations()
def m006_asked_without_a_clock(db: Database) -> None:
    """A file may say what a run was asked and not how long it took: seconds IS NULL."""
    db.conn.execute("ALTER TABLE asked RENAME TO asked_before")
    db.conn.execute(
        """
        CREATE TABLE asked (
            run INTEGER NOT NULL REFERENCES runs,
            query INTEGER NOT NULL REFERENCES queries,
            seconds REAL CHECK (seconds >= 0),
            failure TEXT NOT NULL,
            PRIMARY KEY (run, query)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.conn.execute(
        "INSERT INTO asked (run, query, seconds, failure)"
        " SELECT run, query, seconds, failure FROM asked_before"
    )
    db.conn.execute("DROP TABLE asked_before")


@migrations()
def m007_what_a_file_knew(_db: Database) -> None:
    """What it made, a column `over` of events and views that read it, m010 takes away again."""


@migrations()
def m008_ids_of_one_token(db: Database) -> None:
    """White space in ids becomes its percent code, as all readers have it now. Raises `UsageError`
    where two ids would become one."""
    for noun, table, column in (
        ("query", "queries", "query_id"),
        ("document", "documents", "doc_id"),
    ):
        # Whatever is no printable ASCII may be white space, or hold some.
        rows = db.conn.execute(
            f"SELECT id, {column} FROM {table} WHERE {column} GLOB '*[^!-~]*'"
        ).fetchall()
        for key, its_id in rows:
            coded = re.sub(r"\s", lambda white: quote(white[0], safe=""), its_id)
            if coded == its_id:
                continue
            there = f"SELECT 1 FROM {table} WHERE {column} = ?"
            if db.conn.execute(there, (coded,)).fetchone() is not None:
                raise UsageError(
                    f"{noun} {its_id!r} would have the id of {noun} {coded!r}: white space in an id"
                    " is written as %20 now",
                    "rename one of the two in a copy of the file, with sqlite3",
                )
            db.conn.execute(
                f"UPDATE {table} SET {column} = ? WHERE id = ?",
                (coded, key),
            )


@migrations()
def m009_settings(db: Database) -> None:
    """Which fields of documents' metadata judges see, and whether grades of models count."""
    db.conn.execute("ALTER TABLE campaign ADD COLUMN show_fields TEXT NOT NULL DEFAULT '[]'")
    db.conn.execute("ALTER TABLE campaign ADD COLUMN include_models INTEGER NOT NULL DEFAULT 0")


@migrations()
def m010_judgments(db: Database) -> None:
    """What holds of all that was done stands in tables of its own, worked out by `fold` and written
    with each event; there are no counts and no triggers to keep them."""
    for kind, name in db.conn.execute(
        "SELECT type, name FROM sqlite_schema WHERE type = 'view' OR (type = 'trigger'"
        " AND name NOT IN ('events_refuse_update', 'events_refuse_delete', 'assignments_stay'))"
    ).fetchall():
        db.conn.execute(f"DROP {kind} {name}")
    for table in ("tallies", "pooled"):
        db.conn.execute(f"DROP TABLE IF EXISTS {table}")
    if "over" in db["events"].columns_dict:
        db.conn.execute("ALTER TABLE events DROP COLUMN over")
    db.conn.execute(
        """
        CREATE TABLE judgments (
            judge INTEGER NOT NULL REFERENCES judges,
            pair INTEGER NOT NULL REFERENCES pool,
            turn INTEGER NOT NULL,
            query INTEGER NOT NULL REFERENCES queries,
            decision TEXT CHECK (decision IN ('grade', 'skip', 'cannot')),
            grade INTEGER CHECK ((grade IS NOT NULL) = (coalesce(decision, '') = 'grade')),
            flagged INTEGER NOT NULL,
            note TEXT NOT NULL,
            seconds REAL,
            written_at TEXT NOT NULL,
            from_file INTEGER NOT NULL,
            event TEXT REFERENCES events,
            first_grade TEXT REFERENCES events,
            PRIMARY KEY (judge, pair, turn)
        ) STRICT, WITHOUT ROWID
        """
    )
    # Covers what is counted of every judge and query, and what a desk shows of one.
    db.conn.execute(
        "CREATE INDEX judgments_by_query ON judgments (judge, query, turn, decision, pair, grade)"
    )
    db.conn.execute("CREATE INDEX judgments_by_pair ON judgments (pair)")
    db.conn.execute(
        """
        CREATE TABLE adjudications (
            pair INTEGER PRIMARY KEY REFERENCES pool,
            judge INTEGER NOT NULL REFERENCES judges,
            grade INTEGER NOT NULL,
            note TEXT NOT NULL,
            written_at TEXT NOT NULL,
            event TEXT NOT NULL REFERENCES events
        ) STRICT
        """
    )
    # An undo names the event it undoes, a redo names the undo: what was not undone follows from
    # the names alone, whatever the clocks of the machines said.
    db.conn.execute(
        """
        CREATE VIEW live_events AS
        SELECT * FROM events AS e
        WHERE e.action NOT IN ('undo', 'redo')
        AND NOT EXISTS (
            SELECT 1 FROM events AS u
            WHERE u.target = e.id AND u.action = 'undo'
            AND NOT EXISTS (SELECT 1 FROM events AS r WHERE r.target = u.id AND r.action = 'redo')
        )
        """
    )
    for view, turn in (("decisions", 0), ("repeats", 1)):
        db.conn.execute(
            f"""
            CREATE VIEW {view} AS
            SELECT event AS id, judge, pair, decision AS action, grade, seconds AS looked,
                written_at, from_file
            FROM judgments WHERE decision IS NOT NULL AND turn = {turn}
            """
        )
    rebuild(db.conn)


@migrations()
def m011_no_priority(db: Database) -> None:
    """No order ever read it."""
    db.conn.execute("ALTER TABLE pool DROP COLUMN priority")


@migrations()
def m012_rounds_names_and_baseline(db: Database) -> None:
    """With which round a pair came to the pool, 0 for one that came by itself, and by which chance
    where it was drawn; the name that a judge came with, where it was changed; the baseline."""
    db.conn.execute("ALTER TABLE pool ADD COLUMN round INTEGER NOT NULL DEFAULT 0")
    db.conn.execute("ALTER TABLE pool ADD COLUMN probability REAL")
    db.conn.execute("UPDATE pool SET round = 1 WHERE stratum IN ('depth', 'rrf', 'audit')")
    db.conn.execute("ALTER TABLE judges ADD COLUMN formerly TEXT")
    db.conn.execute("ALTER TABLE campaign ADD COLUMN baseline TEXT NOT NULL DEFAULT ''")


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the newest schema, in one transaction of the caller."""
    migrations.apply(Database(connection, use_counts_table=False))
