"""Means and differences that are more exact by what a model judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.layout import (
    Cell,
    Column,
    Get,
    Table,
    interval,
    plain,
    short_number,
    word,
    words,
)

if TYPE_CHECKING:
    from judge_tui.analysis.with_model import ModelEstimate


def with_model_table(estimates: Sequence[ModelEstimate], model: str) -> Table:
    """A row for each estimate; none where nothing was asked for."""
    title = f"With {model}; worth: as exact as so many judged queries"
    return Table.of(title, _COLUMNS, estimates, "with_model", key_columns=3)


def without_model(estimates: Sequence[ModelEstimate]) -> Iterator[tuple[str, str]]:
    """What has no estimate, and why."""
    for one in estimates:
        if one.powered is None:
            yield f"{one.of} of {one.tag} by {one.measure} with the model", one.why


def _powered(name: str) -> Get:
    return lambda one: None if one.powered is None else getattr(one.powered, name)


def _whole(worth: Cell) -> str:
    return plain(int(worth)) if isinstance(worth, float) else plain(worth or "")


_COLUMNS = [
    word("tag", "run"),
    *words("measure"),
    word("of", "of", show=lambda cell: "difference" if cell == "delta" else plain(cell)),
    word("baseline", get=lambda one: one.baseline or None),
    Column("people", "people", short_number),
    Column("estimate", "with model", short_number, get=_powered("estimate")),
    interval(get=_powered("ci95")),
    Column("worth", "worth", _whole, get=_powered("worth")),
    Column("queries", "queries", get=_powered("queries")),
    Column("more", "more", get=_powered("more")),
    Column("correlation", "correlation", short_number, get=_powered("correlation")),
    Column("weight", get=_powered("weight")),
]
"""`queries`: those that people judged, too; `more`: those that the model alone judged."""
