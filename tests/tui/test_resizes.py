"""Sizes of the terminal that come in haste, and one that comes to a busy machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import chain

import pytest
from textual import events
from textual import timer as textual_timer
from textual.geometry import Size
from textual.messages import Prompt
from textual.pilot import Pilot
from textual.screen import Screen

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import add_judge
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening, judging, reviewing
from judge_tui.tui.screens.results import opening
from tests.tui.judging import until

_NOW, _GONE = Size(100, 30), Size(80, 24)
_ENOUGH = 20

_OPENINGS: dict[str, Callable[[Campaign], Opening]] = {
    "home": lambda _campaign: AT_HOME,
    "judge": lambda campaign: judging(add_judge(campaign, "ann")),
    "review": lambda campaign: reviewing(add_judge(campaign, "lea", role="lead")),
    "results": lambda _campaign: opening(),
}


@pytest.fixture(params=_OPENINGS)
def app(campaign: Campaign, request: pytest.FixtureRequest) -> JudgeTuiApp:
    """The app, to be opened at each of its screens."""
    return JudgeTuiApp(campaign, opening=_OPENINGS[request.param](campaign))


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[Size]:
    """The sizes that screens are told, of which there must be an end."""
    told: list[Size] = []
    tell = Screen._screen_resized

    def count(screen: Screen[None], size: Size) -> None:
        told.append(size)
        assert len(told) < _ENOUGH, "laid out without end"
        tell(screen, size)

    monkeypatch.setattr(Screen, "_screen_resized", count)
    return told


def _tell(app: JudgeTuiApp, *sizes: Size) -> None:
    """As they stand in the screen's queue where it was held up: each with something behind it."""
    for size in sizes:
        app.screen.post_message(events.Resize(size, size))
        app.screen.post_message(Prompt())


async def _opened(pilot: Pilot[None], overlay: str) -> None:
    await pilot.pause(0.1)
    if overlay:
        await pilot.press(overlay)
        await pilot.pause(0.1)
        assert len(pilot.app.screen_stack) == 2


@pytest.mark.parametrize("overlay", ["", "question_mark"])
async def test_the_echo_of_a_size_that_is_gone_is_no_new_one(
    app: JudgeTuiApp, layouts: list[Size], overlay: str
) -> None:
    async with app.run_test(size=tuple(_NOW)) as pilot:
        await _opened(pilot, overlay)
        layouts.clear()
        _tell(app, _GONE, _NOW)
        await pilot.pause(0.1)
        assert layouts
        assert set(layouts) == {_NOW}
        assert app.screen.outer_size == _NOW


@pytest.mark.usefixtures("layouts")
async def test_an_echo_that_takes_the_place_of_the_last_size_does_not_undo_it(
    app: JudgeTuiApp,
) -> None:
    """Of sizes that stand one behind the other in a queue, Textual takes the last."""
    async with app.run_test(size=tuple(_GONE)) as pilot:
        await _opened(pilot, "")
        await pilot.resize_terminal(*_NOW)
        _tell(app, _GONE)
        await pilot.pause(0.1)
        assert app.screen.outer_size == _NOW


async def test_a_size_is_laid_out_though_its_moment_has_passed(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = textual_timer._time.get_time
    # A timer asks for the time at its start, and again to see how long it has to wait.
    times = chain([real() - 60.0], iter(real, None))

    def held_up() -> float:
        task = asyncio.current_task()
        single = task is not None and task.get_name().startswith("set_timer")
        return next(times) if single else real()

    async with app.run_test(size=tuple(_GONE)) as pilot:
        await pilot.pause(0.5)
        monkeypatch.setattr(textual_timer._time, "get_time", held_up)
        await pilot.resize_terminal(*_NOW)
        await until(pilot, lambda: app.screen.outer_size == _NOW)
        assert app.screen.outer_size == _NOW
