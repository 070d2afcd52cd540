"""The tables of a campaign and their migrations, oldest first. Never edit a landed migration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

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


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the newest schema, in one transaction of the caller."""
    migrations.apply(Database(connection, use_counts_table=False))
