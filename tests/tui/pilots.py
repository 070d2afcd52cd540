"""Opening the app in a test, pressing its keys, and reading what is on screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from textual import events as textual_events
from textual.app import App
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen

from judge_tui.campaign import Campaign
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.tui.widgets.status_line import StatusLine
from judge_tui.tui.widgets.table import Table

AnyScreen = TypeVar("AnyScreen", bound=Screen[Any])

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
    """The app, open at `opening`; `more` goes to `JudgeTuiApp`: `config`, `themes`."""
    app = JudgeTuiApp(campaign, opening=opening, **more)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield pilot


def session(pilot: Pilot[None]) -> Any:
    """What the screens of the app share."""
    return pilot.app.session  # type: ignore[attr-defined]


def lowest(pilot: Pilot[None], kind: type[AnyScreen]) -> AnyScreen:
    """The screen that the app opened with, whatever lies over it."""
    found = pilot.app.screen_stack[0]
    assert isinstance(found, kind)
    return found


def said(pilot: Pilot[None]) -> str:
    """What that screen's status line says."""
    return pilot.app.screen_stack[0].query_one(StatusLine).said


def here(pilot: Pilot[None]) -> str:
    """The id of the document that it shows, "" where it shows none."""
    document = pilot.app.screen_stack[0].query_one("#document", DocumentView).document
    return document.doc_id if document is not None else ""


def title(pilot: Pilot[None], selector: str) -> str:
    """What stands on the upper border of a pane of it."""
    return _plain(pilot.app.screen_stack[0].query_one(selector).border_title)


def subtitle(pilot: Pilot[None], selector: str) -> str:
    """And on the lower one."""
    return _plain(pilot.app.screen_stack[0].query_one(selector).border_subtitle)


def _plain(border: str | None) -> str:
    return Content.from_markup(border or "").plain


def lines(table: Table) -> list[str]:
    """What stands in a table, line by line, without its border and the empty lines at its end."""
    shown = min(table.size.height, table.virtual_size.height)
    return [table.render_line(y).text.rstrip() for y in range(shown)]


def burst(app: App[Any], *keys: str) -> None:
    """Keys that come together, before the app can paint, as from a busy machine."""
    for key in keys:
        app.post_message(textual_events.Key(key, key if len(key) == 1 else None))


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
    end, step = monotonic() + TAKES_TOO_LONG, 0.01
    while not holds():
        if monotonic() > end:
            raise AssertionError("\n".join(["never came:", *screen_text(pilot)]))
        await pilot.pause(step)
        # To look is dear: what takes long is looked for less often.
        step = min(2 * step, 0.1)
    await pilot.pause()


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
        # What the key brings has begun to be read by then: no wait for the document of before.
        await pilot.pause(0.01)
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
