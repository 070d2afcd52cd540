"""What every screen may rely on: keys, palette, themes, the clipboard, and how the app ends."""

from __future__ import annotations

from contextlib import suppress
from functools import partialmethod
from itertools import count
from pathlib import Path
from time import monotonic

import pytest
from rich.segment import Segment
from textual import _time
from textual import events as textual_events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, TextArea

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge
from judge_tui.cli.app import open_app
from judge_tui.errors import CRASHED, CampaignError
from judge_tui.tui.app import JudgeTuiApp, judging
from judge_tui.tui.config import Config, ThemeFile
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.widgets.dialogs import LossNotice
from judge_tui.tui.widgets.document_view import DocumentView
from judge_tui.visible import visible_line
from tests.tui.pilots import (
    burst,
    events,
    painted,
    press,
    press_after_look,
    running,
    screen_text,
    seen,
    session,
    until,
    until_seen,
)

HOSTILE = "[bold]odd[/nope]\x1b[2J\x9b31m"


async def chosen(pilot: Pilot[None], text: str) -> None:
    """Open the palette, type, and take what it offers."""
    await press(pilot, "ctrl+p")
    await offered(pilot, text)
    await press(pilot, "enter")


async def offered(pilot: Pilot[None], text: str) -> None:
    """Paste into a palette, and wait for what it offers."""
    pilot.app.screen.query_one(Input).value = text
    await until(pilot, lambda: pilot.app.screen.query_one("CommandList").option_count == 1)  # type: ignore[attr-defined]


# --- keys, palette, help


async def test_the_palette_does_what_keys_do(campaign: Campaign, ann: Judge) -> None:
    async with running(campaign, judging(ann), size=(80, 24)) as pilot:
        session(pilot).guard.least_look = 0.0
        await painted(pilot)
        await chosen(pilot, "cannot be")
        await until(pilot, lambda: events(campaign) == [("cannot", None)])
        await painted(pilot)
        await chosen(pilot, "perfect")
        await until(pilot, lambda: events(campaign)[1:] == [("grade", 3)])
        await chosen(pilot, "end the app")
        await until(pilot, lambda: pilot.app.return_code == 0)


async def test_the_keys_lie_over_the_screen_as_they_are_now(campaign: Campaign, ann: Judge) -> None:
    config = Config(keymap={"judge.skip": "z,comma"})
    async with running(campaign, judging(ann), size=(80, 24), config=config) as pilot:
        await painted(pilot)
        below = [line[:20].rstrip() for line in screen_text(pilot)[:-1]]
        await press(pilot, "question_mark")
        assert seen(pilot, "z ,         skip")
        assert seen(pilot, "0 … 3       grade")
        assert [line[:20].rstrip() for line in screen_text(pilot)[:-1]] == below
        keys = pilot.app.screen.query_one(DocumentView).document
        assert "Copy selected text" not in str(keys)
        # What is a grade below is none here.
        await press(pilot, "2", "question_mark")
        assert not seen(pilot, "Keys")
        await press_after_look(pilot, "s", "z", "comma")
        assert events(campaign) == [("skip", None)] * 2


async def test_the_manual_opens_from_the_keys_and_from_the_palette(campaign: Campaign) -> None:
    async with running(campaign, size=(80, 24)) as pilot:
        await press(pilot, "question_mark", "M")
        await until_seen(pilot, "Your first campaign")
        # On to a page that it names, and back.
        await press(pilot, "enter", *"files", "enter")
        await until_seen(pilot, "Manual ─")
        assert not seen(pilot, "Your first campaign")
        await press(pilot, "escape", "escape", "escape")
        await chosen(pilot, "Manual: idea")
        await until_seen(pilot, "The idea")


