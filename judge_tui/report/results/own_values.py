"""One run query by query, as a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from judge_tui.report.layout import Cell, Grid, Report, number
from judge_tui.report.plots import Bars, Series
from judge_tui.report.results.view import left, numbers, queries, some, view_report
from judge_tui.scoring import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.own_values import OwnValues

__all__ = ["own_values_report"]


def own_values_report(
    found: OwnValues,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
    *,
    part: tuple[str, str] | None = None,
) -> Report:
    """`texts`: query_id -> text. `part`: the field and the value of it that all queries have, where
    they are a slice only."""
    texts = texts or {}
    of = "" if part is None else f", {part[0]} {shown_slice(part[1])}"
    who = f"{found.tag} by {found.measure}{of}"
    slices: list[Cell] = [] if part is None else [f"{part[0]}={part[1]}"]
    return view_report(
        "values",
        basis,
        {
            "measure": found.measure.name,
            "tag": found.tag,
            **({} if part is None else {"by": part[0], "slice": part[1]}),
            "queries": len(found.rows),
            "mean": found.mean,
            "values": [
                {
                    "query_id": row.query_id,
                    "text": texts.get(row.query_id, ""),
                    "value": row.value,
                    "nothing": row.nothing or None,
                }
                for row in found.rows
            ],
        },
        header=(
            *("query_id", "measure"),
            *(["slice"] if slices else []),
            *("tag", "value", "without_results"),
        ),
        rows=[
            (row.query_id, found.measure.name, *slices, found.tag, row.value, row.nothing)
            for row in found.rows
        ],
        grids=[_by_query(found, texts, who)],
        notes=[
            "least value first; the mean with its 95% interval is in the leaderboard",
            *([] if part is None else [f"only queries of the slice {part[0]}={part[1]}"]),
        ],
        pictures=[
            Bars(
                title=who,
                unit=found.measure.name,
                labels=[row.query_id for row in found.rows],
                series=[Series(found.tag, [row.value for row in found.rows])],
                note=_in_words(found),
            )
        ],
    )


def _by_query(found: OwnValues, texts: Mapping[str, str], who: str) -> Grid:
    """The queries, and why the run has no results where it has none for one."""
    without = any(row.nothing for row in found.rows)
    columns = [
        *left("query"),
        *numbers(found.measure.name),
        *left("text", *(["without results"] if without else [])),
    ]
    rows: list[list[Cell]] = [
        [
            row.query_id,
            row.value,
            some(texts.get(row.query_id, "")),
            *([some(row.nothing, 100)] if without else []),
        ]
        for row in found.rows
    ]
    return Grid(f"{who}: {_in_words(found)}", columns, rows)


def _in_words(found: OwnValues) -> str:
    if found.mean is None:
        return "no query is scored"
    return (
        f"mean {number(found.mean)} over {queries(len(found.rows))}, {found.zeros:,} of them at 0"
    )
