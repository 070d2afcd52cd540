"""Driving the Judge screen, and reading it."""

from __future__ import annotations

from collections.abc import Callable

from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.widgets import DocumentView, SplitLine


def screen(app: JudgeTuiApp) -> JudgeScreen:
    found = app.screen_stack[0]
    assert isinstance(found, JudgeScreen)
    return found


def here(app: JudgeTuiApp) -> str:
    pair = screen(app).route.pair
    assert pair is not None
    return pair.doc_id


def line(app: JudgeTuiApp, name: str) -> str:
    widget = screen(app).query_one(f"#{name}")
    return widget.plain if isinstance(widget, SplitLine) else str(widget.render())


def shown(app: JudgeTuiApp) -> list[str]:
    view = screen(app).query_one(DocumentView)
    return [view.render_line(y).text.rstrip(" ▐╴◂") for y in range(view.size.height)]


def actions(campaign: Campaign) -> list[tuple[str, int | None]]:
    return campaign.rows("SELECT action, grade FROM events ORDER BY id")


def has_room(view: DocumentView) -> bool:
    """Whether a row of it is on screen."""
    place = view.screen._compositor.full_map.get(view)
    return place is not None and view.size.height > 0 and place.visible_region.area > 0


async def opened(pilot: Pilot[None]) -> None:
    """Wait until the document is painted, if there is one, and room for it."""
    for tried in range(600):
        judging = pilot.app.screen
        if not isinstance(judging, JudgeScreen) or not judging.guard.waiting:
            return
        if tried > 20 and (judging.in_front is None or not has_room(judging.view)):
            return
        await pilot.pause()


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Wait for what comes in its own time, however busy the machine; the test asserts it then."""
    for _ in range(1500):
        if holds():
            break
        await pilot.pause(0.02)
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Keys as a person presses them: the screen has settled before each."""
    await opened(pilot)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
