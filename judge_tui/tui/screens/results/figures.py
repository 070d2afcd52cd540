"""Numbers as they stand in a cell or a line: what is undefined is a dash, what is to come three
dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from judge_tui.counts import counted
from judge_tui.report.layout import difference, number, probability

UNDEFINED: Final = "–"
TO_COME: Final = "…"


def figure(value: float | None) -> str:
    """Four decimals, as the field prints its measures."""
    return UNDEFINED if value is None else number(value)


def worth(value: float, nothing: Sequence[str]) -> str:
    """What a query is worth in one or more lists, or that the 0 is of such as have no results.
    `nothing`: of each list why it has none, "" where it has some."""
    if not all(nothing):
        return figure(value)
    return "failed" if any(why.startswith("failed") for why in nothing) else "none"


def signed(value: float | None) -> str:
    """A difference, with its sign."""
    return UNDEFINED if value is None else difference(value)


def between(ends: tuple[float, float] | None) -> str:
    """Two ends, in as few characters as a table has for them."""
    return UNDEFINED if ends is None else f"{ends[0]:.2f}–{ends[1]:.2f}"


def p_text(value: float | None) -> str:
    """A p; one that is too small for four decimals is never 0."""
    return UNDEFINED if value is None else probability(value)


def queries(count: int) -> str:
    """So many queries."""
    return counted(count, "query", "queries")
