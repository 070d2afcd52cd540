"""Why numbers are not there: a table of its own, below those that lack them."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.analysis.warnings import first_few
from judge_tui.report.grids import Column, Grid

__all__ = ["undefined_grid", "undefined_lines"]


def undefined_grid(reasons: Iterable[tuple[str, str]]) -> Grid:
    """A row for each reason. `reasons`: what has no value, and why."""
    lines = undefined_lines(reasons)
    column = Column("without a value", right=False)
    return Grid("", [column], [(line,) for line in lines], says="reasons")


def undefined_lines(reasons: Iterable[tuple[str, str]]) -> list[str]:
    """The first few things without a value, and why, for each reason."""
    whats: dict[str, list[str]] = {}
    for what, why in reasons:
        whats.setdefault(why, []).append(what)
    return [f"{first_few(every)}: {why}" for why, every in whats.items()]
