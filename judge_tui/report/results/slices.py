"""Runs by kind of query, and by kind of relevant document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    counts,
    reader_table,
    short_number,
    text,
    words,
)
from judge_tui.report.results.view import means, spread, view_report
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.run_slices import RunSlices, ShareFound, Spread
    from judge_tui.scoring import Measure

    _Sliced: TypeAlias = RunSlices[Measure] | RunSlices[ShareFound]

__all__ = ["document_slices_report", "query_slices_report", "slices_table"]


def query_slices_report(found: Sequence[RunSlices[Measure]], basis: Basis) -> Report:
    """`found`: one for each measure, all by the same field."""
    shown = [slices_table(one, f"{one.measure} by {one.by}") for one in found]
    return _report(found, shown, basis)


def document_slices_report(found: RunSlices[ShareFound], basis: Basis) -> Report:
    """Of the relevant documents of each kind, the share that each run has in its top k."""
    by = found.by.removeprefix("document.")
    shown = slices_table(
        found, f"Share of relevant documents in the first {found.measure.k}, by {by}"
    )
    return _report([found], [shown], basis)


def slices_table(found: _Sliced, title: str) -> Table:
    """For readers: a row for each slice, with the means of all runs."""
    tags = list(found.slices[0].runs) if found.slices else []
    relevant = any(part.relevant for part in found.slices)
    columns = [
        *(text("", found.by.removeprefix("document.")), Column("", "queries")),
        Column("", "relevant" if relevant else None),
        *(Column("", tag, short_number) for tag in tags),
    ]
    rows = [
        [
            *(shown_slice(part.name), len(part.query_ids), part.relevant),
            *(part.runs[tag].mean for tag in tags),
        ]
        for part in found.slices
    ]
    return reader_table(title, columns, rows)


def _report(sliced: Sequence[_Sliced], shown: Sequence[Table], basis: Basis) -> Report:
    slices = Table(
        "slices",
        [
            *(text("measure", "measure"), text("slice", sliced[0].by), text("tag", "run")),
            *(*spread(), Column("relevant")),
        ],
        [
            [str(one.measure), shown_slice(part.name), tag, *_cells(of), part.relevant]
            for one in sliced
            for part in one.slices
            for tag, of in part.runs.items()
        ],
        f"By {sliced[0].by}",
        about="details",
    )
    consistency = Table(
        "consistency",
        [
            *(text("measure", "measure"), text("tag", "run"), *spread()),
            *(*counts("slices"), *means("sd_between"), *words("best", "worst")),
        ],
        [
            [
                *(str(one.measure), run.tag, *_cells(run.overall), run.between.n, run.between.sd),
                *(None if name is None else shown_slice(name) for name in (run.best, run.worst)),
            ]
            for one in sliced
            for run in one.consistency
        ],
        f"Over all queries, by {sliced[0].by}",
    )
    return view_report(basis, [*shown, slices, consistency])


def _cells(of: Spread) -> tuple[Cell, ...]:
    return of.n, of.least, of.median, of.mean, of.greatest, of.sd
