"""The palette has what the keys do, and does it."""

from __future__ import annotations

from textual.command import CommandPalette

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from tests.tui.judging import actions, press, screen


async def chosen(pilot, text: str) -> None:
    """Open the palette, type, and take the best match once it is there."""
    await press(pilot, "ctrl+p", *text)
    for _ in range(100):
        await pilot.pause(0.02)
        commands = pilot.app.screen.query("CommandList")
        if commands and commands.first().option_count:
            break
    await press(pilot, "enter")
    await pilot.pause(0.1)


async def test_what_a_key_does_is_done_from_the_palette(
    app: JudgeTuiApp, campaign: Campaign
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        await chosen(pilot, "cannot be")
        assert app.screen is screen(app)
        assert actions(campaign) == [("cannot", None)]


async def test_a_grade_is_named_with_its_label(app: JudgeTuiApp, campaign: Campaign) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        await chosen(pilot, "perfect")
        assert actions(campaign) == [("grade", 3)]


async def test_over_an_overlay_it_has_what_that_can_do(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "t")
        await chosen(pilot, "close")
        assert app.screen is screen(app)


async def test_the_theme_can_be_changed(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        await chosen(pilot, "change the theme")
        assert isinstance(app.screen, CommandPalette)
        await press(pilot, *"gruvbox")
        await pilot.pause(0.3)
        await press(pilot, "enter")
        await pilot.pause(0.1)
        assert app.theme == "gruvbox"
