"""Driving the Judge screen, and reading it."""

from __future__ import annotations

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
    return campaign.connection.execute("SELECT action, grade FROM events ORDER BY id").fetchall()


async def opened(pilot: Pilot[None]) -> None:
    """Wait until the first document is painted, if there is room for one."""
    for _ in range(20):
        judging = pilot.app.screen
        if not isinstance(judging, JudgeScreen) or not judging.guard.waiting:
            return
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Keys as a person presses them: the screen has settled before each."""
    await opened(pilot)
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
