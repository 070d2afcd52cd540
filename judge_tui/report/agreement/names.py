"""How readers' tables call what has a key in the JSON, and how they show an interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.agreement import COEFFICIENTS, shown_alpha
from judge_tui.report.layout import Cell, number

if TYPE_CHECKING:
    from judge_tui.agreement import Agreement, Estimate

__all__ = ["NAMES", "alpha_number", "low_high", "of_all", "span"]

NAMES = {
    **{name: one.called for name, one in COEFFICIENTS.items()},
    "bias": "bias",
    "alpha_without": "alpha without",
    "bias_change": "change of bias",
    "alpha": "alpha ordinal",
}


def alpha_number(cell: Cell) -> str:
    """Four decimals, which say no other band than the words beside them."""
    return shown_alpha(cell, 4) if isinstance(cell, float) else number(cell)


def of_all(found: Agreement) -> Iterator[tuple[str, Estimate]]:
    """The coefficients of all judges together, with their names."""
    for metric, one in found.alpha.items():
        yield f"alpha {metric}", one
    yield "Fleiss' kappa", found.fleiss


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