async def test_a_theme_is_seen_before_it_is_chosen_and_there_again_the_next_time(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "config.theme"
    async with running(campaign, size=(80, 24), themes=ThemeFile(path)) as pilot:
        app = pilot.app
        await app.run_action("change_theme")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await offered(pilot, "gruvbox")
        await until(pilot, lambda: app.theme == "gruvbox")
        await press(pilot, "escape", "escape")
        assert app.theme == "textual-dark"
        assert not path.exists()
        await app.run_action("change_theme")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await offered(pilot, "nord")
        await press(pilot, "enter")
        await until(pilot, path.exists)
    assert JudgeTuiApp(campaign, themes=ThemeFile(path)).theme == "nord"
    named = Config(theme="dracula")
    assert JudgeTuiApp(campaign, themes=ThemeFile(path), config=named).theme == "dracula"


# --- what comes in and goes out


async def test_a_single_timer_calls_once_however_late_it_is(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`App.delay_update` and `App._check_resize` rest on it."""
    calls: list[str] = []
    async with running(campaign) as pilot:
        readings = count()
        # A busy machine: the whole delay goes by from one reading to the next.
        monkeypatch.setattr(
            _time, "get_time", lambda: monotonic() + 0.011 * min(next(readings), 99)
        )
        pilot.app.set_timer(0.01, lambda: calls.append("called"))
        await until(pilot, lambda: calls)
        await pilot.pause(0.05)
    assert calls == ["called"]


async def test_ctrl_c_ends_nothing_and_what_is_pasted_is_made_visible(campaign: Campaign) -> None:
    async with running(campaign, size=(80, 24)) as pilot:
        pilot.app.copy_to_clipboard("kept")
        await press(pilot, "ctrl+c")
        assert "^q ends the app" in screen_text(pilot)[-2]
        pilot.app.copy_to_clipboard("")
        assert pilot.app.clipboard == "kept"
        await press(pilot, "n")
        pilot.app.post_message(textual_events.Paste(HOSTILE))
        await until(pilot, lambda: pilot.app.screen.query_one(Input).value)
        assert pilot.app.screen.query_one(Input).value == visible_line(HOSTILE)


async def test_without_colours_everything_can_be_read_whatever_the_theme(
    campaign: Campaign, ann: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(campaign, judging(ann), size=(80, 24)) as pilot:
        for theme in ("ansi-dark", "textual-light", "ansi-dark"):
            pilot.app.theme = theme
            await press_after_look(pilot, "2")
            assert unreadable(pilot) == []
        for key in ("t", "c"):
            await press(pilot, key)
            assert unreadable(pilot) == []
            await press(pilot, "escape")


def unreadable(pilot: Pilot[None]) -> list[str]:
    """What is drawn in the colour that is behind it."""
    found: list[Segment] = []
    for widget in pilot.app.screen.walk_children(with_self=True):
        for strip in widget.render_lines(widget.size.region):
            drawn = strip
            for one in pilot.app.get_line_filters():
                drawn = drawn.apply_filter(one, widget.background_colors[1])
            found.extend(drawn)
    return [
        text
        for text, style, _ in found
        if text.strip()
        and style is not None
        and style.color is not None
        and not style.color.is_default
        and style.color == style.bgcolor
    ]


# --- the end


async def test_the_lowest_screen_ends_the_app_and_a_burst_of_keys_does_not(
    campaign: Campaign, ann: Judge
) -> None:
    async with running(campaign) as pilot:
        assert [type(one) for one in pilot.app.screen_stack] == [HomeScreen]
        # A judge waits no longer than that for another program that holds the file.
        assert campaign.row("PRAGMA busy_timeout") == (1000,)
        pilot.app.push_screen(judging(ann)(session(pilot)))
        await painted(pilot)
        # Pressed before Home is there, they are the Judge screen's.
        burst(pilot.app, *"qqq")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await pilot.pause(0.1)
        assert pilot.app.is_running
        await press(pilot, "q")
    assert pilot.app.return_code == 0


def test_a_crash_ends_with_a_code_of_its_own(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Faulty(Screen[None]):
        def on_mount(self) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr(JudgeTuiApp, "run", partialmethod(JudgeTuiApp.run, headless=True))
    assert open_app(campaign, lambda _app: lambda _session: Faulty()) == CRASHED
    assert "ZeroDivisionError" in capsys.readouterr().err


async def test_a_comment_that_was_not_written_is_printed_whatever_ends_the_app(
    campaign: Campaign, ann: Judge, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(campaign, judging(ann), size=(80, 24)) as pilot:
        await painted(pilot)
        await press(pilot, "c")
        pilot.app.screen.query_one(TextArea).text = HOSTILE
        await pilot.pause()
        await press(pilot, "ctrl+q")
    assert pilot.app.return_code == 2
    printed = "".join(capsys.readouterr().err.split())
    assert printed.startswith("NOTSAVED:thecommenton")
    assert printed.endswith("".join(visible_line(HOSTILE).split()))


async def test_a_lost_file_is_said_once_over_an_open_comment_which_goes_on(
    campaign: Campaign, ann: Judge, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign.tend()
    async with running(campaign, judging(ann), size=(80, 24)) as pilot:
        await press_after_look(pilot, "c")
        await press(pilot, *"so")
        campaign.path.unlink()
        await until(pilot, lambda: isinstance(pilot.app.screen, LossNotice))
        assert seen(pilot, "FILE LOST")
        assert seen(pilot, "campaign-kept.db"), screen_text(pilot)
        await press(pilot, "escape", "d", "d")
        assert pilot.app.screen.query_one(TextArea).text == "sodd"
        await press(pilot, "enter")
        await until_seen(pilot, "NOT SAVED")
        await press(pilot, "escape")
        await pilot.pause(0.4)
        assert len(pilot.app.screen_stack) == 1
        await press(pilot, "q")
        await until(pilot, lambda: pilot.app.return_code is not None)
    assert pilot.app.return_code == 2
    printed = capsys.readouterr().err
    assert "FILE LOST" in printed
    assert "sodd" in printed
    with suppress(CampaignError):
        campaign.close()


def test_what_is_copied_is_given_to_tmux(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its defaults it takes nothing from the escape sequence of a program."""
    tmux = tmp_path / "tmux"
    tmux.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\ncat > {tmp_path}/buffer\n')
    tmux.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("TMUX", "socket,1,0")
    app = JudgeTuiApp(campaign)
    app.copy_to_clipboard("")
    app.copy_to_clipboard("é")
    assert (tmp_path / "asked").read_text() == "load-buffer -w -\n"
    assert (tmp_path / "buffer").read_text() == "é"
