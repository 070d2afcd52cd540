"""Somebody else's copy of the campaign, read and checked before anything of it is used.

The file is read and never written to; what stands in its write-ahead log counts. It may come from
anywhere, so nothing in it is believed: nothing of its own is ever run, no view, trigger or index,
only plain tables are read, and every value must be one that judge_tui could have written.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import DOCUMENT_FIELDS
from judge_tui.campaign.store.errors_in_words import in_words
from judge_tui.campaign.store.event import EVENT_FIELDS, TIME
from judge_tui.campaign.store.foreign_answers import (
    ForeignAnswer,
    refuse_forged_answer,
    refuse_forged_model,
)
from judge_tui.campaign.store.judges import Judge, proper_name
from judge_tui.campaign.store.metadata import parse_metadata
from judge_tui.campaign.store.model_answers import (
    ANSWER_FIELDS,
    GRADES_WITHOUT_EVENTS,
    AskedModel,
)
from judge_tui.campaign.store.queries import QUERY_FIELDS
from judge_tui.campaign.store.schema import APPLICATION_ID, refuse_no_campaign, schema_version
from judge_tui.campaign.store.sqlite import among, connected, damage_in
from judge_tui.errors import CampaignError, UsageError
from judge_tui.formats.ids import id_in
from judge_tui.model import Scale, composed

_ANOTHER_COPY = "ask for another copy of it; this one is not merged"
_TABLES = ("campaign", "judges", "queries", "documents", "pool", "events")
_OF_MODELS = ("model_judges", "model_answers")
_NOT_READ = (0, 1, 16)
"""Schemas whose tables lack what a merge goes by: 16 has answers of models without a probe."""

_WITH_FORMER_NAMES = 12
_WITH_MODELS = 17

_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
# No clock is wrong by as much, and no id that follows from one in these bounds will be outside of
# them when it is merged, as time goes on faster than events come.
_YEARS_AHEAD = 100


class ForeignEvent(NamedTuple):
    """One event by text ids, which are the same in every copy: `judge` is the first name, of a
    model `AskedModel.who`. Then come `EVENT_FIELDS`, as they are in `Event`."""

    id: str
    judge: str
    query_id: str
    doc_id: str
    action: str
    grade: int | None
    note: str
    target: str | None
    turn: int
    looked: float | None
    painted_at: str | None
    written_at: str


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
            copy_file(path, copy)
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA cell_size_check = ON")
                _refuse_other_tables(path, connection)
                for damage in damage_in(connection):
                    raise CampaignError(path, f"the file is damaged ({damage})", _ANOTHER_COPY)
                _refuse_another_campaign(path, connection, campaign)
                yield ForeignFile(connection, frozenset(campaign.settings.scale.grades))
        except (ValueError, TypeError, AttributeError, OverflowError, UsageError) as error:
            raise _forged(path, error) from error
        except (OSError, sqlite3.Error) as error:
            raise in_words(path, error) from error


@contextmanager
def checked_by_tables(path: str | os.PathLike[str], campaign: Campaign) -> Iterator[None]:
    """Raise `CampaignError` of the file for a row of it that the tables of the campaign refuse."""
    try:
        yield
    except campaign.backend.refusals as error:
        raise _forged(path, error) from error


def _forged(path: str | os.PathLike[str], error: Exception) -> CampaignError:
    what = error.what if isinstance(error, UsageError) else " ".join(str(error).split())
    return CampaignError(path, f"no judge_tui wrote this: {what}", _ANOTHER_COPY)


class ForeignFile:
    """The content. What judge_tui would not have written raises `ValueError`, or `UsageError`.

    `judges`: by who they are in every copy, less those who were removed there; `models`: which of
    them are models whose identity is known.
    """

    def __init__(self, connection: sqlite3.Connection, grades: Collection[int]) -> None:
        self._connection = connection
        self._grades = grades
        self._ids: dict[str, str] = {}
        self._who: dict[int, str] = {}
        self.judges: dict[str, Judge] = {}
        self.models: dict[str, AskedModel] = {}
        version = schema_version(connection)
        newer = ", formerly, removed" if version >= _WITH_FORMER_NAMES else ", NULL, 0"
        self._has_models = version >= _WITH_MODELS
        models = self._models() if self._has_models else {}
        for key, name, role, kind, formerly, removed in connection.execute(
            f"SELECT id, name, role, kind{newer} FROM judges"
        ):
            if role not in ("judge", "lead") or kind not in ("human", "model"):
                raise ValueError(f"a judge who is {role!r:.30} and {kind!r:.30}")
            former = None if formerly is None else _name(formerly, kind)
            judge = Judge(key, _name(name, kind), role, kind, former)
            model = models.get(key)
            if model is not None and kind != "model":
                raise ValueError(f"a model who is {kind}, {name!r:.70}")
            if not removed:
                who = self._who[key] = judge.first_name if model is None else model.who
                self.judges[who] = judge
                if model is not None:
                    self.models[who] = model

    def _models(self) -> dict[int, AskedModel]:
        models = {}
        for key, called, *rest in self._connection.execute(
            "SELECT judge, called, identity, model, rest FROM model_judges"
        ):
            models[key] = AskedModel(key, "", _name(called, "model"), *rest)
            refuse_forged_model(models[key])
        return models

    def events(self) -> Iterator[ForeignEvent]:
        """All of the judges who are there, ascending."""
        row = self._connection.execute(_BAD_TARGET).fetchone()
        if row is not None:
            raise ValueError(f"an undo or redo of what it cannot undo or redo, {row[0]!r:.70}")
        last, latest = "", _latest_id()
        for event_id, judge, query_id, doc_id, *rest in self._connection.execute(_EVENTS):
            if judge in self._who:
                event = ForeignEvent(
                    event_id, self._who[judge], self._id(query_id), self._id(doc_id), *rest
                )
                _check(event, self._grades)
                if not last < event_id < latest:
                    raise ValueError(f"an event more than {_YEARS_AHEAD} years ahead, {event_id!r}")
                last = event_id
                yield event

    def answers(self) -> Iterator[ForeignAnswer]:
        """All of the models who are there."""
        if not self._has_models:
            return
        for _, _, grade in self._connection.execute(GRADES_WITHOUT_EVENTS):
            raise ValueError(f"an answer whose grade, {grade!r:.30}, is no event")
        for judge, query_id, doc_id, *rest in self._connection.execute(_ANSWERS):
            if judge in self._who:
                answer = ForeignAnswer(
                    self._who[judge], self._id(query_id), self._id(doc_id), *rest
                )
                refuse_forged_answer(answer, self._grades)
                yield answer

    def queries(self, query_ids: Collection[str]) -> list[tuple[str, ...]]:
        """Ids and fields of these, in the order in which they were loaded."""
        return self._rows("queries", "query_id", QUERY_FIELDS, query_ids)

    def documents(self, doc_ids: Collection[str]) -> list[tuple[str, ...]]:
        """The same of documents."""
        return self._rows("documents", "doc_id", DOCUMENT_FIELDS, doc_ids)

    def _rows(
        self, table: str, named: str, fields: tuple[str, ...], ids: Collection[str]
    ) -> list[tuple[str, ...]]:
        condition, values = among(
            named, [one for one, its_id in self._ids.items() if its_id in ids]
        )
        sql = f"SELECT {named}, {', '.join(fields)} FROM {table} WHERE {condition} ORDER BY id"
        found = []
        for name, *rest in self._connection.execute(sql, values):
            if parse_metadata(rest[-1]) is None:
                raise ValueError(f"meta of {table}, {rest[-1]!r:.70}")
            found.append((self._id(name), *rest))
        return found

    def _id(self, text: str) -> str:
        """As it is written now, where an older schema had it with white space."""
        found = self._ids.get(text)
        if found is None:
            found = self._ids[text] = id_in(text)
        return found


# From the events on: they are read in the order of their ids, and nothing is sorted.
_EVENTS = (
    f"SELECT e.id, e.judge, q.query_id, d.doc_id, {', '.join(f'e.{one}' for one in EVENT_FIELDS)}"
    " FROM events AS e CROSS JOIN pool AS p ON p.id = e.pair"
    " CROSS JOIN queries AS q ON q.id = p.query CROSS JOIN documents AS d ON d.id = p.document"
    " ORDER BY e.id"
)

_ANSWERS = (
    f"SELECT a.judge, q.query_id, d.doc_id, {', '.join(f'a.{one}' for one in ANSWER_FIELDS)}"
    " FROM model_answers AS a CROSS JOIN pool AS p ON p.id = a.pair"
    " CROSS JOIN queries AS q ON q.id = p.query CROSS JOIN documents AS d ON d.id = p.document"
)

_BAD_TARGET = (
    "SELECT e.id FROM events AS e LEFT JOIN events AS t ON t.id = e.target"
    " WHERE e.target IS NOT NULL AND ((t.judge, t.pair, t.turn) IS NOT (e.judge, e.pair, e.turn)"
    " OR t.id >= e.id OR (e.action = 'undo' AND t.action IN ('undo', 'redo'))"
    " OR (e.action = 'redo' AND t.action <> 'undo'))"
)


def _name(text: str, kind: str) -> str:
    name = proper_name(text, kind)
    if name != composed(text):
        raise ValueError(f"the judge's name {text!r:.70}")
    return name


def _check(event: ForeignEvent, grades: Collection[int]) -> None:
    """Raise `ValueError` for what judge_tui would not have written and its tables let pass."""
    if not _UUID7.fullmatch(event.id):
        raise ValueError(f"the id of an event, {event.id!r:.70}")
    if event.grade is not None and event.grade not in grades:
        raise ValueError(f"a grade off the scale, {event.grade}")
    looked = event.looked
    if looked is not None and not 0 <= looked < math.inf:
        raise ValueError(f"the seconds that somebody looked, {looked}")
    for at in (event.written_at, event.painted_at or event.written_at):
        if not TIME.fullmatch(at):
            raise ValueError(f"the time of an event, {at!r:.70}")


def _latest_id() -> str:
    """No id of an event is greater: its first 48 bits are milliseconds since 1970 (RFC 9562)."""
    digits = f"{int(time.time() * 1000) + _YEARS_AHEAD * 366 * 86_400_000:012x}"
    return f"{digits[:8]}-{digits[8:]}"


def copy_file(path: Path, copy: Path) -> None:
    """The file with what stands in its write-ahead log.

    Opened in the usual way, even to read, SQLite would leave a log and its index beside the file.
    """
    # SQLite keeps them beside the target of a symlink.
    path = path.resolve()
    parts = {end: path.with_name(f"{path.name}{end}") for end in ("", "-wal", "-shm")}
    if all(part.exists() for part in parts.values()):
        # Somebody works on it, or did until the power went: SQLite knows what counts.
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with (
            closing(connected(uri, uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
        return
    for end in ("", "-wal"):
        if parts[end].exists():
            shutil.copyfile(parts[end], copy.with_name(f"{copy.name}{end}"))


def _refuse_other_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` unless what is read are plain tables, of a version that is known."""
    if connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID:
        kinds = {
            name: (kind, hidden)
            for name, kind, hidden in connection.execute(
                "SELECT l.name, l.type, (SELECT max(hidden) FROM pragma_table_xinfo(l.name))"
                " FROM pragma_table_list AS l WHERE l.schema = 'main'"
            )
        }
        for table in (
            *_TABLES,
            *(_OF_MODELS if schema_version(connection) >= _WITH_MODELS else ()),
        ):
            # Neither a view or a virtual table, nor a column that computes.
            if kinds.get(table) != ("table", 0):
                what = f"its tables are not those that judge_tui makes: {table!r}"
                raise CampaignError(path, what, _ANOTHER_COPY)
    refuse_no_campaign(path, connection)
    version = schema_version(connection)
    if version in _NOT_READ:
        what = f"its schema is version {version}, which cannot be merged"
        raise CampaignError(path, what, "open it once with this judge-tui, then merge it")


def _refuse_another_campaign(
    path: Path, connection: sqlite3.Connection, campaign: Campaign
) -> None:
    ours = campaign.settings
    campaign_id, name, scale = connection.execute(
        "SELECT campaign_id, name, scale FROM campaign"
    ).fetchone() or ("", "", "")
    if not campaign_id:
        raise ValueError("a campaign without an id")
    if campaign_id != ours.campaign_id:
        what = f"belongs to another campaign, {name!r}, and this is {ours.name!r}"
        raise CampaignError(path, what, "merge copies of this campaign's file, or its bundles")
    if Scale.parse(scale).grades != ours.scale.grades:
        raise CampaignError(
            path,
            f'its scale is "{scale}", and here it is "{ours.scale}"',
            "grades of two scales mean different things and are not merged",
        )
