"""What people look at next: runs in the light of the grades of the moment, as arrays. Pure: arrays
and dataclasses in, arrays and dataclasses out.
"""

from __future__ import annotations

from judge_tui.analysis.grading import Grading
from judge_tui.analysis.rankings import NO_DOCUMENT, Rankings
from judge_tui.analysis.standing import Standing

# What compares runs is imported from its own module: it takes longer than to open a screen.
__all__ = ["NO_DOCUMENT", "Grading", "Rankings", "Standing"]
