"""One judge, and the app open for her."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, judging


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.fixture
def app(campaign: Campaign, ann: Judge) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=judging(ann))
