"""Somebody else's copy of the campaign, read and checked before anything of it is used.

The file is read and never written to; what stands in its write-ahead log counts. It may come from
anywhere, so nothing in it is believed: nothing of its own is ever run, no view, trigger or index,
only plain tables are read, and every value must be one that judge_tui could have written.
"""

from __future__ import annotations

import math
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from judge_tui.campaign.store.columns import DOCUMENT_FIELDS, QUERY_FIELDS, parsed
from judge_tui.campaign.store.connection import BUSY_MILLISECONDS, Campaign
from judge_tui.campaign.store.errors_in_words import in_words
from judge_tui.campaign.store.judges import proper_name
from judge_tui.campaign.store.opening import APPLICATION_ID, SCHEMA_VERSION
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.formats.ids import id_in
from judge_tui.model import Scale, composed

__all__ = ["ForeignEvent", "ForeignFile", "foreign_file"]


_ATTEMPTS = 3
_ANOTHER_COPY = "ask for another copy of it; this one is not merged"
_TABLES = ("campaign", "judges", "queries", "documents", "pool", "events")
_OLDEST = 2

_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:.{0,24}", re.ASCII)
# No clock is wrong by as much, and no id that follows from one in these bounds will be outside of
# them when it is merged, as time goes on faster than events come.
_YEARS_AHEAD = 100
_LONGEST_LOOK = 1e9


class ForeignEvent(NamedTuple):
    """One event by text ids, which are the same in every copy; fields as those of `Event`."""

    id: str
    judge: str
    query_id: str
    doc_id: str
    turn: int
    action: str
    grade: int | None
    note: str
    target: str | None
    looked: float | None
    painted_at: str | None
    written_at: str


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """The checked content. `judges`: name -> role and kind. `strata`: (query_id, doc_id) -> why the
    pair is in the pool there. `queries` and `documents` are read on demand, while it is open."""

    connection: sqlite3.Connection
    judges: dict[str, tuple[str, str]]
    query_keys: dict[str, int]
    document_keys: dict[str, int]
    strata: dict[tuple[str, str], str]
    names: dict[int, str]
    pairs: dict[int, tuple[str, str]]
    grades: frozenset[int]

    def events(self) -> Iterator[ForeignEvent]:
        """All of them, ascending. Raises `ValueError` for one that judge_tui would not have
        written."""
        latest = _latest_id()
        for row in self.connection.execute(
            "SELECT id, judge, pair, turn, action, grade, note, target, looked, painted_at,"
            " written_at FROM events ORDER BY id"
        ):
            event_id, judge, pair, *rest = row
            event = ForeignEvent(event_id, self.names[judge], *self.pairs[pair], *rest)
            _check(event, self.grades, latest)
            yield event

    def queries(self, query_ids: Iterable[str]) -> list[tuple[str, ...]]:
        """Ids and fields of these, in the order in which they were loaded there."""
        keys = sorted(self.query_keys[query_id] for query_id in query_ids)
        return self._rows("queries", "query_id", QUERY_FIELDS, keys)

    def documents(self, doc_ids: Iterable[str]) -> list[tuple[str, ...]]:
        """The same of documents."""
        keys = sorted(self.document_keys[doc_id] for doc_id in doc_ids)
        return self._rows("documents", "doc_id", DOCUMENT_FIELDS, keys)

    def _rows(
        self, table: str, named: str, fields: tuple[str, ...], keys: list[int]
    ) -> list[tuple[str, ...]]:
        found = []
        sql = f"SELECT {named}, {', '.join(fields)} FROM {table} WHERE id = ?"
        for key in keys:
            name, *rest = self.connection.execute(sql, (key,)).fetchone()
            if parsed(rest[-1]) is None:
                raise ValueError(f"meta of {table}, {rest[-1]!r:.70}")
            found.append((id_in(name), *rest))
        return found


