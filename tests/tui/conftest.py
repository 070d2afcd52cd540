"""One judge, and the app open for her; and the campaign when she has judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, judging
from tests.tui.results_screen import graded


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.fixture
def app(campaign: Campaign, ann: Judge) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=judging(ann))


@pytest.fixture
def judged(campaign: Campaign, files: Path) -> Campaign:
    return graded(campaign, files)
