"""Results of a large campaign, read beside the app; and how the screen looks in other sizes,
colours and keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.analysis.asked import Asked
from judge_tui.campaign import Campaign
from judge_tui.tui.config import Config
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.reader import ReaderOverlay
from judge_tui.tui.screens.results import ResultsScreen
from judge_tui.tui.screens.results.beside import Beside
from judge_tui.tui.screens.results.columns import Column, laid_out
from judge_tui.tui.screens.results.rows import Rows
from tests.tui.results_screen import (
    at_results,
    below,
    head,
    line,
    opened,
    press,
    results,
    rows,
    screen,
    with_run,
)
from tests.tui.test_no_color import unreadable

EVERY_VIEW = ((), ("2",), ("3",), ("4",), ("5",), ("1", "j", "enter"), ("enter",), ("w",))

KEYS = (
    (),
    ("j", "enter"),
    ("4", "right_square_bracket"),
    (*"jj", "enter"),
    ("5",),
    ("1", "r"),
)


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a campaign is, it is read in a thread."""
    monkeypatch.setattr("judge_tui.tui.screens.results.findings._GREATEST_SMALL", -1)


async def test_what_is_read_beside_is_what_is_read_at_once(
    judged: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for small in (-1, 100_000):
        monkeypatch.setattr("judge_tui.tui.screens.results.findings._GREATEST_SMALL", small)
        app = results(judged)
        shown = []
        async with app.run_test(size=(140, 40)) as pilot:
            await opened(pilot)
            for keys in KEYS:
                await press(pilot, *keys)
                await opened(pilot)
                shown.append((line(app, "title"), line(app, "rests"), rows(app), below(app)))
        seen.append(shown)
    assert seen[0] == seen[1]
    assert "75 %" in seen[0][0][2][0]


@pytest.mark.usefixtures("beside")
async def test_keys_work_while_it_is_read(judged: Campaign) -> None:
    app = results(judged)
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.press("2", "3", "4", "5", "enter", "B", "m", "s", "p", "r", "1")
        await opened(pilot)
        while len(rows(app)) < 2:
            await pilot.pause(0.02)
        assert "Leaderboard" in line(app, "title")


@pytest.mark.usefixtures("beside")
async def test_leaving_while_it_is_read_leaves_the_file_alone(judged: Campaign) -> None:
    path = judged.path
    for _ in range(5):
        app = results(judged)
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.press("r", "q")
        assert app.return_code == 0
    judged.close()
    assert [file.name for file in path.parent.glob(f"{path.name}*")] == [path.name]


@pytest.mark.usefixtures("beside")
async def test_what_cannot_be_read_beside_is_said(judged: Campaign) -> None:
    async with at_results(judged) as (app, pilot):
        shown = rows(app)
        with judged.writing() as connection:
            connection.execute("ALTER TABLE results RENAME TO elsewhere")
        await press(pilot, "r")
        await opened(pilot)
        assert "CANNOT READ" in line(app, "said")
        assert rows(app) == shown


def test_pieces_are_done_one_after_the_other_until_it_stops() -> None:
    beside = Beside()
    done: list[int] = []
    for number in range(100):
        beside.do(lambda number=number: done.append(number))  # type: ignore[misc]
    while beside.busy:
        continue
    assert done == list(range(100))
    beside.stop()
    beside.do(lambda: done.append(-1))
    assert not beside.busy
    assert done == list(range(100))


@pytest.mark.parametrize("width", [80, 100, 160])
async def test_columns_go_where_there_is_little_room(judged: Campaign, width: int) -> None:
    async with at_results(judged, size=(width, 24)) as (app, pilot):
        kept = head(app)
        # Never without these.
        assert {"run", "nDCG@10", "Judged@10", "verdict"} <= set(kept)
        assert ("AP" in kept) == (width == 160)
        for keys in EVERY_VIEW[1:7]:
            await press(pilot, *keys)
            assert max(map(len, rows(app))) <= width
        assert "q back" in line(app, "legend")


async def test_columns_without_room_are_reached_sideways(judged: Campaign) -> None:
    async with at_results(judged, size=(80, 24)) as (app, pilot):
        first = head(app)
        assert first[:3] == ["run", "+6", "›"]
        await press(pilot, "l")
        assert head(app)[:3] == ["run", "‹", "+5"]
        assert {"bounds", "queries", "AP"} <= set(head(app))
        assert all(len(row.split()) == 1 + len(head(app)) - 3 for row in rows(app))
        await press(pilot, "l")
        assert "AP" in head(app)
        await press(pilot, "h")
        assert head(app) == first
        await press(pilot, "h")
        assert head(app) == first


def test_a_table_gives_up_what_matters_least() -> None:
    columns = (
        Column("a", 5),
        Column("b", 5, rank=1),
        Column("c", 5, rank=2),
        Column("d", 5, rank=2),
    )
    # A name of 10 cells behind a space, and 7 for each column with its gap.
    for room, kept in ((39, (0, 1, 2, 3)), (38, (0, 1, 2)), (31, (0, 1)), (24, (0,)), (5, (0,))):
        assert laid_out(columns, room, 10, least=10).kept == kept
    # The name gives way first.
    assert laid_out(columns, 38, 10, least=8).kept == (0, 1, 2, 3)
    assert laid_out(columns, 38, 10, least=8).name_width == 9


@pytest.mark.parametrize(
    ("name", "cuts_end", "shown"),
    [
        ("abcdef", True, "abc…"),
        ("abcdef", False, "a…ef"),
        ("日本語", True, "日… "),
        ("ab", True, "ab  "),
    ],
)
def test_a_name_that_is_too_long(name: str, cuts_end: bool, shown: str) -> None:
    laid = laid_out((Column("n", 2),), 9, 4, least=4, cuts_end=cuts_end)
    assert "".join(text for text, _ in laid.row((name, ""), [("7", "")])) == f" {shown}   7"


@pytest.mark.parametrize("theme", ["ansi-dark", "textual-light"])
async def test_nothing_is_drawn_in_the_colour_behind_it(
    judged: Campaign, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with at_results(judged, config=Config(theme=theme), size=(100, 30)) as (app, pilot):
        for keys in EVERY_VIEW:
            await press(pilot, *keys)
            assert unreadable(app) == []
        await press(pilot, "q", "e")
        assert unreadable(app) == []


async def test_the_screen_follows_the_size_of_the_terminal(judged: Campaign) -> None:
    async with at_results(judged, size=(200, 50)) as (app, pilot):
        assert "AP" in head(app)
        for size in ((80, 24), (20, 8), (1, 1), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        await pilot.pause()
        assert "AP" in head(app)
        await press(pilot, "j", "enter")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        await pilot.pause()
        assert max(map(len, rows(app))) <= 80


async def test_many_runs_scroll_under_the_cursor(judged: Campaign, files: Path) -> None:
    for number in range(60):
        with_run(judged, files, f"run{number:02}", f"q2 Q0 json.load 1 1.0 run{number:02}\n")
    async with at_results(judged, size=(80, 24)) as (app, pilot):
        await press(pilot, "G")
        assert below(app)[0].startswith("run59")
        assert rows(app)[-1].split()[0] == "run59"
        await press(pilot, "enter")
        assert "run59 less" in line(app, "title")
        await press(pilot, "q")
        assert below(app)[0].startswith("run59")


async def test_the_mouse_does_what_keys_do(judged: Campaign) -> None:
    async with at_results(judged, size=(100, 30)) as (app, pilot):
        await pilot.click(Rows, offset=(5, 1))
        await opened(pilot)
        assert "beta less alpha" in line(app, "title")
        await pilot.click(Rows, offset=(5, 0))
        await opened(pilot)
        assert line(app, "title").startswith("q2")
        # On the left side: that document is read.
        await pilot.click(Rows, offset=(5, 1))
        await pilot.pause()
        assert isinstance(app.screen, ReaderOverlay)
        assert below(app)[0].startswith("sorted")
        assert "in alpha, rank 1 in beta" in below(app)[1]
        await press(pilot, "escape")
        legend = line(app, "legend")
        await pilot.click("#legend", offset=(legend.index("q back") + 1, 0))
        await opened(pilot)
        assert "beta less alpha" in line(app, "title")
        digits = legend.rstrip().removesuffix(" views")
        at = 99 - len(" views") - (len(digits) - digits.rindex("5"))
        await pilot.click("#legend", offset=(at, 0))
        await opened(pilot)
        assert "disagree" in line(app, "title")


async def test_keys_can_be_given_to_others(judged: Campaign) -> None:
    config = Config(keymap={"results.failures": "z", "results.back": "x"})
    async with at_results(judged, config=config) as (app, pilot):
        await press(pilot, "2")
        assert "Leaderboard" in line(app, "title")
        await press(pilot, "z")
        assert "Failures" in line(app, "title")
        assert "x back" in line(app, "legend")
        await press(pilot, "x")
        assert "Leaderboard" in line(app, "title")


async def test_escape_closes_views_but_never_the_screen(judged: Campaign) -> None:
    async with at_results(judged, size=(100, 40)) as (app, pilot):
        await press(pilot, "j", "enter", "escape", "escape", "escape")
        assert "Leaderboard" in line(app, "title")
        assert app.is_running
        await press(pilot, "q")
    assert app.return_code == 0


async def test_help_and_palette_name_every_key(judged: Campaign) -> None:
    async with at_results(judged, size=(140, 60)) as (app, pilot):
        await press(pilot, "question_mark")
        said = "\n".join(str(one.render()) for one in app.screen.query("Static"))
        for what in ("send document to the pool", "make it the baseline", "in the pool, without"):
            assert what in said
        await press(pilot, "escape", "ctrl+p", *"disagree", "enter")
        await opened(pilot)
        assert "disagree" in line(app, "title")


async def test_home_leads_here_and_back(judged: Campaign) -> None:
    from judge_tui.tui.app import JudgeTuiApp

    app = JudgeTuiApp(judged)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        await pilot.pause()
        there = app.screen
        assert isinstance(there, ResultsScreen)
        while there.working:
            await pilot.pause(0.02)
        await pilot.press("2", "q", "q")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert app.is_running


async def test_a_burst_of_keys_does_not_leave_the_app(judged: Campaign) -> None:
    async with at_results(judged, Asked(), size=(100, 40)) as (app, pilot):
        await press(pilot, *["j"] * 5, *["m"] * 20, *["right_square_bracket"] * 5, "enter", "enter")
        assert screen(app).is_running
