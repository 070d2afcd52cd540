"""Campaigns as tests look at them: copies on other machines, what is in a file by text ids, and
what holds by the events alone, which arrays are compared with."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import uuid4

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.copy import copy_campaign
from judge_tui.campaign.store.event import Event, State, fold, not_undone
from judge_tui.campaign.store.events import EVENT_COLUMNS, append_event
from judge_tui.campaign.store.judges import add_judge, all_judges
from judge_tui.campaign.store.judgments import judgments
from judge_tui.campaign.store.model_answers import ANSWER_FIELDS
from judge_tui.campaign.store.runs import chosen_runs, kept_lists
from judge_tui.model import Pair
from judge_tui.place import Address, Place

_EVENTS = """
    SELECT e.id, coalesce(m.identity, j.formerly, j.name), q.query_id, d.doc_id, e.turn, e.action,
        e.grade, e.note, e.target, e.looked, e.painted_at, e.written_at
    FROM events AS e JOIN judges AS j ON j.id = e.judge JOIN pool AS p ON p.id = e.pair
    JOIN queries AS q ON q.id = p.query JOIN documents AS d ON d.id = p.document
    LEFT JOIN model_judges AS m ON m.judge = e.judge ORDER BY e.id
"""


_ANSWERS = f"""
    SELECT m.called, m.identity, q.query_id, d.doc_id, a.probe, {", ".join(ANSWER_FIELDS)}
    FROM model_answers AS a JOIN model_judges AS m ON m.judge = a.judge
    JOIN pool AS p ON p.id = a.pair JOIN queries AS q ON q.id = p.query
    JOIN documents AS d ON d.id = p.document ORDER BY 1, 2, 3, 4, 5
"""


def copied(campaign: Campaign, name: str) -> Path:
    """A copy of an open campaign, one file, in its folder or below it."""
    path = campaign.path.parent / name
    copy_campaign(campaign, path)
    return path


def as_file(campaign: Campaign) -> Path:
    """The file of an open campaign, a copy where it is on a server."""
    is_file = isinstance(campaign.path, Path)
    return campaign.path if is_file else copied(campaign, f"{uuid4()}.db")


def live_events(campaign: Campaign) -> list[Event]:
    """All events that are not undone, in the order of ids."""
    return not_undone(map(Event._make, campaign.rows(f"SELECT {EVENT_COLUMNS} FROM events")))


def answers_of(campaign: Campaign) -> list[tuple[Any, ...]]:
    """What models answered, whoever they are called."""
    return campaign.rows(_ANSWERS)


def events_of(campaign: Campaign) -> list[tuple[Any, ...]]:
    return campaign.rows(_EVENTS)


def decisions_of(campaign: Campaign) -> list[tuple[object, ...]]:
    """Who decided what of which pair, and what stands beside it."""
    with campaign.reading():
        return [
            (one.query_id, one.doc_id, one.judge, one.decision, one.grade, one.note)
            for one in judgments(campaign)
        ]


def graded(campaign: Campaign, judge: str, doc_id: str, grade: int, **more: Any) -> Event:
    """One grade by that judge, who is made if new."""
    pair = key_of(campaign, doc_id)
    who = add_judge(campaign, judge)
    return append_event(campaign, judge=who.key, pair=pair, action="grade", grade=grade, **more)


def graded_in(path: Path, judge: str, grades: dict[str, int]) -> None:
    with open_campaign(path) as campaign:
        for doc_id, grade in grades.items():
            graded(campaign, judge, doc_id, grade)


def kept_rankings(campaign: Campaign) -> dict[str, dict[str, list[str]]]:
    """Tag -> query_id -> doc_ids, best first."""
    kept = kept_lists(campaign, chosen_runs(campaign))
    return {tag: {query: [*docs] for query, docs in lists.items()} for tag, lists in kept}


def key_of(campaign: Campaign, doc_id: str) -> int:
    """The key of the first pair of that document."""
    return min(key for key, (_, its) in ids(campaign).items() if its == doc_id)


def ids(campaign: Campaign) -> dict[int, Pair]:
    """Key of a pair -> query_id and doc_id."""
    rows = campaign.rows(
        "SELECT p.id, q.query_id, d.doc_id FROM pool AS p JOIN queries AS q ON q.id = p.query"
        " JOIN documents AS d ON d.id = p.document ORDER BY p.id"
    )
    return {key: (query_id, doc_id) for key, query_id, doc_id in rows}


def states(campaign: Campaign) -> dict[tuple[str, int, int], State]:
    """(Judge, key of a pair, turn) -> what holds."""
    names = {judge.key: judge.name for judge in all_judges(campaign)}
    events = [Event(*row) for row in campaign.rows(f"SELECT {EVENT_COLUMNS} FROM events")]

    def slot(event: Event) -> tuple[str, int, int]:
        return names[event.judge], event.pair, event.turn

    return {key: fold(its) for key, its in groupby(sorted(events, key=slot), slot)}


def first_grades_of(campaign: Campaign, *kinds: str) -> dict[str, dict[Pair, int]]:
    """Judge of one of these kinds -> pair -> the grade of the first look."""
    pairs = ids(campaign)
    kind = {judge.name: judge.kind for judge in all_judges(campaign)}
    found: dict[str, dict[Pair, int]] = {}
    for (judge, pair, turn), state in states(campaign).items():
        if state.grade is not None and not turn and kind[judge] in kinds:
            found.setdefault(judge, {})[pairs[pair]] = state.grade
    return found


def majority(
    grades: dict[str, dict[Pair, int]], settled: dict[Pair, int]
) -> dict[Pair, int | None]:
    """Pair -> its final grade by majority, None where it is unresolved."""
    votes: dict[Pair, Counter[int]] = {}
    for its in grades.values():
        for pair, grade in its.items():
            votes.setdefault(pair, Counter())[grade] += 1
    final: dict[Pair, int | None] = {}
    for pair, counted in votes.items():
        (grade, most), *others = counted.most_common(2)
        final[pair] = None if others and others[0][1] == most else grade
    return {**final, **settled}


_OF_SERVERS = [("commits",), ("roles",)]
"""Tables that stay on a server when its campaign is copied."""


def whole(path: Place) -> list[tuple[Any, ...]]:
    """Everything that the campaign holds, integer keys and all."""
    if isinstance(path, Address):
        with open_campaign(path) as campaign:
            # The server's own word for what there is: `COLUMNS` may forget what a copy forgets.
            tables = campaign.rows(
                "SELECT table_name FROM information_schema.tables"
                " WHERE table_schema = current_schema AND table_type = 'BASE TABLE'"
                " ORDER BY table_name"
            )
            tables = [one for one in tables if one not in _OF_SERVERS]
            return [
                (table, *row)
                for (table,) in tables
                for row in sorted(campaign.rows(f"SELECT * FROM {table}"), key=repr)
            ]
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
            "SELECT name, sql, tbl_name FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        views = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall()
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for (name,) in views:
            connection.execute(f"DROP VIEW {name}")
        for name, _, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema")]
        for _, sql, table in triggers:
            if table in tables:
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
