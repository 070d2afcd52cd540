"""The tables of a campaign, how its file is known by them, and how one of an earlier version comes
to them."""

from __future__ import annotations

import re
import sqlite3
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import quote
from uuid import UUID

from judge_tui.campaign.store.errors_in_words import NO_CAMPAIGN
from judge_tui.campaign.store.events import rebuild
from judge_tui.campaign.store.sqlite import SqliteTables
from judge_tui.errors import CampaignError, UsageError
from judge_tui.model import composed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from sqlite_utils import Database

APPLICATION_ID = int.from_bytes(b"JTUI")


def refuse_no_campaign(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` for a file that is not a campaign, or one of a newer judge_tui."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise CampaignError(path, "not a judge_tui campaign", NO_CAMPAIGN)
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )


def schema_version(connection: sqlite3.Connection) -> int:
    """Of the tables behind a connection; 0 where there are none."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


# `tables_of_postgres` makes those of a server of them: change both together.
TABLES = """
CREATE TABLE IF NOT EXISTS campaign (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    scale TEXT NOT NULL,
    guidelines TEXT NOT NULL,
    seed INTEGER NOT NULL,
    show_ranks INTEGER NOT NULL,
    created TEXT NOT NULL,
    campaign_id TEXT NOT NULL DEFAULT '',
    show_fields TEXT NOT NULL DEFAULT '[]',
    include_models INTEGER NOT NULL DEFAULT 0,
    baseline TEXT NOT NULL DEFAULT '',
    least_look REAL NOT NULL DEFAULT 0.2,
    share_pool INTEGER NOT NULL DEFAULT 0
) STRICT

CREATE TABLE IF NOT EXISTS queries (
    id INTEGER PRIMARY KEY,
    query_id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    description TEXT NOT NULL,
    narrative TEXT NOT NULL,
    class TEXT NOT NULL,
    meta TEXT NOT NULL
) STRICT

-- text IS NULL: only the id is known, no documents file has held it yet.
CREATE TABLE IF NOT EXISTS documents (
    id INTEGER PRIMARY KEY,
    doc_id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL DEFAULT '',
    text TEXT,
    url TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    meta TEXT NOT NULL DEFAULT '{}'
) STRICT

CREATE INDEX IF NOT EXISTS documents_without_text ON documents (doc_id) WHERE text IS NULL

CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY,
    tag TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    loaded_at TEXT NOT NULL,
    depth INTEGER NOT NULL,
    settings TEXT NOT NULL
) STRICT

CREATE TABLE IF NOT EXISTS results (
    run INTEGER NOT NULL REFERENCES runs,
    query INTEGER NOT NULL REFERENCES queries,
    rank INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES documents,
    score REAL NOT NULL,
    PRIMARY KEY (run, query, rank)
) STRICT, WITHOUT ROWID

CREATE INDEX IF NOT EXISTS results_by_pair ON results (query, document)

-- What a run of a live system was asked: a query without results is in no run file. A file may not
-- say how long it took.
CREATE TABLE IF NOT EXISTS asked (
    run INTEGER NOT NULL REFERENCES runs,
    query INTEGER NOT NULL REFERENCES queries,
    seconds REAL CHECK (seconds >= 0),
    failure TEXT NOT NULL,
    PRIMARY KEY (run, query)
) STRICT, WITHOUT ROWID

-- round: with which a pair came, 0 for one that came by itself, or in which it was drawn anew;
-- probability: where it was drawn, NULL where runs have changed so that it is not any more;
-- chosen: the round in which a strategy chose a pair that had been drawn.
CREATE TABLE IF NOT EXISTS pool (
    id INTEGER PRIMARY KEY,
    query INTEGER NOT NULL REFERENCES queries,
    document INTEGER NOT NULL REFERENCES documents,
    stratum TEXT NOT NULL,
    round INTEGER NOT NULL DEFAULT 0,
    probability REAL,
    chosen INTEGER,
    UNIQUE (query, document)
) STRICT

-- depth: of the lists that the strategy saw; then the `Population` as the round left it, and the
-- `RoundQuestion`. Rounds of an earlier schema have no row.
CREATE TABLE IF NOT EXISTS rounds (
    round INTEGER PRIMARY KEY,
    strategy TEXT NOT NULL,
    depth INTEGER NOT NULL,
    population_depth INTEGER NOT NULL,
    retrieved INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    measure TEXT,
    baseline TEXT,
    tag TEXT
) STRICT

CREATE TABLE IF NOT EXISTS gold (
    pair INTEGER PRIMARY KEY REFERENCES pool,
    grade INTEGER NOT NULL
) STRICT

-- formerly: the name that a judge came with, where it was changed.
CREATE TABLE IF NOT EXISTS judges (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('judge', 'lead')),
    kind TEXT NOT NULL CHECK (kind IN ('human', 'model')),
    formerly TEXT,
    removed INTEGER NOT NULL DEFAULT 0
) STRICT

-- turn: 0 where a judge meets a pair for the first time, 1 for its hidden repeat, which stands
-- beside the first grade and never replaces it.
CREATE TABLE IF NOT EXISTS assignments (
    judge INTEGER NOT NULL REFERENCES judges,
    pair INTEGER NOT NULL REFERENCES pool,
    turn INTEGER NOT NULL CHECK (turn IN (0, 1)),
    position INTEGER NOT NULL,
    purpose TEXT NOT NULL CHECK (purpose IN ('normal', 'overlap', 'gold', 'repeat'))
        CHECK ((purpose = 'repeat') = (turn = 1)),
    PRIMARY KEY (judge, pair, turn)
) STRICT, WITHOUT ROWID

CREATE INDEX IF NOT EXISTS assignments_by_pair ON assignments (pair)

-- An undo names the event that it undoes, a redo the undo: what holds follows from the names alone,
-- whatever the clocks of the machines said.
CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY,
    judge INTEGER NOT NULL REFERENCES judges,
    pair INTEGER NOT NULL REFERENCES pool,
    action TEXT NOT NULL CHECK (action IN (
        'grade', 'skip', 'cannot', 'flag', 'unflag', 'comment', 'adjudicate', 'undo', 'redo')),
    grade INTEGER CHECK ((grade IS NOT NULL) = (action IN ('grade', 'adjudicate'))),
    note TEXT NOT NULL,
    target TEXT REFERENCES events CHECK ((target IS NOT NULL) = (action IN ('undo', 'redo'))),
    looked REAL,
    painted_at TEXT,
    written_at TEXT NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0 CHECK (turn IN (0, 1))
) STRICT, WITHOUT ROWID

CREATE INDEX IF NOT EXISTS events_by_slot ON events (judge, pair, turn)

CREATE INDEX IF NOT EXISTS events_in_order ON events (judge, id)

CREATE INDEX IF NOT EXISTS events_by_pair ON events (pair)

-- What leads settle is little among millions of events.
CREATE INDEX IF NOT EXISTS events_of_settling ON events (pair) WHERE action = 'adjudicate'

CREATE TRIGGER IF NOT EXISTS events_refuse_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END

CREATE TRIGGER IF NOT EXISTS events_refuse_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END

-- What holds of a judge, pair and turn: the fields of `State`, and the query of the pair.
CREATE TABLE IF NOT EXISTS judgments (
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
    first_decision TEXT REFERENCES events,
    first_seconds REAL,
    first_in_app INTEGER NOT NULL,
    PRIMARY KEY (judge, pair, turn)
) STRICT, WITHOUT ROWID

-- Covers what is counted of every judge and query, and what a desk shows of one.
CREATE INDEX IF NOT EXISTS judgments_by_query
    ON judgments (judge, query, turn, decision, pair, grade, flagged, first_in_app)

CREATE INDEX IF NOT EXISTS judgments_by_pair ON judgments (pair)

CREATE TABLE IF NOT EXISTS adjudications (
    pair INTEGER PRIMARY KEY REFERENCES pool,
    judge INTEGER NOT NULL REFERENCES judges,
    grade INTEGER NOT NULL,
    note TEXT NOT NULL,
    written_at TEXT NOT NULL,
    event TEXT NOT NULL REFERENCES events
) STRICT

-- called: in judges.toml; with another identity the same name is another judge. model: as the
-- endpoint reports it; rest: what else the identity is made of, as JSON.
CREATE TABLE IF NOT EXISTS model_judges (
    judge INTEGER PRIMARY KEY REFERENCES judges,
    called TEXT NOT NULL,
    identity TEXT NOT NULL,
    model TEXT NOT NULL,
    rest TEXT NOT NULL,
    UNIQUE (called, identity)
) STRICT

-- probe: what was planted in the document to fool the model, '' for the document as it is. raw:
-- what the model answered; grade: what it says, or NULL with a reason; without a probe it is an
-- event, too. probabilities: of the grades, as JSON.
CREATE TABLE IF NOT EXISTS model_answers (
    judge INTEGER NOT NULL REFERENCES model_judges,
    pair INTEGER NOT NULL REFERENCES pool,
    probe TEXT NOT NULL,
    raw TEXT NOT NULL,
    grade INTEGER,
    reason TEXT NOT NULL CHECK ((reason = '') = (grade IS NOT NULL)),
    probabilities TEXT,
    tokens_in INTEGER,
    tokens_out INTEGER,
    seconds REAL,
    chars_seen INTEGER NOT NULL,
    written_at TEXT NOT NULL,
    PRIMARY KEY (judge, pair, probe)
) STRICT, WITHOUT ROWID

CREATE TRIGGER IF NOT EXISTS model_answers_refuse_update BEFORE UPDATE ON model_answers
BEGIN SELECT RAISE(ABORT, 'answers are append-only'); END

CREATE TRIGGER IF NOT EXISTS model_answers_refuse_delete BEFORE DELETE ON model_answers
BEGIN SELECT RAISE(ABORT, 'answers are append-only'); END

-- until: seconds since 1970, by the clock of the database.
CREATE TABLE IF NOT EXISTS leases (
    judge INTEGER PRIMARY KEY REFERENCES judges,
    query INTEGER NOT NULL REFERENCES queries,
    until INTEGER NOT NULL
) STRICT
"""

# What a judge may know of others, and nothing of who they are. All but the clock is empty where the
# pool is not shared. Not among the tables: an older file gets them when it has all columns.
VIEWS = """
CREATE VIEW clock AS SELECT CAST(strftime('%s', 'now') AS INTEGER) AS now

CREATE VIEW sharing AS SELECT share_pool FROM campaign
WHERE share_pool = 1 AND NOT EXISTS (SELECT 1 FROM assignments)

-- A row for each person who has decided a pair. Who skips one leaves it to others.
CREATE VIEW taken AS SELECT j.query, j.pair FROM judgments AS j JOIN judges AS w ON w.id = j.judge
WHERE j.decision IN ('grade', 'cannot') AND w.kind = 'human' AND EXISTS (SELECT 1 FROM sharing)

-- The queries that judges are at.
CREATE VIEW held AS SELECT l.query FROM leases AS l JOIN clock AS c ON l.until > c.now
WHERE EXISTS (SELECT 1 FROM sharing)
"""


def migrate(connection: sqlite3.Connection) -> None:
    """Make the tables of a new file, or bring those of an old one to the newest schema, in one
    transaction of the caller. Raises `UsageError` for an old file in which two ids or two names
    would become one."""
    # Importing it costs more than opening a campaign: only those who make or migrate one pay.
    from sqlite_utils import Database  # noqa: PLC0415
    from sqlite_utils.migrations import Migrations  # noqa: PLC0415

    migrations = Migrations("judge_tui")
    for migration in _MIGRATIONS:
        migrations()(migration)
    migrations.apply(Database(connection, use_counts_table=False))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


# A later change stands in the tables above and in a migration of its own, the last of _MIGRATIONS,
# whose number is the new version. It finds its work done in a new file, and in one of schema 1 to
# 11, which m012 brings to the tables as they are above: look before adding. For a new column of
# `judgments`, drop that table, call m001_the_nouns, then rebuild. Never edit a landed one.


def m001_the_nouns(db: Database) -> None:
    """Make all of a new file. Files of schema 1 to 11 have had their own first migration."""
    for statement in TABLES.split("\n\n"):
        db.conn.execute(statement)


def m012_one_schema(db: Database) -> None:
    """Bring a file of schema 1 to 11 to the tables above, whichever of these it has."""
    for kind, name in db.conn.execute(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')"
    ).fetchall():
        db.conn.execute(f"DROP {kind} {name}")
    for table in ("tallies", "pooled", "judgments", "adjudications"):
        db.conn.execute(f"DROP TABLE IF EXISTS {table}")
    for index in ("events_by_judge", "events_by_target"):
        db.conn.execute(f"DROP INDEX IF EXISTS {index}")
    for table, column in (("events", "over"), ("pool", "priority"), ("campaign", "schema_version")):
        if column in db[table].columns_dict:
            db.conn.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    for table, column in (
        ("campaign", "campaign_id TEXT NOT NULL DEFAULT ''"),
        ("campaign", "show_fields TEXT NOT NULL DEFAULT '[]'"),
        ("campaign", "include_models INTEGER NOT NULL DEFAULT 0"),
        ("campaign", "baseline TEXT NOT NULL DEFAULT ''"),
        ("events", "turn INTEGER NOT NULL DEFAULT 0 CHECK (turn IN (0, 1))"),
        ("pool", "round INTEGER NOT NULL DEFAULT 0"),
        ("pool", "probability REAL"),
        ("judges", "formerly TEXT"),
        ("judges", "removed INTEGER NOT NULL DEFAULT 0"),
    ):
        if column.split()[0] not in db[table].columns_dict:
            db.conn.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
    asked = db.conn.execute("SELECT * FROM asked").fetchall() if db["asked"].exists() else []
    db.conn.execute("DROP TABLE IF EXISTS asked")
    m001_the_nouns(db)
    db.conn.executemany("INSERT INTO asked VALUES (?, ?, ?, ?)", asked)
    db.conn.execute("UPDATE pool SET round = 1 WHERE stratum IN ('depth', 'rrf', 'audit')")
    _identify(db)
    _rename(db, "query", "queries", "query_id", _in_one_token)
    _rename(db, "document", "documents", "doc_id", _in_one_token)
    _rename(db, "judge", "judges", "name", composed)
    rebuild(SqliteTables(db.conn))


def m013_least_look(db: Database) -> None:
    """Let a campaign say how long a document is on screen before a grade counts."""
    if "least_look" not in db["campaign"].columns_dict:
        db.conn.execute("ALTER TABLE campaign ADD COLUMN least_look REAL NOT NULL DEFAULT 0.2")


def m014_first_in_app(db: Database) -> None:
    """Let the index of judgments say who decided first in the app: `progress` asks it of all."""
    db.conn.execute("DROP INDEX IF EXISTS judgments_by_query")
    m001_the_nouns(db)


def m015_rounds(db: Database) -> None:
    """Let rounds say what they were made of and for, and what their pairs were drawn from."""
    if "chosen" not in db["pool"].columns_dict:
        db.conn.execute("ALTER TABLE pool ADD COLUMN chosen INTEGER")
    m001_the_nouns(db)


def m016_model_answers(db: Database) -> None:
    """Keep which judge a model is, and what it answered."""
    m001_the_nouns(db)


def m017_probes(db: Database) -> None:
    """Let a model answer about a pair again, with something planted in the document."""
    if "probe" in db["model_answers"].columns_dict:
        return
    rest = ", ".join(db["model_answers"].columns_dict)
    for change in ("update", "delete"):
        db.conn.execute(f"DROP TRIGGER model_answers_refuse_{change}")
    db.conn.execute("ALTER TABLE model_answers RENAME TO answers_before")
    m001_the_nouns(db)
    db.conn.execute(
        f"INSERT INTO model_answers ({rest}, probe) SELECT {rest}, '' FROM answers_before"
    )
    db.conn.execute("DROP TABLE answers_before")


def m018_share_pool(db: Database) -> None:
    """Let judges share the pool."""
    if "share_pool" not in db["campaign"].columns_dict:
        db.conn.execute("ALTER TABLE campaign ADD COLUMN share_pool INTEGER NOT NULL DEFAULT 0")
    m001_the_nouns(db)
    for statement in VIEWS.split("\n\n"):
        db.conn.execute(statement)


def _identify(db: Database) -> None:
    """Give a campaign of before there was an id the one that all copies of it get."""
    for name, seed, created in db.conn.execute(
        "SELECT name, seed, created FROM campaign WHERE campaign_id = ''"
    ).fetchall():
        text = f"{seed} {created} {name}".encode("utf-8", "surrogatepass")
        its_id = str(UUID(bytes=blake2b(text, digest_size=16).digest()))
        db.conn.execute("UPDATE campaign SET campaign_id = ?", (its_id,))


def _rename(db: Database, noun: str, table: str, column: str, form: Callable[[str], str]) -> None:
    """Give every id or name the form that all readers have it in now."""
    # Whatever is no printable ASCII may have another form.
    rows = db.conn.execute(
        f"SELECT id, {column} FROM {table} WHERE {column} GLOB '*[^!-~]*'"
    ).fetchall()
    for key, before in rows:
        after = form(before)
        try:
            db.conn.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (after, key))
        except sqlite3.IntegrityError:
            raise UsageError(
                f"{noun} {before!r} would be the same as {noun} {after!r} now",
                "rename one of the two in a copy of the file, with sqlite3",
            ) from None


def _in_one_token(text: str) -> str:
    """The id with white space as its percent code."""
    return re.sub(r"\s", lambda white: quote(white[0], safe=""), text)


_MIGRATIONS = (
    m001_the_nouns,
    m012_one_schema,
    m013_least_look,
    m014_first_in_app,
    m015_rounds,
    m016_model_answers,
    m017_probes,
    m018_share_pool,
)

SCHEMA_VERSION = int(_MIGRATIONS[-1].__name__[1:4])
