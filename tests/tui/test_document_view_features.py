"""Find, wrap, marks, numbers, the gutter and the mouse in a document."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from judge_tui.tui.query_words import query_words
from judge_tui.tui.reading import PlainReading
from tests.tui.document.readings import Written
from tests.tui.viewing import Viewer, settled

SIZE = (61, 20)
LINES = "\n".join(f"line {number:04} of a text" for number in range(2000))
LONG = "\n".join(
    f"{number} " + " ".join(f"word{number}x{at}" for at in range(60)) for number in range(200)
)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, going somewhere is waited for."""
    monkeypatch.setattr("judge_tui.tui.widgets.ready_view._PATIENCE", 60.0)


async def test_lines_are_numbered_without_moving_when_more_is_ready() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(Written(LINES, first_line=8, last_line=2007))
        await pilot.pause()
        assert app.lines()[:3] == [
            f"    {8 + n}  line 000{n} of a text" if n < 2 else f"   10  line 000{n} of a text"
            for n in range(3)
        ]
        await settled(pilot)
        app.view.to_end()
        assert app.lines()[-1] == " 2007  line 1999 of a text"


# Find


async def test_find_goes_to_the_first_hit_from_the_top_row_on_and_round() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(PlainReading(LINES))
        await settled(pilot)
        assert not app.view.finding
        assert app.view.find("line 00") == "1 of 100"
        assert app.top == 0
        assert app.view.find("LINE") == "not found: LINE"
        assert app.view.find("0055") == "1 of 1"
        assert " line 0055 of a text" in app.lines()
        assert app.styled("here") == ["0055"]
        app.view.find("5 of")
        assert app.view.find_next(1).endswith(" of 200")
        before = app.top
        app.view.move(300)
        assert app.view.find_next(1) == f"{(app.top + 4) // 10 + 1} of 200"
        assert app.top == before + 300
        app.view.find("0001")
        assert app.view.find_next(0) == "1 of 1"
        app.view.to_end()
        assert app.view.find("line 0000") == "1 of 1, from the beginning again"
        assert app.view.find_next(-1) == "1 of 1, from the end again"
        assert app.view.finding
        app.view.stop_finding()
        assert not app.view.finding
        assert app.styled("here") == app.styled("hit") == []
        assert app.view.find_next(1) == ""


async def test_what_is_not_ready_yet_is_found_too() -> None:
    text = "x" * 100 + " word" * 200_000 + " needle " + "y " * 1000 + "needle"
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(PlainReading(text))
        said = app.view.find("needle")
        await settled(pilot)
        assert "1 of 2" in [said, *app.said]
        assert app.styled("here") == ["needle"]
        app.view.find_next(-1)
        await settled(pilot)
        assert app.styled("here") == ["needle"]
        assert app.view.find_next(0) == "2 of 2"


