"""Results of a large campaign, read beside the app; and how the screen looks in other sizes,
colours and keys."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign
from judge_tui.tui.config import Config
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.reader import ReaderOverlay
from judge_tui.tui.screens.results import ResultsScreen
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
        with judged.writing():
            judged.execute("ALTER TABLE results RENAME TO elsewhere")
        await press(pilot, "r")
        await opened(pilot)
        assert "CANNOT READ" in line(app, "said")
        assert rows(app) == shown


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


async def test_nothing_is_drawn_in_the_colour_behind_it(
    judged: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    config = Config(theme="textual-light")
    async with at_results(judged, config=config, size=(100, 30)) as (app, pilot):
        for keys in EVERY_VIEW:
            await press(pilot, *keys)
            assert unreadable(app) == []
        await press(pilot, "q", "e")
        assert unreadable(app) == []


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


async def test_escape_closes_views_but_never_the_screen(judged: Campaign) -> None:
    async with at_results(judged, size=(100, 40)) as (app, pilot):
        await press(pilot, "j", "enter", "escape", "escape", "escape")
        assert "Leaderboard" in line(app, "title")
        assert app.is_running
        await press(pilot, "q")
    assert app.return_code == 0


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
