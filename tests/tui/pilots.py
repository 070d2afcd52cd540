"""Opening the app in a test, pressing its keys, and reading what is on screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening
from judge_tui.tui.widgets.document_view import DocumentView

TAKES_TOO_LONG = 30.0
"""Seconds after which `until` gives up: a test that waits for nothing fails, however busy the
machine."""


@asynccontextmanager
async def running(
    campaign: Campaign,
    opening: Opening = AT_HOME,
    *,
    size: tuple[int, int] = (120, 40),
    **more: Any,
) -> AsyncIterator[Pilot[None]]:
    """The app, open at `opening`; `more` goes to `JudgeTuiApp`: `config`, `options`."""
    app = JudgeTuiApp(campaign, opening=opening, **more)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def session(pilot: Pilot[None]) -> Any:
    """What the screens of the app share."""
    return pilot.app.session  # type: ignore[attr-defined]


def screen_text(pilot: Pilot[None]) -> list[str]:
    """What is on screen, line by line, without the blanks at their ends."""
    # Textual has no public name for it but a picture.
    strips = pilot.app.screen._compositor.render_strips(pilot.app.size)
    return [strip.text.rstrip() for strip in strips]


def seen(pilot: Pilot[None], text: str) -> bool:
    """Whether a line on screen has it."""
    return any(text in line for line in screen_text(pilot))


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Wait for what comes in its own time. Fails, with what is on screen, where it never comes."""
    for _ in range(int(TAKES_TOO_LONG / 0.02)):
        if holds():
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise AssertionError("\n".join(["never came:", *screen_text(pilot)]))


async def until_seen(pilot: Pilot[None], text: str) -> None:
    """Wait until a line on screen has the text."""
    await until(pilot, lambda: seen(pilot, text))


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Keys one after another, each once what the one before did is on screen; a grade among them
    does not count where the document has not been looked at: see `press_after_look`."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def press_after_look(pilot: Pilot[None], *keys: str) -> None:
    """Keys as a judge presses them: the document is painted, was looked at for long enough, and
    none is the keyboard's repetition of the one before."""
    guard = session(pilot).guard
    guard.least_look = 0.0
    for key in keys:
        await painted(pilot)
        # As if a button of the mouse had been pressed between them.
        guard.pressed("", 0.0)
        await pilot.press(key)
        await pilot.pause()
    await painted(pilot)


async def painted(pilot: Pilot[None]) -> None:
    """Wait until the document on screen, if there is one, has been handed to the terminal."""
    guard = session(pilot).guard
    for _ in range(250):
        if not pilot.app.screen_stack:
            return
        # Guidelines and the like are beside it, or over it.
        views = pilot.app.screen.query("#document").results(DocumentView)
        if guard.painted_at is not None or all(view.document is None for view in views):
            return
        await pilot.pause(0.01)


def events(campaign: Campaign) -> list[tuple[str, int | None]]:
    """(action, grade) of all that judges did, in the order in which they did it."""
    return campaign.rows("SELECT action, grade FROM events ORDER BY id")


def doc_ids(campaign: Campaign) -> list[str]:
    """The documents that the events are about, in the same order."""
    rows = campaign.rows(
        "SELECT d.doc_id FROM events AS e JOIN pool AS p ON p.id = e.pair"
        " JOIN documents AS d ON d.id = p.document ORDER BY e.id"
    )
    return [doc_id for (doc_id,) in rows]
