"""The bounds of a great many lists at once: those of `scoring.bounds`, found with arrays.

For each measure here, the two gradings are found as its strategy in `scoring.bounds` finds them,
where it is argued that they are the least and the greatest, and the measure says what they are
worth. Measures that are not here are bounded list by list.
"""

from __future__ import annotations

from judge_tui.analysis.bounds_at_once.registry import bounds_at_once

__all__ = ["bounds_at_once"]
