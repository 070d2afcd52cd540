"""Keys that are pressed before what the ones before them did is on the screen."""

from __future__ import annotations

import pytest
from textual import events
from textual.command import CommandList, CommandPalette

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from tests.tui.judging import actions, press, screen


@pytest.mark.parametrize(
    ("opening", "closing"), [(("ctrl+p", *"undo"), "enter"), (("t",), "escape"), (("o",), "enter")]
)
async def test_a_key_that_closes_pressed_again_takes_no_other_screen_with_it(
    app: JudgeTuiApp, campaign: Campaign, opening: tuple[str, ...], closing: str
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "3", *opening)
        await pilot.pause(0.4)
        assert app.screen is not screen(app)
        for _ in range(3):
            app.post_message(events.Key(closing, None))
        await pilot.pause(0.4)
        assert app.screen is screen(app)
        await press(pilot, "2")
        assert actions(campaign)[-1] == ("grade", 2)


async def test_what_comes_to_the_palette_after_it_was_left_ends_nothing(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "ctrl+p")
        await pilot.pause(0.4)
        palette = app.screen
        assert isinstance(palette, CommandPalette)
        before = palette.query_one(CommandList).option_count
        assert before
        palette.dismiss()
        await palette.query_one(CommandList).remove()
        for visible in (False, True, False):
            palette._list_visible = visible
            palette._show_busy = not visible
        palette.post_message(events.Callback(lambda: palette.query_one(CommandList)))
        await pilot.pause()
        await press(pilot, "2")
        assert actions(campaign) == [("grade", 2)]
