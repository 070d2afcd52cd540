"""The judgments that hold, one by one, as people and other tools read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import State
from judge_tui.campaign.store.queries import query_keys

SETTLED = "adjudicate"
"""The decision of a lead."""


class Judgment(NamedTuple):
    """What one judge did with one pair at one look, or what a lead settled.

    `purpose`: normal, overlap, gold or repeat; empty where a lead settled. `decision`: grade, skip
    or cannot, adjudicate where a lead settled, None where there is a note or a flag alone. `note`:
    the judge's, or the lead's reason. `seconds` looked at it, None where nobody measured;
    `written_at` is in UTC.
    """

    query_id: str
    doc_id: str
    judge: str
    kind: str
    role: str
    purpose: str
    decision: str | None
    grade: int | None
    note: str
    flagged: bool
    seconds: float | None
    written_at: str


_OF_QUERY = f"""
SELECT q.query_id, d.doc_id, w.name, w.kind, w.role,
    coalesce(a.purpose, CASE j.turn WHEN 0 THEN 'normal' ELSE 'repeat' END),
    j.decision, j.grade, j.note, j.flagged, j.seconds, j.written_at, j.turn AS look
FROM pool AS p
JOIN judgments AS j ON j.pair = p.id
JOIN queries AS q ON q.id = p.query
JOIN documents AS d ON d.id = p.document
JOIN judges AS w ON w.id = j.judge
LEFT JOIN assignments AS a ON a.judge = j.judge AND a.pair = j.pair AND a.turn = j.turn
WHERE p.query = ?
UNION ALL
SELECT q.query_id, d.doc_id, w.name, w.kind, w.role,
    '', '{SETTLED}', s.grade, s.note, 0, NULL, s.written_at, 2
FROM pool AS p
JOIN adjudications AS s ON s.pair = p.id
JOIN queries AS q ON q.id = p.query
JOIN documents AS d ON d.id = p.document
JOIN judges AS w ON w.id = s.judge
WHERE p.query = ?
"""


def judgments_of_query(campaign: Campaign, query: int) -> list[Judgment]:
    """What holds for a query (a key), by doc_id and judge, the first look before the hidden repeat,
    and last what a lead settled."""
    rows = campaign.rows(_OF_QUERY, (query, query))
    rows.sort(key=lambda row: (row[1], row[-1] == 2, row[2], row[-1]))
    return [Judgment._make((*row[:9], bool(row[9]), *row[10:-1])) for row in rows]


def judgments(campaign: Campaign) -> Iterator[Judgment]:
    """Every judgment that holds, by query_id, and then as `judgments_of_query` has them.

    They are read as they are asked for: put it inside `campaign.reading()`.
    """
    for _, query in sorted(query_keys(campaign).items()):
        yield from judgments_of_query(campaign, query)


def pairs_graded(campaign: Campaign) -> dict[int, tuple[int, int]]:
    """Judge (a key) -> how many pairs this one graded, hidden repeats not among them, and how many
    of these have the grade of a file."""
    rows = campaign.rows(
        "SELECT judge, count(*), sum(from_file) FROM judgments"
        " WHERE turn = 0 AND decision = 'grade' GROUP BY judge"
    )
    return {judge: (graded, from_files) for judge, graded, from_files in rows}


def notes(campaign: Campaign) -> dict[tuple[int, int], list[str]]:
    """(pair, judge), both keys -> what the judge wrote beside it, the first look's note first."""
    found: dict[tuple[int, int], list[str]] = {}
    rows = campaign.rows(
        "SELECT pair, judge, note FROM judgments WHERE note <> '' ORDER BY pair, judge, turn"
    )
    for pair, judge, note in rows:
        found.setdefault((pair, judge), []).append(note)
    return found


def states_of_pair(campaign: Campaign, pair: int) -> dict[tuple[int, int], State]:
    """Judge (a key) and turn -> what holds of a pair (a key)."""
    rows = campaign.rows(f"SELECT judge, turn, {_STATE} FROM judgments WHERE pair = ?", (pair,))
    return {(judge, turn): _state(its) for judge, turn, *its in rows}


def states_of_judge(campaign: Campaign, judge: int) -> dict[int, State]:
    """Pair (a key) -> what holds for a judge (a key) at the first look."""
    rows = campaign.rows(
        f"SELECT pair, {_STATE} FROM judgments WHERE judge = ? AND turn = 0", (judge,)
    )
    return {pair: _state(its) for pair, *its in rows}


_STATE = ", ".join(State._fields)


def _state(columns: Iterable[Any]) -> State:
    state = State._make(columns)
    return state._replace(
        flagged=bool(state.flagged),
        from_file=bool(state.from_file),
        first_in_app=bool(state.first_in_app),
    )
