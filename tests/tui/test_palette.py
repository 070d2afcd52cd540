"""The palette acts on what was typed, however fast it was typed, and finds what one means."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual import events
from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.judge import JudgeScreen
from judge_tui.tui.screens.palette import KeyPalette, commands_of, matched
from judge_tui.tui.widgets import LineList
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


def rows(app: JudgeTuiApp) -> list[str]:
    found = app.screen.query_one(LineList)
    return [found.render_line(y).text.rstrip() for y in range(found.size.height)]


async def test_enter_in_the_same_burst_acts_on_what_was_typed_before_it(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "ctrl+p")
        burst(app, *"cannot", "enter", *"zz3")
        await until(pilot, lambda: bool(actions(campaign)))
        assert app.screen is screen(app)
        assert actions(campaign) == [("cannot", None)]


async def test_enter_in_a_burst_jumps_to_the_query_typed_before_it(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        other = "q1" if screen(app).route.query_id == "q2" else "q2"
        await press(pilot, "o")
        burst(app, *other, "enter", *"zz")
        await until(pilot, lambda: screen(app).route.query_id == other)
        assert app.screen is screen(app)
        assert screen(app).route.query_id == other


async def test_what_nothing_is_called_leaves_the_line_to_be_written_on(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "ctrl+p", *"zzz", "enter")
        assert isinstance(app.screen, KeyPalette)
        assert rows(app)[0].strip() == "nothing is called so"
        await press(pilot, "backspace", "backspace", "backspace", *"undo", "enter")
        assert app.screen is screen(app)
        assert line(app, "said").startswith("nothing to undo")
        assert actions(campaign) == []


async def test_arrows_choose_and_the_mouse_does(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "ctrl+p", *"document not judged", "down", "up", "enter")
        assert app.screen is screen(app)
        await press(pilot, "ctrl+p", *"query words")
        await pilot.click(LineList, offset=(3, 0))
        await pilot.pause()
        assert line(app, "said").startswith("marks are off")


async def test_a_theme_is_chosen_by_part_of_its_name(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "ctrl+p", *"theme", "enter")
        assert isinstance(app.screen, KeyPalette)
        assert any(row.split() == [app.theme, "in", "use"] for row in rows(app))
        await press(pilot, *"gruv", "enter")
        assert app.theme == "gruvbox"
        assert app.screen is screen(app)


async def test_over_an_overlay_it_has_what_that_can_do(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "t", "ctrl+p", *"close", "enter")
        assert app.screen is screen(app)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("", "next document"),
        ("skip", "skip"),
        ("document", "next document"),
        ("copy id", "copy the document's id"),
        ("id copy", "copy the document's id"),
        ("wl", "wrap long lines, or not"),
        ("UNDO", "undo"),
        ("grade 3", "grade 3: perfect"),
        ("aph", None),
        ("(", None),
        ("w" * 200, None),
    ],
)
async def test_what_one_means_comes_first(app: JudgeTuiApp, typed: str, first: str | None) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        palette = KeyPalette(commands_of(screen(app), app), "")
        count = palette.seek(typed)
        found = "".join(text for text, _style in palette.draw(0)) if count else None
        assert (found.split("  ")[0].strip() if found else None) == first


@pytest.mark.parametrize(
    ("typed", "name", "rank", "places"),
    [
        ("und", "undo", 0, [0, 1, 2]),
        ("rap", "wrap", 2, [1, 2, 3]),
        ("b a", "a b", 1, [2, 0]),
        ("ct", "change the theme", 3, [0, 7]),
        ("wrp", "re wrap", 4, [3, 4, 6]),
        ("x", "undo", None, []),
        ("st", "İstanbul", 2, [1, 2]),
        ("il", "İstanbul", None, []),
        ("wal", "wrap a long line", 3, [0, 5, 7]),
        ("", "anything", 0, []),
    ],
)
def test_how_well_a_name_matches(typed: str, name: str, rank: int | None, places: list) -> None:
    assert matched(typed, name) == (rank, places)


# What is typed in one burst with the key that opens the line to type in


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
        written = campaign.connection.execute("SELECT note FROM events WHERE action = 'comment'")
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


async def test_a_query_and_a_command_are_typed_with_the_key_that_asks(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        other = "q1" if screen(app).route.query_id == "q2" else "q2"
        burst(app, "o", *other, "enter")
        await until(pilot, lambda: screen(app).route.query_id == other)
        assert screen(app).route.query_id == other
        burst(app, "ctrl+p", *"cannot", "enter")
        await until(pilot, lambda: bool(actions(campaign)))
        assert app.screen is screen(app)
        assert actions(campaign) == [("cannot", None)]


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
