"""How answers are credited, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge_tui.scoring.truths import Credit

__all__ = ["about_credit"]


def about_credit(credit: Credit) -> str:
    """In a line for readers."""
    if credit == "every":
        return "every right result is credited in nDCG, AP and RR: nDCG and AP may exceed 1"
    return (
        "each answer is credited once, at the first result that is right by it, in nDCG, AP and RR"
    )
