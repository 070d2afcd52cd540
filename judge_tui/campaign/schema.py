"""The tables of a campaign and their migrations, oldest first. Never edit a landed migration."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING
from uuid import UUID

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
            """  # noqa: S608
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
