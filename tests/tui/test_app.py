"""What every screen may rely on: keys, palette, themes, the clipboard, and how the app ends."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partialmethod
from pathlib import Path

import pytest
from rich.segment import Segment
from textual import events as textual_events
from textual import timer as textual_timer
from textual.command import CommandPalette
from textual.geometry import Size
from textual.messages import Prompt
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
    """Open the palette, type, and take the best match once it is there."""
    await press(pilot, "ctrl+p")
    await offered(pilot, text)
    await press(pilot, "enter")
    await pilot.pause(0.1)


async def offered(pilot: Pilot[None], text: str) -> None:
    """Type into a palette, and wait for what it offers."""
    await press(pilot, *text)
    await until(pilot, lambda: pilot.app.screen.query_one("CommandList").option_count == 1)  # type: ignore[attr-defined]


# --- keys, palette, help


async def test_the_palette_does_what_keys_do(campaign: Campaign, ann: Judge) -> None:
    async with running(campaign, judging(ann), size=(80, 24)) as pilot:
        await painted(pilot)
        await chosen(pilot, "cannot be")
        await painted(pilot)
        await chosen(pilot, "perfect")
        assert events(campaign) == [("cannot", None), ("grade", 3)]
        await chosen(pilot, "end the app")
    assert pilot.app.return_code == 0


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
        await press(pilot, "escape")
        await until_seen(pilot, "Your first campaign")
        await press(pilot, "escape", "escape")
        await chosen(pilot, "Manual: idea")
        await until_seen(pilot, "The idea")


async def test_a_theme_is_seen_before_it_is_chosen_and_there_again_the_next_time(
    campaign: Campaign, tmp_path: Path
) -> None:
    path = tmp_path / "config.theme"
    async with running(campaign, size=(80, 24), themes=ThemeFile(path)) as pilot:
        app = pilot.app
        await chosen(pilot, "change the theme")
        assert isinstance(app.screen, CommandPalette)
        await offered(pilot, "gruvbox")
        await until(pilot, lambda: app.theme == "gruvbox")
        await press(pilot, "escape", "escape")
        assert app.theme == "textual-dark"
        assert not path.exists()
        await chosen(pilot, "change the theme")
        await offered(pilot, "nord")
        await press(pilot, "enter")
        await until(pilot, path.exists)
    async with running(campaign, themes=ThemeFile(path)) as pilot:
        assert pilot.app.theme == "nord"
    named = Config(theme="dracula")
    async with running(campaign, themes=ThemeFile(path), config=named) as pilot:
        assert pilot.app.theme == "dracula"


# --- what comes in and goes out


async def test_ctrl_c_ends_nothing_and_empties_no_clipboard(campaign: Campaign) -> None:
    async with running(campaign, size=(80, 24)) as pilot:
        pilot.app.copy_to_clipboard("kept")
        await press(pilot, "ctrl+c")
        assert "^q ends the app" in screen_text(pilot)[-2]
        pilot.app.copy_to_clipboard("")
        assert pilot.app.clipboard == "kept"


async def test_what_is_pasted_is_made_visible(campaign: Campaign) -> None:
    async with running(campaign, size=(80, 24)) as pilot:
        await press(pilot, "n")
        pilot.app.post_message(textual_events.Paste(HOSTILE))
        await until(pilot, lambda: pilot.app.screen.query_one(Input).value)
        assert pilot.app.screen.query_one(Input).value == visible_line(HOSTILE)


THEMES = ("ansi-dark", "textual-dark", "ansi-light", "textual-light", "ansi-dark")


async def test_without_colours_everything_can_be_read_whatever_the_theme(
    campaign: Campaign, ann: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(campaign, judging(ann), size=(80, 24)) as pilot:
        for theme in THEMES:
            pilot.app.theme = theme
            await press_after_look(pilot, "2")
            assert unreadable(pilot) == []
        for key in ("t", "question_mark", "ctrl+p", "o", "c"):
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


async def test_a_size_is_laid_out_though_its_moment_has_passed(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = textual_timer._time.get_time
    begun: set[object] = set()

    def held_up() -> float:
        """A timer asks for the time at its start, and again to see how long it has to wait."""
        task = asyncio.current_task()
        late = task not in begun and task is not None and task.get_name().startswith("set_")
        begun.add(task)
        return real() - 60.0 if late else real()

    async with running(campaign, size=(80, 24)) as pilot:
        await pilot.pause(0.3)
        begun.update(asyncio.all_tasks())
        monkeypatch.setattr(textual_timer._time, "get_time", held_up)
        await pilot.resize_terminal(100, 30)
        await until(pilot, lambda: pilot.app.screen.outer_size == (100, 30))


async def test_sizes_in_haste_are_laid_out_as_the_one_that_is_there(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, gone = Size(100, 30), Size(80, 24)
    laid_out: list[Size] = []
    lay_out = Screen._screen_resized

    def count(screen: Screen[None], size: Size) -> None:
        laid_out.append(size)
        assert len(laid_out) < 40, "laid out without end"
        lay_out(screen, size)

    async with running(campaign, size=tuple(now)) as pilot:
        for keys in ((), ("n",)):
            await press(pilot, *keys)
            await pilot.pause(0.1)
            monkeypatch.setattr(Screen, "_screen_resized", count)
            # As they stand in the screen's queue where it was held up: each with something behind.
            for size in (gone, now):
                pilot.app.screen.post_message(textual_events.Resize(size, size))
                pilot.app.screen.post_message(Prompt())
            await until(pilot, lambda: laid_out)
            await pilot.pause(0.1)
            assert {*laid_out} == {now}
            monkeypatch.undo()
            laid_out.clear()


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
