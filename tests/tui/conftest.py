"""One judge, and the app open for her; and the campaign when she has judged."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.judges import Judge, add_judge
from judge_tui.tui.app import JudgeTuiApp, judging
from tests.tui.results_screen import graded


@pytest.fixture(autouse=True)
def _little_to_collect() -> Iterator[None]:
    """An app collects garbage once it is open: to look at all that thousands of other tests have in
    memory would take longer than most tests do."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.fixture
def app(campaign: Campaign, ann: Judge) -> JudgeTuiApp:
    return JudgeTuiApp(campaign, opening=judging(ann))


@pytest.fixture
def judged(campaign: Campaign, files: Path) -> Campaign:
    return graded(campaign, files)
