"""The queries on which the systems are furthest apart, as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from judge_tui.analysis.divided import LEVEL
from judge_tui.report.layout import Cell, Column, Grid, Report
from judge_tui.report.plots import Bars, Series
from judge_tui.report.results.view import (
    left,
    numbers,
    queries,
    some,
    view_report,
    without_results,
)

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.divided import Divided, DividedQuery

__all__ = ["divided_report"]

_SHOWN = 25


def divided_report(
    found: Divided,
    basis: Basis,
    texts: Mapping[str, str] | None = None,
) -> Report:
    """`texts`: query_id -> text. Readers get the first of the queries, JSON and CSV all."""
    texts = texts or {}
    top = found.rows[:_SHOWN]
    header, rows = _table(found)
    return view_report(
        "disagreements",
        basis,
        _document(found, texts),
        header=header,
        rows=rows,
        grids=[_grid(found, top, texts)],
        notes=_notes(found, top),
        pictures=[
            Bars(
                title=f"Spread of {found.measure} over the systems, by query",
                unit=f"sd of {found.measure}",
                labels=[row.query_id for row in top],
                series=[Series("sd", [row.sd for row in top])],
            )
        ],
    )


def _document(found: Divided, texts: Mapping[str, str]) -> dict[str, object]:
    return {
        "measure": found.measure.name,
        "k": found.k,
        "alone": found.alone,
        "queries": [
            {
                "query_id": row.query_id,
                "text": texts.get(row.query_id, ""),
                "runs": row.runs,
                "sd": row.sd,
                "min": row.least,
                "max": row.greatest,
                "range": row.range,
                "best": list(row.best),
                "worst": list(row.worst),
                "overlap": row.overlap,
                "nothing": dict(row.nothing),
                **({} if row.overlap is not None else {"why": {"overlap": _ALONE}}),
            }
            for row in found.rows
        ],
    }


def _table(found: Divided) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
    """The header and the rows of the CSV."""
    header = (
        "query_id",
        "measure",
        "runs",
        "sd",
        "min",
        "max",
        "range",
        "worst",
        "best",
        "overlap",
        "without_results",
    )
    rows: list[tuple[Cell, ...]] = [
        (
            row.query_id,
            found.measure.name,
            row.runs,
            row.sd,
            row.least,
            row.greatest,
            row.range,
            " ".join(row.worst),
            " ".join(row.best),
            row.overlap,
            without_results(row.nothing),
        )
        for row in found.rows
    ]
    return header, rows


def _grid(found: Divided, top: Sequence[DividedQuery], texts: Mapping[str, str]) -> Grid:
    """The queries `top`, and why runs have no results where some have none."""
    without = any(row.nothing for row in top)
    columns = [
        *left("query"),
        Column("runs"),
        *numbers("sd", "min", "max"),
        *left("worst", "best"),
        *numbers("overlap"),
        *left("text", *(["without results"] if without else [])),
    ]
    rows: list[list[Cell]] = [
        [
            row.query_id,
            row.runs,
            row.sd,
            row.least,
            row.greatest,
            LEVEL if row.level else _first(row.worst),
            LEVEL if row.level else _first(row.best),
            _ALONE if row.overlap is None else row.overlap,
            some(texts.get(row.query_id, ""), 40),
            *([some(without_results(row.nothing), 100)] if without else []),
        ]
        for row in top
    ]
    title = f"Queries on which the systems are furthest apart by {found.measure}"
    return Grid(title, columns, rows)


def _notes(found: Divided, top: Sequence[DividedQuery]) -> list[str]:
    notes = [
        f"sd: population standard deviation of the values of the runs, divided by n; overlap: mean "
        f"Jaccard index of the top {found.k} of every two runs, 1 where all have the same documents"
    ]
    if len(found.rows) > len(top):
        notes.append(f"the first {len(top)} of {len(found.rows)} queries; -f json and csv have all")
    if top and all(row.level for row in found.rows):
        notes.append("no query divides the systems: all are level on each")
    if found.alone:
        notes.append(f"left out: {queries(found.alone)} that one run alone is scored for")
    return notes


_ALONE = "no run has results"


def _first(tags: Sequence[str]) -> str:
    return tags[0] if len(tags) == 1 else f"{tags[0]} and {len(tags) - 1} more"
