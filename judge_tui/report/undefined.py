"""Why numbers are not there: a table of its own, below those that lack them."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.analysis.warnings import first_few
from judge_tui.report.layout import Table, reader_table, text

__all__ = ["undefined_lines", "undefined_table"]


def undefined_table(reasons: Iterable[tuple[str, str]]) -> Table:
    """A row for each reason. `reasons`: what has no value, and why."""
    rows = [(line,) for line in undefined_lines(reasons)]
    return reader_table("", [text("", "without a value")], rows, "reasons")


def undefined_lines(reasons: Iterable[tuple[str, str]]) -> list[str]:
    """The first few things without a value, and why, for each reason."""
    whats: dict[str, list[str]] = {}
    for what, why in reasons:
        whats.setdefault(why, []).append(what)
    return [f"{first_few(every)}: {why}" for why, every in whats.items()]
