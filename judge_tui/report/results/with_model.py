"""Means and differences that are more exact by what a model judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
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
    from judge_tui.comparison.prediction_powered import PredictionPowered


def with_model_table(estimates: Sequence[ModelEstimate], model: str) -> Table:
    """A row for each estimate; none where nothing was asked for."""
    title = f"With {model}; worth: as exact as so many judged queries"
    return Table.of(title, _COLUMNS, estimates, "with_model", key_columns=3)


def without_model(estimates: Sequence[ModelEstimate]) -> Iterator[tuple[str, str]]:
    """What has no estimate, and why."""
    for one in estimates:
        if one.found is None:
            yield f"{one.of} of {one.tag} by {one.measure} with the model", one.why


def _found(get: Callable[[PredictionPowered], Cell]) -> Get:
    return lambda one: None if one.found is None else get(one.found)


def _whole(worth: Cell) -> str:
    return plain(int(worth)) if isinstance(worth, float) else plain(worth or "")


_COLUMNS = [
    word("tag", "run"),
    *words("measure", "of"),
    word("baseline", get=lambda one: one.baseline or None),
    Column("people", "people", short_number),
    Column("estimate", "with model", short_number, get=_found(attrgetter("estimate"))),
    interval(get=_found(attrgetter("ci95"))),
    Column("worth", "worth", _whole, get=_found(attrgetter("worth"))),
    Column("queries", "queries", get=_found(attrgetter("queries"))),
    Column("more", "more", get=_found(attrgetter("more"))),
    Column("correlation", "correlation", short_number, get=_found(attrgetter("correlation"))),
    Column("weight", get=_found(attrgetter("weight"))),
]
"""`queries`: those that people judged, too; `more`: those that the model alone judged."""
