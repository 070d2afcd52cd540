"""What a case looks like: its row in the queue, and the judges side by side, however many."""

from __future__ import annotations

import pytest

from judge_tui.campaign.adjudication import Settlement
from judge_tui.campaign.cases import CANNOT, NOT_DECIDED, SKIPPED, Opinion
from judge_tui.campaign.judges import Judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens.review.docket import UNKNOWN, Case
from judge_tui.tui.screens.review.opinions import (
    columns_content,
    cut_notes,
    notes_content,
    settled_content,
)
from judge_tui.tui.screens.review.queue_rows import QueueColumns

ANN = Judge(1, "ann", "judge", "human")


def row(columns: QueueColumns, case: Case) -> str:
    pieces = columns.pieces(case, "q\x1b7", "doc/[b]\u202e.md", here=True, scale=DEFAULT_SCALE)
    return "".join(text for text, _ in pieces)


def case(
    grades: tuple[int, ...], *, settled: int | None = None, swaps: int = 2, disputed: bool = True
) -> Case:
    change = 0.01234 if swaps != UNKNOWN else float("nan")
    return Case(1, 1, 1, grades, settled, swaps, change, 3, disputed)


def test_a_row_says_what_each_judge_gave_and_what_hangs_on_it() -> None:
    columns = QueueColumns(["A", "B", "C", "D"], [1, 0, 2, 3], 100)
    shown = row(columns, case((3, 0, SKIPPED, CANNOT), settled=2))
    assert shown.split() == [
        "▸",
        "✓2",
        "q␛7",
        "0",
        "3",
        "s",
        "x",
        "2",
        ".0123",
        "3",
        "doc/[b]\ufffd.md",
    ]
    header = columns.header().plain
    for name, value in (("A", "0"), ("B", "3")):
        assert header.index(name) == shown.index(f" {value} ") + 1
    assert header.index("change") + len("change") == shown.index(".0123") + len(".0123")
    assert header.index("document") == shown.index("doc/")


def test_what_is_not_worked_out_and_what_is_no_disagreement_differ() -> None:
    columns = QueueColumns(["A"], [0], 100)
    assert row(columns, case((1,), swaps=UNKNOWN)).split()[3:6] == ["…", "…", "3"]
    assert row(columns, case((NOT_DECIDED,), disputed=False)).split()[2:] == [
        "·",
        "doc/[b]\ufffd.md",
    ]


def test_names_take_room_only_where_there_is_some() -> None:
    names = ["assessor-one", "assessor-two"]
    wide, narrow = (QueueColumns(names, [0, 1], width).header().plain for width in (100, 40))
    assert "…" in wide
    assert len([word for word in wide.split() if word.startswith("as")]) == 2
    assert len(narrow) < len(wide)


@pytest.mark.parametrize("width", [60, 80, 200])
def test_many_judges_are_counted_by_grade(width: int) -> None:
    grades = (*[0] * 12, *[1] * 3, *[2] * 14, SKIPPED)
    columns = QueueColumns([f"J{at}" for at in range(30)], list(range(30)), width)
    shown = row(columns, case(grades))
    assert "0×12 1×3 2×14" in shown
    assert columns.header().plain.index("document") == shown.index("doc/")


def opinion(grade: int | None, decision: str | None = "grade", note: str = "") -> Opinion:
    return Opinion(ANN, decision, grade, note, 14.0, flagged=False)


@pytest.mark.parametrize(("judges", "width"), [(2, 60), (5, 78), (30, 78), (30, 200), (1, 20)])
def test_judges_side_by_side_never_take_more_than_the_line(judges: int, width: int) -> None:
    said = [(f"judge number {at}", opinion(at % 4)) for at in range(judges)]
    lines = columns_content(said, DEFAULT_SCALE, width, "e").plain.split("\n")
    assert len(lines) == 3
    shown = lines[2].count("14 s")
    assert shown == judges or f"and {judges - shown} more: e" in lines[1]
    if width >= 60:
        assert max(len(line.rstrip()) for line in lines) <= width


def test_what_is_no_grade_is_told_in_words() -> None:
    said = [
        ("A", opinion(None, "cannot")),
        ("B", opinion(None, "skip")),
        ("C", opinion(None, None)),
    ]
    text = columns_content(said, DEFAULT_SCALE, 100, "e").plain
    assert "cannot be judged" in text
    assert "skipped" in text
    assert "–" in text
    assert "no judge" in columns_content([], DEFAULT_SCALE, 100, "e").plain


def test_notes_and_the_reason_are_cut_and_say_where_the_rest_is() -> None:
    said = [("A", opinion(1, note="one\ntwo " + "x" * 200)), ("B", opinion(2, note="[/]\x1b[2J"))]
    lead = Settlement(Judge(9, "lea", "lead", "human"), 2, "so it is", holds=True)
    notes = notes_content(said, lead)
    assert [line.split(":")[0] for line in notes.plain.split("\n")] == ["A", "B", "reason"]
    assert "\x1b" not in notes.plain
    cut = cut_notes(notes, 60, 3, "e").plain.split("\n")
    assert cut[0].endswith("… e shows all")
    assert max(map(len, cut)) <= 60
    assert cut[1:] == ["B: [/]␛[2J", "reason: so it is"]
    assert cut_notes(notes, 60, 2, "e").plain.split("\n")[1] == "and 2 more notes: e shows all"
    assert settled_content(lead, DEFAULT_SCALE).plain == "settled 2 relevant by lea"
    assert settled_content(None, DEFAULT_SCALE).plain == "not settled"
