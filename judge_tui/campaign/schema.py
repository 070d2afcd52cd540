"""The tables of a campaign and their migrations, oldest first. Never edit a landed migration."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING
from uuid import UUID

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from judge_tui.campaign.tallies import counting_sql

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


@migrations()
def m003_tallies(db: Database) -> None:
    """How many pairs each query has, each judge was given of it, and has decided.

    Counting half a million decisions anew takes longer than opening the app may take, so that
    triggers keep the counts, whoever writes: a tally is never more than what the other tables say.
    `assignments` is written with INSERT, DELETE and UPDATE; REPLACE would pass the triggers by.
    """
    db.conn.execute(
        "CREATE TABLE pooled (query INTEGER PRIMARY KEY REFERENCES queries,"
        " pairs INTEGER NOT NULL) STRICT"
    )
    # decided: pairs with a decision that holds; decided_assigned: those of them assigned to the
    # judge. position: of the judge's visit to the query, where there are assignments.
    db.conn.execute(
        """
        CREATE TABLE tallies (
            judge INTEGER NOT NULL REFERENCES judges,
            query INTEGER NOT NULL REFERENCES queries,
            turn INTEGER NOT NULL,
            position INTEGER NOT NULL DEFAULT 0,
            assigned INTEGER NOT NULL DEFAULT 0,
            decided INTEGER NOT NULL DEFAULT 0,
            decided_assigned INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (judge, query, turn)
        ) STRICT, WITHOUT ROWID
        """
    )
    db.conn.execute("INSERT INTO pooled SELECT query, count(*) FROM pool GROUP BY query")
    db.conn.execute(counting_sql())
    db.conn.execute(
        """
        CREATE TRIGGER pool_counts AFTER INSERT ON pool BEGIN
            INSERT INTO pooled (query, pairs) VALUES (NEW.query, 1)
            ON CONFLICT (query) DO UPDATE SET pairs = pairs + 1;
        END
        """
    )
    # Every grade passes here: what is cheap to see comes first. No undo can be older than what it
    # undoes, but within one statement rows come in any order.
    db.conn.execute(
        f"""
        CREATE TRIGGER events_count AFTER INSERT ON events
        WHEN NEW.action IN ('grade', 'skip', 'cannot')
        AND NOT ({_decided("NEW.id")}) AND NOT ({_undone("NEW.id")})
        BEGIN
            INSERT INTO tallies (judge, query, turn, decided, decided_assigned)
            SELECT NEW.judge, query, NEW.turn, 1, {_NEW_IS_ASSIGNED} FROM pool WHERE id = NEW.pair
            ON CONFLICT (judge, query, turn) DO UPDATE SET decided = decided + 1,
                decided_assigned = decided_assigned + excluded.decided_assigned;
        END
        """  # noqa: S608
    )
    # Whether the pair is decided now, and whether it would be without the undo or redo.
    db.conn.execute(
        f"""
        CREATE TRIGGER events_count_undone AFTER INSERT ON events
        WHEN NEW.action IN ('undo', 'redo')
        BEGIN
            INSERT INTO tallies (judge, query, turn, decided, decided_assigned)
            SELECT NEW.judge, p.query, NEW.turn, x.change, x.change * {_NEW_IS_ASSIGNED}
            FROM (SELECT ({_decided("")}) - ({_decided("NEW.id")}) AS change) AS x
            JOIN pool AS p ON p.id = NEW.pair WHERE x.change <> 0
            ON CONFLICT (judge, query, turn) DO UPDATE SET decided = decided + excluded.decided,
                decided_assigned = decided_assigned + excluded.decided_assigned;
        END
        """  # noqa: S608
    )
    db.conn.execute(
        f"""
        CREATE TRIGGER assignments_count AFTER INSERT ON assignments BEGIN
            INSERT INTO tallies (judge, query, turn, position, assigned, decided_assigned)
            SELECT NEW.judge, p.query, NEW.turn, NEW.position, 1, ({_decided("")})
            FROM pool AS p WHERE p.id = NEW.pair
            ON CONFLICT (judge, query, turn) DO UPDATE SET position = excluded.position,
                assigned = assigned + 1,
                decided_assigned = decided_assigned + excluded.decided_assigned;
        END
        """  # noqa: S608
    )
    db.conn.execute(
        f"""
        CREATE TRIGGER assignments_discount AFTER DELETE ON assignments BEGIN
            UPDATE tallies SET assigned = assigned - 1,
                decided_assigned = decided_assigned - ({_decided("", row="OLD")})
            WHERE judge = OLD.judge AND turn = OLD.turn
            AND query = (SELECT query FROM pool WHERE id = OLD.pair);
        END
        """  # noqa: S608
    )
    db.conn.execute(
        """
        CREATE TRIGGER assignments_move AFTER UPDATE OF position ON assignments BEGIN
            UPDATE tallies SET position = NEW.position
            WHERE judge = NEW.judge AND turn = NEW.turn
            AND query = (SELECT query FROM pool WHERE id = NEW.pair);
        END
        """
    )
    db.conn.execute(
        """
        CREATE TRIGGER assignments_stay BEFORE UPDATE OF judge, pair, turn ON assignments
        BEGIN SELECT RAISE(ABORT, 'an assignment is deleted and made, not moved'); END
        """
    )


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
def m007_what_a_file_knew(db: Database) -> None:
    """What a judge decided in the app stands over a grade of a file whose load knew nothing of it,
    wherever either came from and whatever the clocks said.

    `over`, of a decision or a comment that came from a file: the id of what it took the place of in
    the copy in which it was loaded: of the grades and "cannot be judged", or the comments, of the
    judge that were not undone, the latest that was made in the app, else that a file gave, "" where
    there was neither. A skip is nothing to take the place of. NULL: nobody wrote it down, as for
    what was loaded before there was this column; of such, the latest holds.
    """
    db.conn.execute(
        """
        ALTER TABLE events ADD COLUMN over TEXT CHECK (over IS NULL OR (
            painted_at IS NULL AND action IN ('grade', 'skip', 'cannot', 'comment')
            AND turn = 0 AND over < id))
        """
    )
    for view in ("decisions", "repeats", "adjudications", "live_events"):
        db.conn.execute(f"DROP VIEW {view}")
    # That a pair was put off stands over nothing: it is judged once a file says how, and a skip of
    # a file takes nothing back. Where no copy had anything in the app, a load that knew of an
    # earlier grade stands over one that knew of none. Most pairs have one event: an index has all
    # of `a` and `b`, and no row is looked up.
    db.conn.execute(
        """
        CREATE VIEW overruled AS
        SELECT a.judge AS judge, a.pair AS pair, a.turn AS turn, a.id AS id, b.id AS by
        FROM events AS b CROSS JOIN events AS a
        ON a.judge = b.judge AND a.pair = b.pair AND a.turn = b.turn AND a.id > b.id
        CROSS JOIN events AS f ON f.id = a.id CROSS JOIN events AS x ON x.id = b.id
        WHERE +b.action IN ('grade', 'cannot', 'comment')
        AND (a.action = 'comment') = (b.action = 'comment') AND f.over IS NOT NULL
        AND CASE WHEN a.action = 'skip' THEN 1
            WHEN x.painted_at IS NULL THEN f.over = '' AND x.over <> ''
            ELSE NOT EXISTS (
                SELECT 1 FROM events AS k
                WHERE k.id = f.over AND k.id >= x.id AND k.painted_at IS NOT NULL
            ) END
        """
    )
    db.conn.execute(
        f"""
        CREATE VIEW live_events AS
        SELECT * FROM events AS e
        WHERE e.action NOT IN ('undo', 'redo') AND NOT {_undone("e.id")}
        AND NOT EXISTS (
            SELECT 1 FROM overruled AS o WHERE o.judge = e.judge AND o.pair = e.pair
            AND o.turn = e.turn AND o.id = e.id AND o.by < e.id AND NOT {_undone("o.by")}
        )
        """  # noqa: S608
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


@migrations()
def m009_settings(db: Database) -> None:
    """Which fields of documents' metadata judges see, and whether grades of models count."""
    db.conn.execute("ALTER TABLE campaign ADD COLUMN show_fields TEXT NOT NULL DEFAULT '[]'")
    db.conn.execute("ALTER TABLE campaign ADD COLUMN include_models INTEGER NOT NULL DEFAULT 0")


