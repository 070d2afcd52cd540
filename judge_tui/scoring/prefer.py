"""See `scoring.order`."""

from judge_tui.scoring.order import Prefer

__all__ = ["Prefer"]
