"""Means and differences that are more exact by what a model judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.report.layout import (
    Cell,
    Column,
    Get,
    Table,
    interval,
    plain,
    short_difference,
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


def with_estimates(table: Table, estimates: Sequence[ModelEstimate]) -> Table:
    """A table of runs, the tag in the first column, with what the model makes more exact by one
    measure before the columns behind `p`."""
    means = {one.tag: one for one in estimates if not one.baseline}
    deltas = {one.tag: one for one in estimates if one.baseline}

    def of(found: Mapping[str, ModelEstimate], name: str) -> Get:
        get = _powered(name)
        return lambda row: get(one) if (one := found.get(row[0])) else None

    columns = [
        # The interval first: what does not fit on a screen is cut from the right.
        interval(
            "model_delta_ci95", "95 % with model", show=short_difference, get=of(deltas, "ci95")
        ),
        Column("model_delta", "delta with model", short_difference, get=of(deltas, "estimate")),
        Column("worth", "worth", _whole, get=of(deltas, "worth")),
        interval("model_mean_ci95", "95 % of mean", get=of(means, "ci95")),
        Column("model_mean", "mean with model", short_number, get=of(means, "estimate")),
    ]
    keys = [column.key for column in table.columns]
    at = keys.index("p") + 1 if "p" in keys else len(keys)
    return table._replace(
        columns=[*table.columns[:at], *columns, *table.columns[at:]],
        rows=[
            [*row[:at], *(column.cell(row) for column in columns), *row[at:]] for row in table.rows
        ],
    )


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
