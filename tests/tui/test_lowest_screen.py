"""What the app opens with lies lowest: leaving it ends the app, leaving another one goes back."""

from __future__ import annotations

import pytest
from textual import events

from judge_tui.campaign import Campaign
from judge_tui.tui.app import JudgeTuiApp
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.judge import JudgeScreen
from tests.tui.judging import opened, press, until


async def test_the_judge_screen_lies_lowest_where_a_judge_is_given(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert [type(screen) for screen in app.screen_stack] == [JudgeScreen]
        await press(pilot, "2", "q")
        assert not app.is_running
    assert app.return_code == 0


@pytest.mark.usefixtures("ann")
async def test_a_second_key_that_was_meant_for_the_judge_screen_does_not_end_the_app(
    campaign: Campaign,
) -> None:
    """Pressed before Home is there, it is that screen's."""
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "enter")
        await opened(pilot)
        for _ in range(3):
            app.post_message(events.Key("q", "q"))
        await until(pilot, lambda: len(app.screen_stack) == 1)
        await pilot.pause(0.1)
        assert app.is_running
        assert [type(screen) for screen in app.screen_stack] == [HomeScreen]


async def test_nothing_is_painted_before_the_first_document(
    app: JudgeTuiApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen without one would be drawn and thrown away."""
    drawn: list[bool] = []
    displayed = JudgeTuiApp._display

    def display(self: JudgeTuiApp, screen: object, renderable: object) -> None:
        if not self._batch_count and renderable is not None:
            judging = self.screen_stack[-1]
            assert isinstance(judging, JudgeScreen)
            drawn.append(judging._document is not None)
        displayed(self, screen, renderable)  # type: ignore[arg-type]

    monkeypatch.setattr(JudgeTuiApp, "_display", display)
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert app._batch_count == 0
    assert drawn
    assert all(drawn)
