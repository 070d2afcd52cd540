"""How readers' tables call what has a key in the JSON, and how they show an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_tui.report.layout import Cell

if TYPE_CHECKING:
    from judge_tui.agreement import Estimate

__all__ = ["NAMES", "low_high", "span"]

NAMES = {
    "agreement": "agreement",
    "kappa": "kappa",
    "kappa_linear": "kappa linear",
    "kappa_quadratic": "kappa quadratic",
    "ac2": "AC2",
    "bias": "bias",
    "alpha_without": "alpha without",
    "bias_change": "change of bias",
    "alpha": "alpha ordinal",
    "fleiss": "Fleiss' kappa",
}


def low_high(one: Estimate) -> tuple[Cell, Cell, Cell]:
    """The value and the ends of its interval."""
    low, high = one.ci95 if one.ci95 is not None else (None, None)
    return one.value, low, high


def span(one: Estimate) -> Cell:
    """The interval in one cell, short: of three decimals."""
    if one.ci95 is None:
        return None
    # Added to a zero, what rounds to -0 is 0.
    low, high = (f"{round(end, 3) + 0.0:.3f}" for end in one.ci95)
    return f"{low} to {high}"
