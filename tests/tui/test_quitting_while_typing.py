"""ctrl+q while a reason or a comment is typed: it is said that it is not kept, and done if asked
again."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, reviewing
from judge_tui.tui.screens.comment import CommentOverlay
from tests.tui.judging import opened as opened_for_judging
from tests.tui.reviewing import disputed, opened, press, said


def hint(app: JudgeTuiApp) -> str:
    assert isinstance(app.screen, CommentOverlay)
    return str(app.screen.query_one(".hint", Static).render())


def reviewed(campaign: Campaign) -> JudgeTuiApp:
    disputed(campaign)
    return JudgeTuiApp(campaign, opening=reviewing(add_judge(campaign, "lea", role="lead")))


async def typed(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def test_a_reason_that_is_being_typed_is_not_left_without_a_word(
    campaign: Campaign,
) -> None:
    app = reviewed(campaign)
    async with app.run_test(size=(120, 30)) as pilot:
        await opened(pilot)
        await press(pilot, "c")
        await typed(pilot, *"so", "ctrl+q")
        assert app.is_running
        assert hint(app) == "NOT KEPT  enter keeps the reason  ctrl+q once more leaves without it"
        # More is typed: that is said anew, and can still be kept.
        await typed(pilot, "!", "ctrl+q")
        assert app.is_running
        await typed(pilot, "enter")
        assert "kept until you settle it" in said(app)
        await typed(pilot, "ctrl+q")
        assert app.is_running
        assert "NOT SETTLED  1 reason waits for a grade" in said(app)
        await typed(pilot, "ctrl+q")
        assert not app.is_running


async def test_a_judges_comment_as_well(app: JudgeTuiApp, ann: Judge) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await opened_for_judging(pilot)
        await typed(pilot, "c", *"odd", "ctrl+q")
        assert app.is_running
        assert hint(app) == "NOT KEPT  enter keeps the comment  ctrl+q once more leaves without it"
        await typed(pilot, "ctrl+q")
        assert not app.is_running
