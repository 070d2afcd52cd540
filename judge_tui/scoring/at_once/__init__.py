"""Measures of a great many lists at once, as arrays: for what scores the same runs again and again
with other grades. The values are those of the measures themselves, to the last digit.
"""

from __future__ import annotations

from judge_tui.scoring.at_once.lists import NOTHING, UNJUDGED, Lists
from judge_tui.scoring.at_once.registry import AT_ONCE, values_at_once

__all__ = ["AT_ONCE", "NOTHING", "UNJUDGED", "Lists", "values_at_once"]
