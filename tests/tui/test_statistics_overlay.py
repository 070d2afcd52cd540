"""The numbers of the statistics overlay are those of what holds when it is opened."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from judge_tui.campaign import Campaign
from judge_tui.campaign.desk import Desk
from judge_tui.campaign.judges import Judge
from judge_tui.tui.app import JudgeTuiApp, judging
from tests.tui.judging import press


async def told(pilot: Pilot[None]) -> str:
    await press(pilot, "t")
    text = "\n".join(str(one.render()) for one in pilot.app.screen.query("Static"))
    await press(pilot, "escape")
    return text


def counts(text: str) -> tuple[int, int, int, list[int]]:
    """Decided, left, skipped, and how often each grade holds."""
    decided, left = re.findall(r"decided +(\d+) +(\d+) left", text)[0]
    skipped = re.findall(r"(\d+) skipped", text)
    grades = re.findall(r"^\d (?:no|some|good|perfect) .*?(\d+) +\S+(?: s)?$", text, re.MULTILINE)
    return int(decided), int(left), int((*skipped, "0")[0]), [int(count) for count in grades]


async def test_what_was_undone_or_replaced_is_not_counted(app: JudgeTuiApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        steps = [
            (("2",), (1, 5, 0, [0, 0, 1, 0])),
            (("2",), (2, 4, 0, [0, 0, 2, 0])),
            (("u",), (1, 5, 0, [0, 0, 1, 0])),
            (("ctrl+r",), (2, 4, 0, [0, 0, 2, 0])),
            (("u",), (1, 5, 0, [0, 0, 1, 0])),
            (("0",), (2, 4, 0, [1, 0, 1, 0])),
            # Another grade on the same document.
            (("left_square_bracket", "3"), (2, 4, 0, [0, 0, 1, 1])),
            (("u",), (2, 4, 0, [1, 0, 1, 0])),
            (("ctrl+r",), (2, 4, 0, [0, 0, 1, 1])),
            (("tab", "s"), (3, 3, 1, [0, 0, 1, 1])),
            # The skipped one is graded after all.
            (("left_square_bracket", "1"), (3, 3, 0, [0, 1, 1, 1])),
            (("u",), (3, 3, 1, [0, 0, 1, 1])),
            (("u",), (2, 4, 0, [0, 0, 1, 1])),
        ]
        for keys, expected in steps:
            await press(pilot, *keys)
            text = await told(pilot)
            assert counts(text) == expected, keys
            assert "grades that hold now" in text


async def test_the_time_left_is_the_median_times_what_is_left(
    app: JudgeTuiApp, campaign: Campaign, ann: Judge
) -> None:
    desk = Desk(campaign, ann)
    pairs = [pair for query in desk.queries() for pair in desk.pairs(query.key)]
    for pair, seconds in zip(pairs, (40.0, 400.0, 100.0), strict=False):
        desk.record("grade", pair, grade=1, looked=seconds)
    desk.record("grade", pairs[0], grade=2, looked=1.0)
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        text = await told(pilot)
        assert "pace      100 s   median of the last 3 documents   100 s of all" in text
        assert "left      5 min   at that pace" in text
        assert "time      9 min   at documents   20 documents an hour" in text
        # The grade that holds, and the time looked before it.
        assert re.search(r"1 some +▇+ +2 +250 s", text)
        assert re.search(r"2 good +▇+ +1 +1 s", text)


async def test_what_is_no_longer_on_the_desk_is_said(
    campaign: Campaign, ann: Judge, app: JudgeTuiApp
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await press(pilot, "2", "1")
        assert "no longer" not in await told(pilot)
    with campaign.writing() as connection:
        connection.execute(
            "INSERT INTO assignments (judge, pair, turn, position, purpose)"
            " SELECT ?, p.id, 0, p.id, 'normal' FROM pool AS p"
            " WHERE p.id NOT IN (SELECT pair FROM events)",
            (ann.key,),
        )
    again = JudgeTuiApp(campaign, opening=judging(ann))
    async with again.run_test(size=(100, 40)) as pilot:
        await press(pilot)
        text = await told(pilot)
        assert "decided   2   4 left   2 no longer on your desk" in text
