"""Opening a campaign file, making one, and how one is recognised."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from judge_tui.campaign.store.backend import SqliteBackend, connected
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.errors_in_words import ERRORS, GONE, NO_CAMPAIGN, READ_ONLY, in_words
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.settings import Settings
from judge_tui.campaign.typed import typed
from judge_tui.errors import CampaignError
from judge_tui.model import Scale

__all__ = [
    "APPLICATION_ID",
    "SCHEMA_VERSION",
    "create_campaign",
    "new_file",
    "open_campaign",
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
    if not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)):
        return _to_read(path, CampaignError(path, *READ_ONLY))
    try:
        return Campaign(path, _writable(path))
    except ERRORS as error:
        why = in_words(path, error)
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_ROOM:
            return _to_read(path, why)
        raise why from error


_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says of a full disk, on which it cannot make its files beside the campaign's."""


def _writable(path: Path) -> SqliteBackend:
    # Absolute: SQLite takes ":memory:" and "file:…" for something else than a name.
    with _closed_on_error(connected(path.absolute())) as connection:
        refuse_no_campaign(path, connection)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if _version(connection) < SCHEMA_VERSION:
            upgrade(connection)
        return SqliteBackend(path, connection)


def _to_read(path: Path, refusal: CampaignError) -> Campaign:
    """To whoever would write, `refusal` is raised."""
    try:
        return Campaign(path, SqliteBackend(path, _read_only(path, at_rest=True), refusal))
    except ERRORS as error:
        raise in_words(path, error) from error


def _read_only(path: Path, *, at_rest: bool) -> sqlite3.Connection:
    """A connection that writes nothing to the file. Of an older schema, to a migrated copy in
    memory. `at_rest`: nobody can write, so that without a WAL nothing is made beside the file."""
    place = path.absolute()
    wal = Path(f"{os.path.realpath(place)}-wal")
    alone = at_rest and not (wal.exists() and wal.stat().st_size)
    uri = f"{place.as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    with _closed_on_error(connected(uri, uri=True)) as connection:
        refuse_no_campaign(path, connection)
        if _version(connection) == SCHEMA_VERSION:
            return connection
    copy = connected(":memory:")
    with closing(connection):
        connection.backup(copy)
    upgrade(copy)
    return copy


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


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


@contextmanager
def new_file(path: str | os.PathLike[str], settings: Settings) -> Iterator[sqlite3.Connection]:
    """A transaction on a draft that has the tables and the settings, for more to be put into it.

    When the block is left, the draft gets its name, whole and on disk; where the block fails,
    nothing is left. Raises `CampaignError` where the path exists or cannot be written.
    """
    # Importing sqlite_utils costs more than opening a campaign: only those who make one pay.
    from judge_tui.campaign.store.schema import migrate  # noqa: PLC0415
    from judge_tui.formats.writing import remove_leftovers  # noqa: PLC0415

    path = Path(path)
    _refuse_existing(path)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    try:
        remove_leftovers(path, ".draft")
        with closing(connected(draft.absolute())) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("BEGIN IMMEDIATE")
            migrate(connection)
            connection.execute(
                "INSERT INTO campaign (id, campaign_id, name, scale, guidelines, seed, show_ranks,"
                " created, show_fields, include_models) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    settings.campaign_id,
                    settings.name,
                    str(settings.scale),
                    settings.guidelines,
                    settings.seed,
                    int(settings.show_ranks),
                    settings.created,
                    json.dumps(settings.show_fields),
                    int(settings.include_models),
                ),
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            yield connection
            connection.execute("COMMIT")
        _put_in_place(draft, path)
    except FileExistsError:
        _refuse_existing(path)
        raise
    except (*ERRORS, OSError) as error:
        raise in_words(path, error) from error
    finally:
        with suppress(OSError):
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
        what = "already exists and is left as it is"
        raise CampaignError(path, what, "name another file, or move this one away")
    wal = path.with_name(f"{path.name}-wal")
    if wal.exists():
        # SQLite would take it for the new file's own.
        what = "was left behind by an earlier campaign of that name, and may hold judgments"
        raise CampaignError(wal, what, "move it away, or name another file")


SCHEMA_VERSION = 12
APPLICATION_ID = int.from_bytes(b"JTUI")


def refuse_no_campaign(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` for a file that is no campaign, or one of a newer judge_tui."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION_ID:
        raise CampaignError(path, "not a judge_tui campaign", NO_CAMPAIGN)
    version = _version(connection)
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring an older schema to the newest, wholly or not at all."""
    from judge_tui.campaign.store.schema import migrate  # noqa: PLC0415

    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


@contextmanager
def second_reader(campaign: Campaign, stopped: Callable[[], bool]) -> Iterator[Campaign]:
    """The same file, opened once more and read-only, in the thread that is to read it.

    As soon as `stopped` is true, what is being read ends with a `CampaignError`, and so does all
    that is read after it. Raises `CampaignError` where another file stands there now.
    """
    if campaign.loss is not None:
        raise campaign.loss
    try:
        connection = _read_only(campaign.place, at_rest=campaign.read_only)
        refusal = CampaignError(campaign.path, *READ_ONLY)
        with Campaign(campaign.path, SqliteBackend(campaign.path, connection, refusal)) as reader:
            reader.backend.stop_when(stopped)
            if not campaign.backend.is_same_file():
                raise CampaignError(campaign.path, GONE, "leave and start again")
            yield reader
    except ERRORS as error:
        raise in_words(campaign.path, error) from error