async def test_a_slow_document_is_searched_while_one_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is said at once is put right when the whole document was searched."""
    monkeypatch.setattr("judge_tui.tui.widgets.ready_view._PATIENCE", -1.0)
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(PlainReading("word " * 100_000 + "needle"))
        assert app.view.find("needle") == "looking for needle …"
        await settled(pilot)
        assert app.said == ["1 of 1"]
        assert app.styled("here") == ["needle"]
        app.view.show(PlainReading("word " * 100_000))
        app.view.find("needle")
        await settled(pilot)
        assert app.said[1:] == ["not found: needle"]
        assert app.top == 0


# Marks


async def test_marks_can_be_switched_off_and_on() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(PlainReading("a list of Lists\n\nand text"), query_words("list"))
        await settled(pilot)
        assert app.styled("mark") == ["list", "Lists"]
        assert app.gutter()[0] == "╴ "
        assert not app.view.toggle_marks()
        await pilot.pause()
        assert app.styled("mark") == []
        assert app.gutter()[0] == "  "
        app.view.show(PlainReading("another list"), query_words("list"))
        assert app.styled("mark") == []
        assert app.view.toggle_marks()
        assert app.styled("mark") == ["list"]


# Lines that are not wrapped


async def test_unwrapped_lines_go_sideways_as_far_as_there_is_text() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(PlainReading("short\n" + "0123456789" * 10))
        app.view.shift(8)
        assert app.lines()[0] == " short"
        assert not app.view.toggle_wrap()
        await pilot.pause()
        assert app.lines()[1] == " " + "0123456789" * 5 + "0123456›"
        app.view.shift(8)
        assert app.lines()[:2] == ["‹", "‹89" + "0123456789" * 5 + "01234›"]
        app.view.shift(1000)
        assert app.lines()[1] == "‹3456789" + "0123456789" * 5
        app.view.to_start()
        assert app.lines()[0] == " short"
        app.view.shift(1000)
        app.view.shift(-1000)
        assert app.lines()[0] == " short"
        assert app.view.toggle_wrap()
        assert len(app.view._document.rows) == 3


async def test_a_line_of_a_megabyte_that_is_not_wrapped() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.toggle_wrap()
        app.view.show(PlainReading("日本語 " * 250_000 + "needle and the end"))
        said = app.view.find("needle")
        await settled(pilot)
        assert "1 of 1" in [said, *app.said]
        assert app.styled("here") == ["needle"]
        assert app.lines()[0].endswith("needle and the end")
        assert app.view.render_line(0).cell_length == 61


async def test_the_text_at_the_top_stays_there_when_wrapping_changes() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(PlainReading(LONG))
        await settled(pilot)
        app.view.find("100 word100x0")
        app.view.move(app.view._document.rows.at(app.view._document.finding.span[0]) - app.top)
        assert app.lines()[0].startswith(" 100 word100x0")
        app.view.toggle_wrap()
        assert app.lines()[0].startswith(" 100 word100x0")
        app.view.toggle_wrap()
        assert app.lines()[0].startswith(" 100 word100x0")


# Resize


async def test_a_resize_keeps_the_place_the_hits_and_the_numbers() -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        app.view.show(Written(LONG, first_line=1, last_line=200))
        await settled(pilot)
        assert app.view.find("word77x30") == "1 of 1"
        top = app.lines()[0].split()[-1]
        for width in (100, 31, 200, 61):
            await pilot.resize_terminal(width, 20)
            await settled(pilot)
            assert app.lines()[0].split()[0] == top.split()[0] or top in " ".join(app.lines()[:3])
            assert all(app.view.render_line(y).cell_length == width for y in range(20))
        assert app.lines()[0].split()[-1] == top
        assert app.view.find_next(0) == "1 of 1"
        assert app.styled("here") == ["word77x30"]
        assert any(row.startswith(" 78  77 word77x0") for row in app.rows())


# Any text, any style


@pytest.mark.parametrize("wraps", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        "שלום עולם " * 3000,
        "السلام عليكم " * 3000,
        "สวัสดีชาวโลก" * 3000,
        "नमस्ते दुनिया " * 3000,
        "👩\u200d👧 🇬🇧 👍🏽 1\ufe0f\u20e3 ☁\ufe0f " * 2000,
        "e" + "\u0301" * 100_000 + " end",
        "\n" * 50_000 + "end",
        "日" * 50_000,
    ],
    ids=["hebrew", "arabic", "thai", "devanagari", "emoji", "marks", "lines", "wide"],
)
async def test_any_text_fills_the_screen_exactly(text: str, wraps: bool) -> None:
    app = Viewer()
    async with app.run_test(size=SIZE) as pilot:
        if not wraps:
            app.view.toggle_wrap()
        app.view.show(PlainReading(text), query_words("עולם นั่น नमस्ते"))
        for _ in range(3):
            for y in range(20):
                strip = app.view.render_line(y)
                assert strip.cell_length == sum(cell_len(part.text) for part in strip) == 61
            app.view.move(18)
            app.view.shift(7)
        app.view.to_end()
        await settled(pilot)
        assert app.view.render_line(19).cell_length == 61
