"""See `scoring.order`."""

from judge_tui.scoring.order import Authority

__all__ = ["Authority"]
