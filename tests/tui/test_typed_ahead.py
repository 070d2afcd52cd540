"""What is typed in one burst with the key that opens a line to type in is written there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.widgets.entry_line import EntryLine
from tests.tui.judging import actions, line, press, screen


def burst(app: JudgeTuiApp, *keys: str) -> None:
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait for what keys of a burst lead to; whether they do is asserted afterwards."""
    for _ in range(1000):
        if holds():
            break
        await pilot.pause(0.03)
    await pilot.pause()


def line_of(app: JudgeTuiApp) -> str | None:
    """What stands in the line to write in; None where there is none."""
    lines = [one.value for one in app.screen.query(EntryLine)]
    return lines[0] if lines else None


async def test_enter_in_a_burst_jumps_to_the_query_typed_before_it(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        other = "q1" if screen(app).route.query_id == "q2" else "q2"
        await press(pilot, "o")
        burst(app, *other, "enter", *"zz")
        await until(pilot, lambda: screen(app).route.query_id == other)
        assert app.screen is screen(app)
        assert screen(app).route.query_id == other


@pytest.mark.parametrize(
    ("keys", "notes"),
    [
        (("c", *"ab2", "enter"), ["ab2"]),
        (("c", *"ab2"), []),
        (("c", *"ab2", "escape"), []),
        (("f", "c", *"xu1", "enter"), ["xu1"]),
    ],
)
async def test_a_comment_typed_with_its_key_is_written_whole(
    app: JudgeTuiApp, campaign: Campaign, keys: tuple[str, ...], notes: list[str]
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        burst(app, *keys)
        stays = keys[-1] == "2"
        if stays or notes:
            await until(pilot, lambda: line_of(app) is not None or bool(actions(campaign)))
        else:
            # Opened and closed in one burst, it may never be seen.
            await until(pilot, lambda: app._message_queue is None or app._message_queue.empty())
        await until(pilot, lambda: line_of(app) == ("ab2" if stays else None))
        written = campaign.rows("SELECT note FROM events WHERE action = 'comment'")
        assert [note for (note,) in written] == notes
        assert not [action for action, _grade in actions(campaign) if action == "grade"]
        assert (app.screen is screen(app)) != stays


async def test_what_is_sought_is_typed_with_the_key_that_finds(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "slash", *"zzz", "enter")
        burst(app, "slash", *"CSV", "enter")
        await until(pilot, lambda: " of " in line(app, "said"))
        assert app.screen is screen(app)
        assert line(app, "said").startswith("1 of ")


async def test_a_query_is_typed_with_the_key_that_asks(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        other = "q1" if screen(app).route.query_id == "q2" else "q2"
        burst(app, "o", *other, "enter")
        await until(pilot, lambda: screen(app).route.query_id == other)
        assert screen(app).route.query_id == other


async def test_a_new_judge_is_typed_with_the_key_that_asks_for_the_name(
    campaign: Campaign,
) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        burst(app, "n", *"dora", "enter")
        await until(pilot, lambda: isinstance(app.screen, JudgeScreen))
        await press(pilot)
    assert campaign.rows("SELECT name FROM judges") == [("dora",)]


async def test_a_name_refused_can_be_mended(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.pause()
        await press(pilot, "n", "enter", *"eve", "enter")
        await press(pilot)
    assert campaign.rows("SELECT name FROM judges") == [("eve",)]
