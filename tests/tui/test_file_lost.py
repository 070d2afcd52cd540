"""The file is taken away or written over while the app is open: every screen says so once, and each
key that writes says NOT SAVED."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from judge_tui.analysis.basis import Question
from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.judges import add_judge
from judge_tui.errors import CampaignError
from judge_tui.tui import tending
from judge_tui.tui.app import AT_HOME, JudgeTuiApp, Opening, judging, reviewing
from judge_tui.tui.screens.results import opening
from judge_tui.tui.tending import LossOverlay
from judge_tui.tui.widgets import SaidLine
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.visible import visible_line
from tests.campaign.copies import events_of
from tests.tui.judging import opened as opened_for_judging
from tests.tui.judging import until
from tests.tui.reviewing import disputed


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    again = path.with_name("again.db")
    shutil.copyfile(path, again)
    again.replace(path)


def written_over(path: Path) -> None:
    path.write_bytes(b"something else" * 1000)


HARMS = (deleted, replaced, written_over)


def opened_at(campaign: Campaign, screen: str) -> Opening:
    disputed(campaign)
    return {
        "home": lambda: AT_HOME,
        "judge": lambda: judging(add_judge(campaign, "cleo")),
        "review": lambda: reviewing(add_judge(campaign, "lea", role="lead")),
        "results": lambda: opening(Question()),
    }[screen]()


def said(app: JudgeTuiApp) -> str:
    return str(app.screen_stack[0].query_one("#said", Static).render())


async def until_told(app: JudgeTuiApp, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(app.screen, LossOverlay))
    assert isinstance(app.screen, LossOverlay)


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("screen", ["home", "judge", "review", "results"])
async def test_a_lost_file_is_said_once_and_nothing_is_written_any_more(
    campaign: Campaign, screen: str, harm: Callable[[Path], None]
) -> None:
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, screen))
    campaign.tend()
    before = events_of(campaign)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.3)
        harm(campaign.path)
        await until_told(app, pilot)
        await pilot.press("escape")
        await pilot.pause(0.4)
        assert not isinstance(app.screen, LossOverlay)
        if screen in ("judge", "review"):
            await pilot.press("2")
            await pilot.pause()
            assert said(app).startswith("NOT SAVED")
        await pilot.press("q")
        await until(pilot, lambda: app.return_code is not None)
    assert app.return_code == 2
    kept = campaign.path.with_name("campaign-kept.db")
    assert kept.exists() == (harm is not written_over)
    if kept.exists():
        with open_campaign(kept) as again:
            assert events_of(again) == before
    with suppress(CampaignError):
        campaign.close()


async def test_a_comment_that_was_not_saved_is_printed_when_the_app_is_left(
    campaign: Campaign, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody types it twice: it is whole, and harmless."""
    monkeypatch.setattr(tending, "_EVERY", 2.0)  # the key comes before the look at the file
    app = JudgeTuiApp(campaign, opening=judging(add_judge(campaign, "cleo")))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened_for_judging(pilot)
        doc_id = app.screen.in_front.doc_id  # type: ignore[attr-defined]
        await pilot.press("c")
        await pilot.pause()
        comment = f"[bold]odd\x1b[2J {'word ' * 40}end"
        app.screen.query_one(EntryLine).value = comment
        deleted(campaign.path)
        await pilot.press("enter")
        await pilot.pause()
        await until_told(app, pilot)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, LossOverlay))
        await pilot.press("q")
        await until(pilot, lambda: app.return_code is not None)
    assert app.return_code == 2
    kept = f"NOT SAVED: the comment on {doc_id}, query q1: {visible_line(comment)}"
    assert "".join(kept.split()) in "".join(capsys.readouterr().err.split())
    with suppress(CampaignError):
        campaign.close()


async def test_an_error_that_is_too_long_has_a_sign_that_it_goes_on(campaign: Campaign) -> None:
    app = JudgeTuiApp(campaign, opening=opened_at(campaign, "judge"))
    async with app.run_test(size=(40, 20)) as pilot:
        await pilot.pause(0.3)
        for words in (3, 300, 3):
            app.screen.query_one(SaidLine).say_whole(Content("word " * words))
            await pilot.pause()
            shown = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            assert (" …" in shown.split("word", 1)[1]) == (words == 300)
            assert app.screen.query_one("#said").size.height == (4 if words == 300 else 1)