_NEW_IS_ASSIGNED = """EXISTS (
                SELECT 1 FROM assignments AS a
                WHERE a.judge = NEW.judge AND a.pair = NEW.pair AND a.turn = NEW.turn)"""


def _decided(without: str, row: str = "NEW") -> str:
    """SQL: 1 where the pair of `row` has a decision that holds, the event `without` left out."""
    # A pair has few events: with a plus they are looked through, and not sought by each action.
    return f"""
        EXISTS (
            SELECT 1 FROM events AS e
            WHERE e.judge = {row}.judge AND e.pair = {row}.pair AND e.turn = {row}.turn
            AND +e.action IN ('grade', 'skip', 'cannot') {_but("e", without)}
            AND NOT {_undone("e.id", without)}
        )
    """  # noqa: S608


def _undone(event: str, without: str = "") -> str:
    """SQL: 1 where `event` is undone, and that not redone, the event `without` left out."""
    return f"""
            EXISTS (
                SELECT 1 FROM events AS u
                WHERE u.target = {event} AND u.action = 'undo' {_but("u", without)}
                AND NOT EXISTS (
                    SELECT 1 FROM events AS r
                    WHERE r.target = u.id AND r.action = 'redo' {_but("r", without)}
                )
            )
    """  # noqa: S608


def _but(name: str, without: str) -> str:
    return f"AND {name}.id <> {without}" if without else ""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the newest schema, in one transaction of the caller."""
    migrations.apply(Database(connection, use_counts_table=False))
