"""The least and the greatest value over all gradings of the retrieved documents that nobody judged:
how far a score can be trusted while judgments are missing. One strategy a file, one line each in
the registry; a strategy finds the two gradings, and the measure itself says what they are worth.
"""

from __future__ import annotations

from judge_tui.scoring.bounds.query import (
    QueryBounds,
    Range,
    average_bounds,
    bounds_of,
    bounds_of_missing,
    grades_up_to,
    unbounded,
    without_bounds,
)
from judge_tui.scoring.bounds.registry import STRATEGIES, Strategy
from judge_tui.scoring.bounds.unjudged import Grading, Unjudged

__all__ = [
    "STRATEGIES",
    "Grading",
    "QueryBounds",
    "Range",
    "Strategy",
    "Unjudged",
    "average_bounds",
    "bounds_of",
    "bounds_of_missing",
    "grades_up_to",
    "unbounded",
    "without_bounds",
]
