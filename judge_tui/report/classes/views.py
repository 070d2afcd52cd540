"""Each demand, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge_tui.report.classes.authority import AUTHORITY
from judge_tui.report.classes.prefer import PREFER
from judge_tui.report.classes.view import DemandView
from judge_tui.scoring.class_terms import Demand

__all__ = ["DEMAND_VIEWS"]

DEMAND_VIEWS: Mapping[Demand, DemandView[Any]] = {"prefer": PREFER, "authority": AUTHORITY}
"""All of `DEMANDS`."""
