"""Who settled a case, and who settles what they disagree about themselves, on the Review screen."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.store.adjudication import Settlement, settle, settlement_of
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.app import JudgeTuiApp, reviewing
from judge_tui.tui.screens.review.opinions import settled_content
from tests.tui.reviewing import disputed, here, key_of, line, press, said, whole


@pytest.fixture
def judges(campaign: Campaign) -> dict[str, Judge]:
    return disputed(campaign)


def app_of(campaign: Campaign, name: str) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=reviewing(add_judge(campaign, name, role="lead")))


@pytest.fixture
def case(campaign: Campaign, judges: dict[str, Judge]) -> int:
    """That max settled as 1, and gave a reason for."""
    pair = key_of(campaign, "q1", "json.load")
    settle(campaign, add_judge(campaign, "max", role="lead"), pair, 1, "as it says")
    return pair


async def to_case(pilot: Pilot[None]) -> None:
    """Wherever it stands in the queue."""
    await press(pilot, "left_square_bracket", "left_square_bracket")
    for _ in range(3):
        if here(pilot.app) == "json.load":
            return
        await press(pilot, "right_square_bracket")
    raise AssertionError(whole(pilot.app))


async def test_a_word_is_said_where_another_leads_word_is_replaced(
    campaign: Campaign, case: int
) -> None:
    app = app_of(campaign, "lea")
    async with app.run_test(size=(100, 30)) as pilot:
        await to_case(pilot)
        await press(pilot, "1")
        assert "settled so already: 1 some by max" in said(app)
        await press(pilot, "0")
        assert "settled: 0 no, in place of 1 some by max  json.load" in said(app)
        found = settlement_of(campaign, case)
        assert found is not None
        assert (found.judge.name, found.grade) == ("lea", 0)
        await to_case(pilot)
        await press(pilot, "e", "G")
        assert "settled  0 no by lea" in whole(app)
        assert "before   1 some by max" in whole(app)
        assert "as it says" in whole(app)
        # One's own word is replaced without a word.
        await press(pilot, "escape", "2")
        assert "settled: 2 good  json.load" in said(app)


async def test_a_reason_typed_on_another_leads_case_waits_for_a_grade(
    campaign: Campaign, case: int
) -> None:
    app = app_of(campaign, "lea")
    async with app.run_test(size=(80, 24)) as pilot:
        await to_case(pilot)
        before = settlement_of(campaign, case)
        # Nothing of max's reason is lea's.
        await press(pilot, "c", *"not so", "enter")
        assert said(app) == "kept until you settle it: 0 1 2 3, in place of 1 some by max"
        assert settlement_of(campaign, case) == before
        await press(pilot, "3")
        assert "settled: 3 perfect, with your reason, in place of 1 some by max" in said(app)
        found = settlement_of(campaign, case)
        assert found is not None
        assert (found.judge.name, found.grade, found.reason) == ("lea", 3, "not so")
        # That was one step.
        await press(pilot, "u")
        assert settlement_of(campaign, case) == before
        await press(pilot, "u")
        assert "nothing that you settled is left to undo" in said(app)


async def test_a_reason_typed_while_another_lead_settles_waits(
    campaign: Campaign, judges: dict[str, Judge]
) -> None:
    pair = key_of(campaign, "q1", "json.load")
    lea = add_judge(campaign, "lea", role="lead")
    settle(campaign, lea, pair, 0)
    app = app_of(campaign, "lea")
    async with app.run_test(size=(100, 30)) as pilot:
        await to_case(pilot)
        await press(pilot, "c", *"why")
        with open_campaign(campaign.path) as other:
            settle(other, add_judge(other, "max", role="lead"), pair, 2)
        for _ in range(600):
            await pilot.pause(0.05)
            if "settled 2 good by max" in line(app, "title"):
                break
        await press(pilot, "enter")
        assert "kept until you settle it: 0 1 2 3, in place of 2 good by max" in said(app)
        found = settlement_of(campaign, pair)
        assert found is not None
        assert (found.judge.name, found.grade) == ("max", 2)


def test_a_hostile_name_is_visible_and_short() -> None:
    lead = Judge(9, "\x1b[2J[red]" + "x" * 80, "lead", "human")
    shown = settled_content(Settlement(lead, 2, "", holds=True), DEFAULT_SCALE).plain
    assert "\x1b" not in shown
    assert shown.startswith("settled 2 relevant by ␛[2J[re")
    assert len(shown) <= len("settled 2 relevant by ") + 24
