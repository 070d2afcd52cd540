"""Every demand has its place wherever something is done with demands."""

from __future__ import annotations

from judge_tui.formats.answers.demands import READERS
from judge_tui.report.classes import DEMAND_VIEWS
from judge_tui.scoring.class_terms import DEMANDS


def test_every_demand_is_read_and_shown():
    assert tuple(READERS) == tuple(DEMAND_VIEWS) == DEMANDS
