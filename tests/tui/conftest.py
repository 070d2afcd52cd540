"""Judges of the small campaign, and the campaign when they have judged."""

from __future__ import annotations

import pytest

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge, add_judge
from tests.tui import campaigns


@pytest.fixture
def ann(campaign: Campaign) -> Judge:
    return add_judge(campaign, "ann")


@pytest.fixture
def judged(campaign: Campaign) -> Campaign:
    """All but one pair graded by ann, from a file."""
    return campaigns.graded(campaign)


@pytest.fixture
def disputed(campaign: Campaign) -> Campaign:
    """ann and bob disagree about three pairs of six; see `campaigns.JUDGED`."""
    campaigns.disputed(campaign)
    return campaign
