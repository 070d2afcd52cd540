"""The foot of a screen: on a small terminal, too, it says how to get help, out, and a file."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, judging, reviewing
from judge_tui.tui.shown import Hint, foot
from judge_tui.tui.widgets import SplitLine
from tests.tui.results_screen import at_results, press
from tests.tui.reviewing import disputed, opened
from tests.tui.test_results_beside import EVERY_VIEW

SMALL = (80, 24)
HINTS = [Hint("enter", "both rankings", "choose", "rankings"), Hint("m", "measure", "measure")]
ALWAYS = [Hint("?", "keys", "help"), Hint("q", "back", "back")]


@pytest.mark.parametrize(
    ("room", "said"),
    [
        (46, "enter both rankings  m measure  ? keys  q back"),
        (45, "enter rankings  m measure  ? keys  q back"),
        (40, "enter both rankings  ? keys  q back"),
        (34, "enter rankings  ? keys  q back"),
        (29, "? keys  q back"),
        (13, "? keys"),
        (1, "? keys"),
    ],
)
def test_the_last_hints_go_first_and_long_words_before_them(room: int, said: str) -> None:
    assert foot(HINTS, ALWAYS, room).plain == said


def rendered(app: JudgeTuiApp) -> str:
    line = app.screen.query_one("#legend", SplitLine)
    assert not line.cuts
    return str(line.render())


async def test_every_view_of_results_names_the_keys_that_are_needed_everywhere(
    judged: Campaign,
) -> None:
    async with at_results(judged, size=SMALL) as (app, pilot):
        for keys in EVERY_VIEW[:7]:
            await press(pilot, *keys)
            for needed in ("e export", "? keys", "q back", "1 2 3 4 5 views"):
                assert needed in rendered(app)


async def test_that_there_are_warnings_is_said_however_narrow_it_is(judged: Campaign) -> None:
    for width in (60, 80):
        async with at_results(judged, size=(width, 24)) as (app, _):
            rests = app.screen.query_one("#rests", SplitLine)
            assert str(rests.render()).rstrip().endswith(" warnings")


async def test_judging_and_review_say_how_to_leave(campaign: Campaign, ann: Judge) -> None:
    disputed(campaign)
    for opening in (judging(ann), reviewing(add_judge(campaign, "lea", role="lead"))):
        app = JudgeTuiApp(campaign, opening=opening)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.pause()
            assert rendered(app).rstrip().endswith("? keys  q back")


async def test_an_overlay_that_scrolls_says_how_to_close_it(judged: Campaign) -> None:
    async with at_results(judged, size=SMALL) as (app, pilot):
        for key in ("question_mark", "w"):
            await press(pilot, key)
            hint = app.screen.query_one(".hint", Static)
            seen = app.screen.find_widget(hint).visible_region
            assert seen.height == hint.region.height == 2
            assert "esc closes" in str(hint.render())
            await press(pilot, "escape")


async def test_agreement_says_what_its_keys_are(campaign: Campaign) -> None:
    disputed(campaign)
    app = JudgeTuiApp(campaign, opening=reviewing(add_judge(campaign, "lea", role="lead")))
    async with app.run_test(size=SMALL) as pilot:
        await opened(pilot)
        await pilot.press("a")
        await pilot.pause()
        hint = app.screen.query_one(".hint", Static)
        assert "p query by query   esc closes" in str(hint.render())
        assert app.screen.find_widget(hint).visible_region.height == 2
