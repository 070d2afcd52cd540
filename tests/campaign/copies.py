"""Copies of a campaign as judges take them to other machines, and what is in them by text ids."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.event import Event, not_undone
from judge_tui.campaign.store.events import EVENT_COLUMNS, append_event
from judge_tui.campaign.store.judges import add_judge
from judge_tui.campaign.store.runs import chosen_runs, kept_lists

_EVENTS = """
    SELECT e.id, coalesce(j.formerly, j.name), q.query_id, d.doc_id, e.turn, e.action, e.grade,
        e.note, e.target, e.looked, e.painted_at, e.written_at
    FROM events AS e JOIN judges AS j ON j.id = e.judge JOIN pool AS p ON p.id = e.pair
    JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document ORDER BY e.id
"""


def copied(campaign: Campaign, name: str) -> Path:
    """A copy of an open campaign, one file, in its folder or below it."""
    path = campaign.path.parent / name
    with closing(sqlite3.connect(path)) as target:
        campaign.backend.connection.backup(target)
    return path


def live_events(campaign: Campaign) -> list[Event]:
    """All events that are not undone, in the order of ids."""
    return not_undone(map(Event._make, campaign.rows(f"SELECT {EVENT_COLUMNS} FROM events")))


def events_of(campaign: Campaign) -> list[tuple[Any, ...]]:
    return campaign.rows(_EVENTS)


def graded(campaign: Campaign, judge: str, doc_id: str, grade: int, **more: Any) -> Event:
    """One grade by that judge, who is made if new."""
    pair = key_of(campaign, doc_id)
    who = add_judge(campaign, judge)
    return append_event(campaign, judge=who.key, pair=pair, action="grade", grade=grade, **more)


def kept_rankings(campaign: Campaign) -> dict[str, dict[str, list[str]]]:
    """Tag -> query_id -> doc_ids, best first."""
    kept = kept_lists(campaign, chosen_runs(campaign))
    return {tag: {query: [*docs] for query, docs in lists.items()} for tag, lists in kept}


def key_of(campaign: Campaign, doc_id: str) -> int:
    """The key of the first pair of that document."""
    return campaign.rows(
        "SELECT min(p.id) FROM pool AS p JOIN documents AS d ON d.id = p.document"
        " WHERE d.doc_id = ?",
        (doc_id,),
    )[0][0]


def graded_in(path: Path, judge: str, grades: dict[str, int]) -> None:
    with open_campaign(path) as campaign:
        for doc_id, grade in grades.items():
            graded(campaign, judge, doc_id, grade)


def whole(path: Path) -> list[tuple[Any, ...]]:
    """Everything that the file holds, integer keys and all."""
    with closing(sqlite3.connect(path)) as connection:
        return [
            (table, *row)
            for (table,) in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table'"
                " AND name <> '_sqlite_migrations' ORDER BY name"
            ).fetchall()
            for row in connection.execute(f"SELECT * FROM {table}").fetchall()
        ]


def tampered(path: Path, *statements: str) -> None:
    """The file after another program worked on it, with no rule of its tables in the way."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)


def cut_index(path: Path) -> None:
    """An index is said to be empty, and the rows are there."""
    with open_campaign(path) as campaign:
        (page,) = campaign.row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'judgments_by_pair'"
        )
        (size,) = campaign.row("PRAGMA page_size")
    with path.open("r+b") as file:
        file.seek((page - 1) * size + 3)
        file.write(b"\0\0")
