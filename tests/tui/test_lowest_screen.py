"""What the app opens with lies lowest: leaving it ends the app, leaving another one goes back."""

from __future__ import annotations

import pytest
from textual import events

from judge_tui.campaign import Campaign
from judge_tui.campaign.judges import Judge
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, judging
from judge_tui.tui.screens.home import HomeScreen
from judge_tui.tui.screens.judge import JudgeScreen
from tests.tui.judging import actions, opened, press, until


async def test_the_judge_screen_lies_lowest_where_a_judge_is_given(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        assert [type(screen) for screen in app.screen_stack] == [JudgeScreen]
        await press(pilot, "2", "q")
        assert not app.is_running
    assert app.return_code == 0


@pytest.mark.usefixtures("ann")
async def test_from_home_one_goes_back_to_home(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign)
    async with app.run_test(size=(100, 30)) as pilot:
        assert [type(screen) for screen in app.screen_stack] == [HomeScreen]
        await press(pilot, "enter")
        assert [type(screen) for screen in app.screen_stack] == [HomeScreen, JudgeScreen]
        await opened(pilot)
        await press(pilot, "2", "q")
        assert [type(screen) for screen in app.screen_stack] == [HomeScreen]
        assert app.is_running
        await press(pilot, "q")
        assert not app.is_running
    assert app.return_code == 0
    assert actions(campaign) == [("grade", 2)]


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


@pytest.mark.parametrize("overlay", ["question_mark", "o", "t", "I", "e", "slash", "c", "ctrl+p"])
async def test_an_overlay_over_the_lowest_screen_is_closed_alone(
    app: JudgeTuiApp, overlay: str
) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await press(pilot, overlay)
        assert len(app.screen_stack) == 2
        await press(pilot, "escape")
        assert [type(screen) for screen in app.screen_stack] == [JudgeScreen]
        assert app.is_running


@pytest.mark.parametrize("home", [False, True])
async def test_it_has_its_own_styles(campaign: Campaign, ann: Judge, home: bool) -> None:
    """Those of a screen that is pushed are read anyway."""
    app = JudgeTuiApp(campaign, opening=AT_HOME if home else judging(ann))
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        styles = {str(path) for path, _ in app.stylesheet.source if path}
        assert any(path.endswith("home.tcss" if home else "judge.tcss") for path in styles)
        if home:
            await press(pilot, "enter")
            await opened(pilot)
            styles = {str(path) for path, _ in app.stylesheet.source if path}
            assert any(path.endswith("judge.tcss") for path in styles)


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


async def test_tab_before_there_is_anything_on_screen_does_nothing(app: JudgeTuiApp) -> None:
    """It has priority, and so it may come before the screen has been laid out."""
    judging_screen = app.get_default_screen()
    assert isinstance(judging_screen, JudgeScreen)
    judging_screen.action_next_unjudged()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        before = judging_screen.route.pair
        await press(pilot, "tab")
        assert judging_screen.route.pair != before
