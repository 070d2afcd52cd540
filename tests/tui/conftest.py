"""Judges of the small campaign, and the campaign when they have judged."""

from __future__ import annotations

import pytest
from textual import _wait, constants
from textual.widgets import Input, TextArea

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import Judge, add_judge
from judge_tui.tui.widgets import document_view
from tests.tui import campaigns


@pytest.fixture(autouse=True)
def _quick_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual's pilot sleeps for 20 ms several times a key, and finds the app idle where it took
    less than a twentieth of that. A test of what comes in its own time waits by `until`."""
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 0.005)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 0.0005)
    # A moment that is left to the keys of a judge.
    monkeypatch.setattr(document_view, "_GUTTER_LATER", 0.0)


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing slides to its place, and no cursor blinks: each would paint screens between."""
    monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr(Input, "_toggle_cursor", lambda _: None)
    monkeypatch.setattr(TextArea, "_toggle_cursor_blink_visible", lambda _: None)


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
