"""Campaigns opened, to write, to read alone, or once more beside the app; and made, whole and on
disk, or not at all. What is on a server is opened and made by `postgres`."""

from __future__ import annotations

import os
import secrets
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

from judge_tui.campaign.shell_command import shell_command
from judge_tui.campaign.store.backend import Tables
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.errors_in_words import ERRORS, GONE, READ_ONLY, in_words
from judge_tui.campaign.store.event import now
from judge_tui.campaign.store.schema import (
    SCHEMA_VERSION,
    migrate,
    refuse_no_campaign,
    schema_version,
)
from judge_tui.campaign.store.settings import Settings, insert_settings
from judge_tui.campaign.store.sqlite import SqliteBackend, SqliteTables, connected
from judge_tui.errors import CampaignError, UsageError
from judge_tui.model import Scale
from judge_tui.place import Address, parse_place


def open_campaign(path: str | os.PathLike[str]) -> Campaign:
    """Open an existing campaign, a file or on a server (see `parse_place`), migrating an older
    schema; to be used as a context manager.

    What is opened may be given to `judge_tui.score` and `judge_tui.compare` in place of qrels;
    `overview.grading.grades_by_judge` has what its judges decided, for `judge_tui.agree`. A file
    that is read-only, or in a read-only folder, can be read. Raises `CampaignError` where there is
    no file, the file is not a campaign, or a newer judge_tui made it.
    """
    path = parse_place(path)
    if isinstance(path, Address):
        return _on_server(path)
    if not path.exists():
        raise CampaignError(
            path,
            "no such file",
            f"make one with: {shell_command(path, 'init')}, or name yours with --db",
        )
    if not path.is_file():
        raise CampaignError(path, "not a file", "name a campaign file with --db")
    if not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)):
        return _to_read(path, CampaignError(path, *READ_ONLY))
    try:
        # Absolute: SQLite takes ":memory:" and "file:…" for something else than a name.
        return _open(path, connected(path.absolute()))
    except ERRORS as error:
        why = in_words(path, error)
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _NO_ROOM:
            return _to_read(path, why)
        raise why from error


def _on_server(address: Address, *, read_only: bool = False) -> Campaign:
    """The campaign there; where there is none, nobody stays connected."""
    with ExitStack() as unless_opened:
        backend = server_module("postgres").PostgresBackend(address, read_only=read_only)
        unless_opened.enter_context(closing(backend))
        backend.refuse_no_campaign()
        campaign = Campaign(address, backend)
        unless_opened.pop_all()
    return campaign


def server_module(name: str) -> ModuleType:
    """A module of this room that speaks to servers, for which not everybody installs what it needs.
    Raises `UsageError`."""
    try:
        return import_module(f"judge_tui.campaign.store.{name}")
    except ImportError as error:
        raise UsageError(
            "campaigns on PostgreSQL need psycopg", "install it: pip install 'judge_tui[postgres]'"
        ) from error


_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""What SQLite says of a full disk, on which it cannot make its files beside the campaign's."""


def _to_read(path: Path, refusal: CampaignError) -> Campaign:
    try:
        return _open(path, _read_only(path, at_rest=True), refusal)
    except ERRORS as error:
        raise in_words(path, error) from error


def _read_only(path: Path, *, at_rest: bool) -> sqlite3.Connection:
    """A connection that writes nothing to the file. `at_rest`: nobody can write, so that without a
    WAL nothing is made beside the file."""
    place = path.absolute()
    wal = Path(f"{os.path.realpath(place)}-wal")
    alone = at_rest and not (wal.exists() and wal.stat().st_size)
    uri = f"{place.as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    return connected(uri, uri=True)


def _open(
    path: Path, connection: sqlite3.Connection, refusal: CampaignError | None = None
) -> Campaign:
    """The campaign behind a connection, which is closed where there is none. `refusal`: of one that
    can only read, what to raise to whoever would write."""
    with ExitStack() as unless_opened:
        unless_opened.enter_context(closing(connection))
        refuse_no_campaign(path, connection)
        if refusal is None:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        if schema_version(connection) < SCHEMA_VERSION:
            if refusal is not None:
                raise refusal
            _upgrade(connection)
        campaign = Campaign(path, SqliteBackend(path, connection, refusal))
        unless_opened.pop_all()
    return campaign


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring an older schema to the newest, wholly or not at all."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        migrate(connection)


@contextmanager
def second_reader(campaign: Campaign, stopped: Callable[[], bool]) -> Iterator[Campaign]:
    """The same file, opened once more and read-only, in the thread that is to read it.

    As soon as `stopped` is true, what is being read ends with a `CampaignError`, and so does all
    that is read after it. Raises `CampaignError` where another file stands there now.
    """
    path, backend = campaign.path, campaign.backend
    if isinstance(path, Address):
        with _on_server(path, read_only=True) as reader:
            reader.backend.stop_when(stopped)
            yield reader
        return
    assert isinstance(backend, SqliteBackend), "it has a path"  # noqa: S101
    if backend.loss is not None:
        raise backend.loss
    try:
        connection = _read_only(backend.place, at_rest=backend.read_only)
        refusal = CampaignError(path, *READ_ONLY)
        with _open(path, connection, refusal) as reader:
            reader.backend.stop_when(stopped)
            if not backend.is_same_file():
                raise CampaignError(path, GONE, "leave and start again")
            yield reader
    except ERRORS as error:
        raise in_words(path, error) from error


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
    """Create the campaign, a file or on a server, and open it. `seed` (default: drawn) fixes every
    order and sample made later.

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
    with new_campaign(path, settings):
        pass
    return open_campaign(path)


def new_campaign(
    path: str | os.PathLike[str], settings: Settings
) -> AbstractContextManager[Tables]:
    """A transaction in which a campaign is made, a file or on a server, as `new_file` makes it."""
    place = parse_place(path)
    if isinstance(place, Address):
        return _new_on_server(place, settings)
    return new_file(place, settings)


@contextmanager
def _new_on_server(address: Address, settings: Settings) -> Iterator[Tables]:
    with server_module("postgres_schema").new_schema(address) as tables:
        insert_settings(tables, settings)
        yield tables


@contextmanager
def new_file(path: str | os.PathLike[str], settings: Settings) -> Iterator[Tables]:
    """A transaction on a draft that has the tables and the settings, for more to be put into it.

    When the block is left, the draft gets its name, whole and on disk; where the block fails,
    nothing is left. Raises `CampaignError` where the path exists or cannot be written.
    """
    # Importing `formats` costs more than opening a campaign.
    from judge_tui.formats.writing import remove_leftovers  # noqa: PLC0415

    path = Path(path)
    _refuse_existing(path)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    try:
        remove_leftovers(path, ".draft")
        with closing(connected(draft.absolute())) as connection:
            connection.execute("BEGIN IMMEDIATE")
            migrate(connection)
            tables = SqliteTables(connection)
            insert_settings(tables, settings)
            yield tables
            connection.execute("COMMIT")
        _put_in_place(draft, path)
    except (*ERRORS, OSError) as error:
        raise in_words(path, error) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _put_in_place(draft: Path, path: Path) -> None:
    """Give the finished file its name, unless another file came by that name meanwhile."""
    try:
        os.link(draft, path)
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
