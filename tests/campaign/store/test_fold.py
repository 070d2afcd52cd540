"""What holds of all that was done: the rule, and a campaign of an earlier version that gets it."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign import open_campaign
from judge_tui.campaign.exporting.judgments import judgments
from judge_tui.campaign.exporting.qrels import export_qrels
from judge_tui.campaign.store.desk import Desk
from judge_tui.campaign.store.event import Event, fold
from judge_tui.campaign.store.judges import find_judge
from judge_tui.campaign.store.opening import APPLICATION_ID, SCHEMA_VERSION

APP, FILE = "2026-01-01T00:00:00", None


def event(number: int, action: str, grade: int | None = None, **more: object) -> Event:
    painted = more.pop("painted_at", APP)
    return Event(f"e{number:02}", 1, 1, action, grade, painted_at=painted, **more)  # type: ignore[arg-type]


CASES = {
    "nothing": ([], (None, None)),
    "the later in the app": ([event(1, "grade", 1), event(2, "grade", 2)], ("grade", 2)),
    "the later of files": (
        [event(1, "grade", 1, painted_at=FILE), event(2, "grade", 2, painted_at=FILE)],
        ("grade", 2),
    ),
    "the app over a later file": (
        [event(1, "grade", 1), event(2, "grade", 2, painted_at=FILE)],
        ("grade", 1),
    ),
    "cannot in the app over a later file": (
        [event(1, "cannot"), event(2, "grade", 2, painted_at=FILE)],
        ("cannot", None),
    ),
    "a skip in the app yields to a later file": (
        [event(1, "skip"), event(2, "grade", 2, painted_at=FILE)],
        ("grade", 2),
    ),
    "and not to an earlier one": (
        [event(1, "grade", 2, painted_at=FILE), event(2, "skip")],
        ("skip", None),
    ),
    "nor to a skip of a file": (
        [event(1, "skip", looked=1.0), event(2, "skip", painted_at=FILE)],
        ("skip", None),
    ),
    "what was undone does not hold": (
        [event(1, "grade", 1), event(2, "grade", 2), event(3, "undo", target="e02")],
        ("grade", 1),
    ),
    "the file comes to light": (
        [
            event(1, "grade", 1),
            event(2, "grade", 2, painted_at=FILE),
            event(3, "undo", target="e01"),
        ],
        ("grade", 2),
    ),
    "an undo that was redone": (
        [
            event(1, "grade", 1),
            event(2, "undo", target="e01"),
            event(3, "redo", target="e02"),
        ],
        ("grade", 1),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_holds(case: str) -> None:
    events, held = CASES[case]
    for order in (events, events[::-1]):
        state = fold(order)
        assert (state.decision, state.grade) == held


def test_a_note_of_the_app_stands_over_that_of_a_file_and_flags_come_and_go() -> None:
    state = fold(
        [
            event(1, "comment", note="mine"),
            event(2, "comment", note="theirs", painted_at=FILE),
            event(3, "flag"),
        ]
    )
    assert (state.note, state.flagged, state.decision) == ("mine", True, None)
    assert fold([event(3, "flag"), event(4, "unflag")]).says_nothing


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["grade", "skip", "cannot", "flag", "unflag", "comment", "undo"]),
            st.sampled_from([APP, FILE]),
            st.integers(0, 3),
        ),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_events_come_changes_nothing(
    steps: list[tuple[str, str | None, int]], draw: random.Random
) -> None:
    events = [
        event(
            number,
            action,
            grade if action == "grade" else None,
            note=str(grade) if action == "comment" else "",
            target=f"e{grade:02}" if action == "undo" else None,
            painted_at=painted,
        )
        for number, (action, painted, grade) in enumerate(steps)
    ]
    shuffled = draw.sample(events, len(events))
    assert fold(shuffled) == fold(events)
    # Taken in twice, as from two files that have the same.
    assert fold({one.id: one for one in shuffled + events}.values()) == fold(events)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript((Path(__file__).parent / "schema_7.sql").read_text())
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 7")
    return path


def test_a_campaign_of_schema_7_exports_what_it_did(old: Path, tmp_path: Path) -> None:
    """Expected: what the version that made it exported (median of ann, bob and cleo; lea settled
    csv.reader), and what was done in it."""
    with open_campaign(old) as campaign:
        assert campaign.rows("PRAGMA user_version") == [(SCHEMA_VERSION,)]
        assert campaign.rows("PRAGMA foreign_key_check") == []
        export_qrels(campaign, tmp_path / "out", policy="median")
        assert (tmp_path / "out").read_text() == (
            "q1 0 csv.reader 3\nq1 0 csv.writer 0\nq2 0 list.sort 1\nq2 0 sorted 1\n"
        )
        found = [
            (one.judge, one.doc_id, one.purpose, one.decision, one.grade, one.note, one.flagged)
            for one in judgments(campaign)
        ]
        assert len(found) == 11 + 2 + 2
        assert ("bob", "csv.reader", "normal", "grade", 2, "odd", True) in found
        assert ("cleo", "csv.reader", "normal", "grade", 0, "", False) in found
        assert ("lea", "csv.reader", "", "adjudicate", 3, "why", False) in found
        bob = find_judge(campaign, "bob")
        assert bob is not None
        desk = Desk(campaign, bob)
        assert [(visit.pairs, visit.decided) for visit in desk.queries()] == [(2, 2)] * 3
        undone = desk.undo()
        assert undone is not None
        assert undone.action == "comment"
