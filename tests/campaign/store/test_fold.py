"""What holds of all that was done with one pair."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.campaign.store.event import Event, fold

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
def test_what_holds(case):
    events, held = CASES[case]
    for order in (events, events[::-1]):
        state = fold(order)
        assert (state.decision, state.grade) == held


def test_a_note_of_the_app_stands_over_that_of_a_file_and_flags_come_and_go():
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
def test_the_order_in_which_events_come_changes_nothing(steps, draw):
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