@contextmanager
def foreign_file(path: Path, campaign: Campaign) -> Iterator[ForeignFile]:
    """The file as it is at this moment, a copy of the same campaign with the same grades; its copy
    is gone when the block is left.

    Raises `CampaignError` where the file is none, is damaged, belongs to another campaign, or holds
    what no judge_tui writes, be it found inside the block.
    """
    if not path.is_file():
        what = "not a file" if path.exists() else "no such file"
        raise CampaignError(path, what, "name the campaign file that is to be merged")
    with tempfile.TemporaryDirectory(prefix="judge-tui-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            _copy(path, copy)
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA cell_size_check = ON")
                _refuse_other_tables(path, connection)
                _refuse_damage(path, connection)
                _refuse_another_campaign(path, connection, campaign)
                yield _content(connection, campaign)
        except (ValueError, OverflowError) as error:
            raise CampaignError(path, f"no judge_tui wrote this: {error}", _ANOTHER_COPY) from error
        except (OSError, sqlite3.Error) as error:
            if str(error).startswith("file is not a database"):
                raise _no_campaign(path) from error
            told = in_words(path, error)
            raise type(told)(path, f"cannot be read: {told.what}", told.mend) from error


def _content(connection: sqlite3.Connection, campaign: Campaign) -> ForeignFile:
    """Raises `ValueError` for what judge_tui would not have written."""
    names: dict[int, str] = {}
    judges: dict[str, tuple[str, str]] = {}
    for key, name, role, kind in connection.execute("SELECT id, name, role, kind FROM judges"):
        names[key] = _checked(proper_name, name)
        if names[key] != composed(name):
            raise ValueError(f"the judge's name {name!r:.70}")
        judges.setdefault(names[key], (role, kind))
    queries = _ids(connection, "SELECT id, query_id FROM queries")
    documents = _ids(connection, "SELECT id, doc_id FROM documents")
    row = connection.execute(_BAD_TARGET).fetchone()
    if row is not None:
        raise ValueError(f"an undo or redo of what it cannot undo or redo, {row[0]!r:.70}")
    pairs, strata = {}, {}
    for key, query, document, stratum in connection.execute(
        "SELECT id, query, document, stratum FROM pool"
    ):
        pairs[key] = queries[query], documents[document]
        strata[pairs[key]] = stratum
    return ForeignFile(
        connection=connection,
        judges=judges,
        query_keys={query_id: key for key, query_id in queries.items()},
        document_keys={doc_id: key for key, doc_id in documents.items()},
        strata=strata,
        names=names,
        pairs=pairs,
        grades=frozenset(campaign.settings.scale.grades),
    )


_BAD_TARGET = (
    "SELECT e.id FROM events AS e JOIN events AS t ON t.id = e.target"
    " WHERE (t.judge, t.pair, t.turn) IS NOT (e.judge, e.pair, e.turn) OR t.id >= e.id"
    " OR (e.action = 'undo' AND t.action IN ('undo', 'redo'))"
    " OR (e.action = 'redo' AND t.action <> 'undo')"
)


def _ids(connection: sqlite3.Connection, sql: str) -> dict[int, str]:
    return {key: _checked(id_in, text) for key, text in connection.execute(sql)}


def _checked(check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except JudgeTuiError as error:
        raise ValueError(error.what) from error


def _check(event: ForeignEvent, grades: frozenset[int], latest: str) -> None:
    """Raise `ValueError` for what the tables themselves let pass."""
    if not _UUID7.fullmatch(event.id):
        raise ValueError(f"the id of an event, {event.id!r:.70}")
    if event.id > latest:
        raise ValueError(f"an event more than {_YEARS_AHEAD} years ahead, {event.id!r}")
    if event.grade is not None and event.grade not in grades:
        raise ValueError(f"a grade off the scale, {event.grade}")
    looked = event.looked
    if looked is not None and not (math.isfinite(looked) and 0 <= looked <= _LONGEST_LOOK):
        raise ValueError(f"the seconds that somebody looked, {looked}")
    for at in (event.written_at, event.painted_at):
        if at is not None and not _TIME.fullmatch(at):
            raise ValueError(f"the time of an event, {at!r:.70}")


def _latest_id() -> str:
    """No id of an event is greater: its first 48 bits are milliseconds since 1970 (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000 + _YEARS_AHEAD * 366 * 86_400_000
    digits = f"{milliseconds:012x}"
    return f"{digits[:8]}-{digits[8:]}"


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


def _no_campaign(path: Path) -> CampaignError:
    return CampaignError(path, "not a judge_tui campaign", "name copies of this campaign's file")


def _refuse_other_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` unless what is read are plain tables, of a version that is known."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise _no_campaign(path)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )
    if version < _OLDEST:
        what = f"its schema is version {version}, of the first judge-tui"
        raise CampaignError(path, what, "open it once with this judge-tui, then merge it")
    kinds = {
        name: (kind, hidden)
        for name, kind, hidden in connection.execute(
            "SELECT l.name, l.type, (SELECT max(hidden) FROM pragma_table_xinfo(l.name))"
            " FROM pragma_table_list AS l WHERE l.schema = 'main'"
        )
    }
    for table in _TABLES:
        # Neither a view or a virtual table, nor a column that computes.
        if kinds.get(table) != ("table", 0):
            what = f"its tables are not those that judge_tui makes: {table!r}"
            raise CampaignError(path, what, _ANOTHER_COPY)


def _refuse_damage(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` for pages that contradict each other, and rows that hang in the air."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise CampaignError(path, f"the file is damaged: {found}", _ANOTHER_COPY)
    for table in _TABLES:
        row = connection.execute(f"PRAGMA foreign_key_check({table})").fetchone()
        if row is not None:
            what = f"the file is damaged: a row of {row[0]!r} belongs to nothing in {row[2]!r}"
            raise CampaignError(path, what, _ANOTHER_COPY)


def _refuse_another_campaign(
    path: Path, connection: sqlite3.Connection, campaign: Campaign
) -> None:
    ours = campaign.settings
    row = connection.execute("SELECT campaign_id, name, scale FROM campaign").fetchone()
    if row is None or not row[0]:
        raise ValueError("a campaign without an id")
    campaign_id, name, scale = row
    if campaign_id != ours.campaign_id:
        what = (
            f"is another campaign of the same name, {ours.name!r}"
            if name == ours.name
            else f"belongs to the campaign {name!r}, and this is {ours.name!r}"
        )
        raise CampaignError(path, what, "merge copies of this campaign's file, or its bundles")
    try:
        theirs = Scale.parse(scale)
    except JudgeTuiError as error:
        raise ValueError(error.what) from error
    if theirs.grades != ours.scale.grades:
        raise CampaignError(
            path,
            f'its scale is "{theirs}", and here it is "{ours.scale}"',
            "grades of two scales mean different things and are not merged",
        )
