"""Opening a campaign file, making one, and how one is recognised."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from judge_tui.campaign.store.connection import BUSY_MILLISECONDS, Campaign
from judge_tui.campaign.store.errors_in_words import NO_CAMPAIGN, RESTORE, in_words
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.settings import Settings
from judge_tui.campaign.typed import typed
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.model import Scale

__all__ = [
    "APPLICATION_ID",
    "SCHEMA_VERSION",
    "create_campaign",
    "new_file",
    "open_campaign",
    "read_only_connection",
    "refuse_no_campaign",
    "second_reader",
    "upgrade",
]


def open_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Open an existing campaign, migrating an older schema; to be used as a context manager.

    What is opened may be given to `judge_tui.score` and `judge_tui.compare` in place of qrels;
    `overview.grading.grades_by_judge` has what its judges decided, for `judge_tui.agree`. A file
    that is read-only, or in a read-only folder, can be read. Raises `CampaignError` where there is
    no file, the file is no campaign, or a newer judge_tui made it.
    """
    path = Path(path)
    if not path.exists():
        raise CampaignError(
            path, "no such file", f"make one with: {typed(path, 'init')}, or name yours with --db"
        )
    if not path.is_file():
        raise CampaignError(path, "not a file", "name a campaign file with --db")
    read_only = not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))
    connection: sqlite3.Connection | None = None
    try:
        if read_only:
            connection = read_only_connection(path)
        else:
            # Absolute: SQLite takes ":memory:" and "file:…" for something else than a name.
            connection = sqlite3.connect(path.absolute(), isolation_level=None)
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
            refuse_no_campaign(path, connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            if connection.execute("PRAGMA user_version").fetchone()[0] < SCHEMA_VERSION:
                upgrade(connection)
        _refuse_judges_missing(path, connection)
        return Campaign(path, connection, read_only=read_only)
    except (sqlite3.Error, JudgeTuiError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error):
            raise in_words(path, error) from error
        raise


def read_only_connection(path: Path) -> sqlite3.Connection:
    """One more connection to a campaign file that writes nothing to it or beside it.

    Of an older schema, a migrated copy in memory. Raises `CampaignError` and what SQLite raises.
    """
    place = path.absolute()
    wal = Path(f"{os.path.realpath(place)}-wal")
    alone = not wal.exists() or wal.stat().st_size == 0
    # Without a WAL nobody is writing, and in a read-only folder SQLite could not make its index.
    frozen = alone and not os.access(place.parent, os.W_OK)
    uri = f"{place.as_uri()}?mode=ro{'&immutable=1' if frozen else ''}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    refuse_no_campaign(path, connection)
    if connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION:
        return connection
    copy = sqlite3.connect(":memory:", isolation_level=None)
    with contextlib.closing(connection):
        connection.backup(copy)
    upgrade(copy)
    return copy


# From one judge to the next by the index: each is found without reading what is between.
_JUDGES_MISSING = """
    WITH RECURSIVE seen (judge) AS (
        SELECT min(judge) FROM events
        UNION ALL
        SELECT (SELECT min(judge) FROM events WHERE judge > seen.judge) FROM seen
        WHERE seen.judge IS NOT NULL
    )
    SELECT 1 FROM seen WHERE judge IS NOT NULL AND judge NOT IN (SELECT id FROM judges)
"""


def _refuse_judges_missing(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` where somebody judged who is not in the file: it was put together from
    pages of several, or changed by another program."""
    if connection.execute(_JUDGES_MISSING).fetchone() is not None:
        what = "a row of 'events' belongs to nothing in 'judges'"
        raise CampaignError(path, what, RESTORE)


def create_campaign(
    path: str | os.PathLike[str],
    *,
    name: str,
    scale: Scale,
    guidelines: str = "",
    seed: int | None = None,
    show_ranks: bool = False,
    include_models: bool = False,
) -> Campaign:
    """Create the file and open it. `seed` (default: drawn) fixes every order and sample made later.

    Raises `CampaignError` where the path exists or cannot be written. The file appears whole or
    not at all.
    """
    seed = secrets.randbelow(2**31) if seed is None else seed
    settings = Settings(
        campaign_id=str(uuid.uuid4()),
        name=name,
        scale=scale,
        guidelines=guidelines,
        seed=seed,
        show_ranks=show_ranks,
        created=now(),
        include_models=include_models,
    )
    with new_file(path, settings):
        pass
    return open_campaign(path)


@contextlib.contextmanager
def new_file(path: str | os.PathLike[str], settings: Settings) -> Iterator[sqlite3.Connection]:
    """A transaction on a draft that has the tables and the settings, for more to be put into it.

    When the block is left, the draft gets its name, whole and on disk; where the block fails,
    nothing is left. Raises `CampaignError` where the path exists or cannot be written.
    """
    # Importing sqlite_utils costs more than opening a campaign: only those who make one pay.
    from judge_tui.campaign.store.schema import migrate  # noqa: PLC0415

    path = Path(path)
    _refuse_existing(path)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        connection = sqlite3.connect(draft.absolute(), isolation_level=None)
        try:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("BEGIN IMMEDIATE")
            migrate(connection)
            connection.execute(
                "INSERT INTO campaign (id, campaign_id, name, scale, guidelines, seed, show_ranks,"
                " schema_version, created, show_fields, include_models)"
                " VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    settings.campaign_id,
                    settings.name,
                    str(settings.scale),
                    settings.guidelines,
                    settings.seed,
                    int(settings.show_ranks),
                    SCHEMA_VERSION,
                    settings.created,
                    json.dumps(settings.show_fields),
                    int(settings.include_models),
                ),
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            yield connection
            connection.execute("COMMIT")
        finally:
            connection.close()
        _put_in_place(draft, path)
    except FileExistsError:
        _refuse_existing(path)
        raise
    except (sqlite3.Error, OSError) as error:
        raise in_words(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _put_in_place(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another file came by that name meanwhile."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links: the name is taken first, exclusively.
        path.touch(exist_ok=False)
        draft.replace(path)


def _refuse_existing(path: Path) -> None:
    if path.exists() or path.is_symlink():
        raise CampaignError(
            path,
            "already exists and is left as it is",
            "name another file, or move this one away",
        )
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists():
        # SQLite would take it for the new file's own.
        raise CampaignError(
            wal,
            "was left behind by an earlier campaign of that name, and may hold judgments",
            "move it away, or name another file",
        )


SCHEMA_VERSION = 12
APPLICATION_ID = int.from_bytes(b"JTUI")


def refuse_no_campaign(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` for a file that is no campaign, or one of a newer judge_tui."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise CampaignError(
            path,
            "not a judge_tui campaign",
            NO_CAMPAIGN,
        )
    written = connection.execute("SELECT max(schema_version) FROM campaign").fetchone()[0]
    version = max(version, written or 0)
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring an older schema to the newest, wholly or not at all."""
    from judge_tui.campaign.store.schema import migrate  # noqa: PLC0415

    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute("UPDATE campaign SET schema_version = ?", (SCHEMA_VERSION,))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


_LOOK_EVERY = 10_000
"""Instructions of SQLite's machine: well below a millisecond."""


@contextmanager
def second_reader(campaign: Campaign, stopped: Callable[[], bool]) -> Iterator[Campaign]:
    """The same file, opened once more and read-only, in the thread that is to read it.

    As soon as `stopped` is true, what is being read ends with a `CampaignError`, and so does all
    that is read after it. Raises `CampaignError` where another file stands there now.
    """
    if campaign.loss is not None:
        raise campaign.loss
    try:
        connection = read_only_connection(campaign.place)
        with closing(connection):
            connection.set_progress_handler(stopped, _LOOK_EVERY)
            reader = Campaign(campaign.path, connection, read_only=True)
            if not campaign.is_same_file():
                what = "the file was deleted, moved or replaced while it was open"
                raise CampaignError(campaign.path, what, "leave and start again")
            yield reader
    except sqlite3.Error as error:
        raise in_words(campaign.path, error) from error
