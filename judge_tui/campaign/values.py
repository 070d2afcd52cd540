"""Whether the values in a campaign are such as judge_tui writes, beyond what its tables enforce.

The tables hold types, actions and references; here are ids, grades, times, undos, JSON and numbers.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import deque

from judge_tui.campaign.events import DECISIONS
from judge_tui.campaign.file import Settings
from judge_tui.campaign.judges import proper_name
from judge_tui.campaign.metadata import parsed
from judge_tui.errors import UsageError
from judge_tui.formats.ids import is_blank
from judge_tui.model import composed

__all__ = ["first_bad_value"]

_HEX = "[0-9a-f]"
_UUID7 = "-".join(
    (_HEX * 8, _HEX * 4, f"7{_HEX * 3}", f"[89ab]{_HEX * 3}", _HEX * 12)
)  # RFC 9562, section 5.7
# No clock is wrong by as much, and no id that follows from one in these bounds will be outside of
# them when it is merged, as time goes on faster than events come.
_YEARS_AHEAD = 100
_TIME = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:*"
_FINITE = "BETWEEN -1.7976931348623157e308 AND 1.7976931348623157e308"

# What is wrong, and a query for the first row in which it is; `?` are the grades of the scale.
_CHECKS = (
    (
        "the id of an event",
        f"SELECT id FROM events WHERE id NOT GLOB '{_UUID7}' OR length(id) <> 36",  # noqa: S608
    ),
    (
        "a grade off the scale",
        "SELECT grade FROM events WHERE grade IS NOT NULL"
        " AND grade NOT IN (SELECT value FROM json_each(?))",
    ),
    (
        "a grade off the scale",
        "SELECT grade FROM gold WHERE grade NOT IN (SELECT value FROM json_each(?))",
    ),
    (
        "an undo or redo of what it cannot undo or redo",
        "SELECT e.id FROM events AS e JOIN events AS t ON t.id = e.target"
        " WHERE (t.judge, t.pair, t.turn) IS NOT (e.judge, e.pair, e.turn) OR t.id >= e.id"
        " OR (e.action = 'undo' AND t.action IN ('undo', 'redo'))"
        " OR (e.action = 'redo' AND t.action <> 'undo')",
    ),
    (
        "what a file is said to have taken the place of",
        "SELECT e.over FROM events AS e LEFT JOIN events AS t ON t.id = e.over"  # noqa: S608
        " WHERE e.over <> '' AND ((t.judge, t.pair, t.turn) IS NOT (e.judge, e.pair, e.turn)"
        f" OR (t.action IN {DECISIONS}) IS NOT (e.action IN {DECISIONS})"
        " OR (t.action = 'comment') IS NOT (e.action = 'comment'))",
    ),
    (
        "the seconds that somebody looked",
        "SELECT looked FROM events WHERE looked IS NOT NULL AND looked NOT BETWEEN 0 AND 1e9",
    ),
    (
        "the time of an event",
        f"SELECT written_at FROM events WHERE written_at NOT GLOB '{_TIME}'"  # noqa: S608
        " OR length(written_at) > 40",
    ),
    (
        "the time of an event",
        f"SELECT painted_at FROM events WHERE painted_at NOT GLOB '{_TIME}'"  # noqa: S608
        " OR length(painted_at) > 40",
    ),
    ("a rank", "SELECT rank FROM results WHERE rank < 1"),
    ("a score", f"SELECT score FROM results WHERE score NOT {_FINITE}"),  # noqa: S608
    ("a priority", f"SELECT priority FROM pool WHERE priority NOT {_FINITE}"),  # noqa: S608
    (
        "the seconds of a query that a run was asked",
        f"SELECT seconds FROM asked WHERE seconds NOT {_FINITE}",  # noqa: S608
    ),
    (
        "the failure of a query that has results",
        "SELECT a.failure FROM asked AS a WHERE a.failure <> ''"
        " AND EXISTS (SELECT 1 FROM results AS r WHERE (r.run, r.query) = (a.run, a.query))",
    ),
    ("the depth of a run", "SELECT depth FROM runs WHERE depth < 0"),
)

_OBJECTS = (("queries", "meta"), ("documents", "meta"), ("runs", "settings"))
_IDS = (("queries", "query_id"), ("documents", "doc_id"), ("runs", "tag"))


def first_bad_value(connection: sqlite3.Connection, settings: Settings) -> str | None:
    """What the first value is that judge_tui would not have written, None where all are well.

    Raises `sqlite3.Error` where a text is not UTF-8.
    """
    _read_all(connection)
    if not settings.campaign_id:
        return "a campaign without an id"
    grades = json.dumps(settings.scale.grades)
    for what, sql in _CHECKS:
        row = connection.execute(f"{sql} LIMIT 1", (grades,) if "?" in sql else ()).fetchone()
        if row is not None:
            return f"{what}, {row[0]!r:.70}"
    latest = _latest_id()
    row = connection.execute("SELECT id FROM events WHERE id > ? LIMIT 1", (latest,)).fetchone()
    if row is not None:
        return f"an event more than {_YEARS_AHEAD} years ahead, {row[0]!r}"
    return _bad_name(connection) or _bad_id(connection) or _bad_object(connection)


def _latest_id() -> str:
    """No id of an event is greater: its first 48 bits are milliseconds since 1970 (RFC 9562)."""
    milliseconds = time.time_ns() // 1_000_000 + _YEARS_AHEAD * 366 * 86_400_000
    digits = f"{milliseconds:012x}"
    return f"{digits[:8]}-{digits[8:]}"


def _read_all(connection: sqlite3.Connection) -> None:
    """SQLite does not look into a text, whatever its bytes; Python does, when it is read."""
    tables = connection.execute(
        "SELECT name FROM sqlite_schema"
        " WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'"
    ).fetchall()
    for (table,) in tables:
        columns = [
            f'"{column}"'
            for column, kind in connection.execute(
                "SELECT name, type FROM pragma_table_info(?)", (table,)
            )
            if kind == "TEXT"
        ]
        if columns:
            deque(connection.execute(f'SELECT {", ".join(columns)} FROM "{table}"'), maxlen=0)  # noqa: S608


def _bad_name(connection: sqlite3.Connection) -> str | None:
    for (name,) in connection.execute("SELECT name FROM judges ORDER BY name"):
        try:
            proper = proper_name(name)
        except UsageError as error:
            return error.what
        # Earlier versions kept a name in the form of Unicode in which it was typed.
        if proper != composed(name):
            return f"the judge's name {name!r:.70}"
    return None


def _bad_id(connection: sqlite3.Connection) -> str | None:
    for table, column in _IDS:
        for (found,) in connection.execute(f"SELECT {column} FROM {table}"):  # noqa: S608
            if is_blank(found):
                return f"an empty id in {table!r}"
    return None


def _bad_object(connection: sqlite3.Connection) -> str | None:
    """JSON is read with the parser that the rest of the program reads it with."""
    for table, column in _OBJECTS:
        for (text,) in connection.execute(f"SELECT {column} FROM {table} WHERE {column} <> '{{}}'"):  # noqa: S608
            if parsed(text) is None:
                return f"{column} of {table}, {text!r:.70}"
    return None
