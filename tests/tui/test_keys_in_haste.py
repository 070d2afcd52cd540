"""Keys that are pressed before what the ones before them did is on the screen."""

from __future__ import annotations

import pytest
from textual import events

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from tests.tui.judging import actions, press, screen, until


@pytest.mark.parametrize(("opening", "closing"), [(("t",), "escape"), (("o",), "enter")])
async def test_a_key_that_closes_pressed_again_takes_no_other_screen_with_it(
    app: JudgeTuiApp, campaign: Campaign, opening: tuple[str, ...], closing: str
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "3", *opening)
        await until(pilot, lambda: app.screen is not screen(app))
        await pilot.pause(0.4)
        assert app.screen is not screen(app)
        for _ in range(3):
            app.post_message(events.Key(closing, None))
        await until(pilot, lambda: app.screen is screen(app))
        await pilot.pause(0.4)
        assert app.screen is screen(app)
        await press(pilot, "2")
        assert actions(campaign)[-1] == ("grade", 2)
