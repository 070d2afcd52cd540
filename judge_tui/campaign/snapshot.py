"""A copy of somebody else's campaign file, looked through before anything of it is used.

The file is read and never written to: what stands in its write-ahead log counts, an older schema is
migrated in the copy alone. It may come from anywhere, so nothing in it is believed: its tables must
be those that judge_tui makes, with no trigger, view or index besides, and every value one that
judge_tui could have written.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign.file import (
    BUSY_MILLISECONDS,
    Settings,
    open_campaign,
)
from judge_tui.campaign.values import first_bad_value
from judge_tui.campaign.version import APPLICATION_ID, SCHEMA_VERSION
from judge_tui.campaign.words import in_words
from judge_tui.errors import CampaignError, UsageError

__all__ = ["Snapshot", "snapshot"]

_ATTEMPTS = 3
_ANOTHER_COPY = "ask for another copy of it; this one is not merged"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The checked copy at `path`, of the newest schema, and what the campaign in it is."""

    path: Path
    settings: Settings


@contextmanager
def snapshot(path: Path) -> Iterator[Snapshot]:
    """The campaign file as it is at this moment; the copy is gone when the block is left.

    Raises `CampaignError` where the file is none, is damaged, or holds what no judge_tui writes.
    """
    if not path.is_file():
        what = "not a file" if path.exists() else "no such file"
        raise CampaignError(path, what, "name the campaign file that is to be merged")
    with tempfile.TemporaryDirectory(prefix="judge-tui-") as folder:
        copy = Path(folder) / "copy.db"
        with _said_of(path):
            _copy(path, copy)
            with closing(_unobeyed(copy)) as connection:
                _refuse_other_tables(path, connection)
                _refuse_damage(path, connection)
            with open_campaign(copy) as campaign:
                settings = campaign.settings
                bad = first_bad_value(campaign.connection, settings)
        if bad is not None:
            raise CampaignError(path, f"no judge_tui wrote this: {bad}", _ANOTHER_COPY)
        yield Snapshot(copy, settings)


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    """Turns what happens to the copy into an error that names the file itself."""
    try:
        yield
    except CampaignError as error:
        raise type(error)(path, error.what, error.mend) from error
    except UsageError as error:
        raise CampaignError(
            path, f"no judge_tui wrote this: {error.what}", _ANOTHER_COPY
        ) from error
    except (OSError, sqlite3.Error) as error:
        if str(error).startswith("file is not a database"):
            raise _no_campaign(path) from error
        told = in_words(path, error)
        raise type(told)(path, f"cannot be read: {told.what}", told.mend) from error


def _copy(path: Path, copy: Path) -> None:
    """The file with its write-ahead log, as one file or as SQLite finds them side by side.

    Opened in the usual way, even to read, SQLite would leave a log and its index beside the file.
    """
    for _ in range(_ATTEMPTS):
        before = _state(path)
        beside = {end for end in ("-wal", "-shm", "-journal") if _beside(path, end).exists()}
        if {"-wal", "-shm"} <= beside:
            # Somebody works on it, or did until the power went: SQLite knows what counts.
            _back_up(path, copy, "mode=ro")
            return
        if beside & {"-wal", "-journal"}:
            # Brought here together, and nobody is at work on them.
            for end in beside - {"-shm"}:
                shutil.copyfile(_beside(path, end), _beside(copy, end))
            shutil.copyfile(path, copy)
        else:
            _back_up(path, copy, "mode=ro&immutable=1")
        if _state(path) == before:
            return
        for made in copy.parent.iterdir():
            made.unlink()
    raise CampaignError(path, "it changes while it is read", "try again when nobody writes to it")


def _beside(path: Path, end: str) -> Path:
    return path.with_name(f"{path.name}{end}")


def _state(path: Path) -> tuple[object, ...]:
    """What differs where another program wrote to the file, or began to."""
    parts = [_beside(path, end) for end in ("", "-wal", "-journal")]
    stats = [part.stat() if part.exists() else None for part in parts]
    return tuple(
        None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns)
        for found in stats
    )


def _back_up(path: Path, copy: Path, how: str) -> None:
    uri = f"{path.absolute().as_uri()}?{how}"
    with (
        closing(sqlite3.connect(uri, uri=True, timeout=BUSY_MILLISECONDS / 1000)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)


def _unobeyed(copy: Path) -> sqlite3.Connection:
    """A connection that trusts the file with no function of consequence."""
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _no_campaign(path: Path) -> CampaignError:
    return CampaignError(path, "not a judge_tui campaign", "name copies of this campaign's file")


def _refuse_other_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` unless the schema is, to the letter, that of its version."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise _no_campaign(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )
    found, expected = _schema(connection), _schema_of_version(version)
    if found != expected:
        names = sorted(name for _, name, _ in found ^ expected)
        raise CampaignError(
            path, f"its tables are not those that judge_tui makes: {names[0]!r}", _ANOTHER_COPY
        )


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Type, name and text of everything declared, but for SQLite's own and sqlite-utils' own."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_schema"
        " WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@' AND tbl_name <> '_sqlite_migrations'"
    )
    return {(kind, name, " ".join(sql.split())) for kind, name, sql in rows}


def _schema_of_version(version: int) -> set[tuple[str, str, str]]:
    from sqlite_utils import Database  # noqa: PLC0415 - it takes longer to import than most merges

    from judge_tui.campaign.schema import migrations  # noqa: PLC0415

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        database = Database(connection, use_counts_table=False)
        steps = [step.name for step in migrations.pending(database)]
        migrations.apply(database, stop_before=steps[version:])
        return _schema(connection)


def _refuse_damage(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` for pages that contradict each other, and rows that hang in the air."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise CampaignError(path, f"the file is damaged: {found}", _ANOTHER_COPY)
    row = connection.execute("PRAGMA foreign_key_check").fetchone()
    if row is not None:
        what = f"the file is damaged: a row of {row[0]!r} belongs to nothing in {row[2]!r}"
        raise CampaignError(path, what, _ANOTHER_COPY)
