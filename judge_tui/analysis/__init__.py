"""What people look at next: runs in the light of the grades of the moment, as arrays. Pure: arrays
and dataclasses in, arrays and dataclasses out.
"""

from __future__ import annotations

from judge_tui.analysis.effects import Effects, effects_of
from judge_tui.analysis.grading import Grading
from judge_tui.analysis.judge_orders import SystemOrders, system_orders
from judge_tui.analysis.rankings import NO_DOCUMENT, Rankings
from judge_tui.analysis.standing import Standing

__all__ = [
    "NO_DOCUMENT",
    "Effects",
    "Grading",
    "Rankings",
    "Standing",
    "SystemOrders",
    "effects_of",
    "system_orders",
]
