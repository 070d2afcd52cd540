"""Runs by kind of query, and by kind of relevant document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.report.layout import Cell, Report, Table, counts, text, texts
from judge_tui.report.plots import Bars, Picture
from judge_tui.report.results.view import means, spread, view_report
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.run_slices import RunSlices, ShareFound, Spread
    from judge_tui.scoring import Measure

    _Sliced: TypeAlias = RunSlices[Measure] | RunSlices[ShareFound]

__all__ = ["document_slices_report", "query_slices_report"]


def query_slices_report(found: Sequence[RunSlices[Measure]], basis: Basis) -> Report:
    """`found`: one for each measure, all by the same field."""
    return view_report(basis, _tables(found), pictures=list(_pictures(found)))


def document_slices_report(found: RunSlices[ShareFound], basis: Basis) -> Report:
    """Of the relevant documents of each kind, the share that each run has in its top k."""
    documents = Table(
        "documents",
        [text("slice", found.by), *counts("relevant", "queries")],
        [[shown_slice(part.name), part.relevant, part.queries] for part in found.slices],
        f"Relevant documents by {found.by.removeprefix('document.')}",
    )
    return view_report(basis, [*_tables([found]), documents], pictures=list(_pictures([found])))


def _tables(sliced: Sequence[_Sliced]) -> list[Table]:
    by = sliced[0].by
    slices = Table(
        "slices",
        [text("measure", "measure"), text("slice", by), text("tag", "run"), *spread()],
        [
            [str(one.measure), shown_slice(part.name), tag, *_cells(of)]
            for one in sliced
            for part in one.slices
            for tag, of in part.runs.items()
        ],
        f"By {by}",
    )
    consistency = Table(
        "consistency",
        [
            *(text("measure", "measure"), text("tag", "run"), *spread()),
            *(*counts("slices"), *means("sd_between"), *texts("best", "worst")),
        ],
        [
            [
                *(str(one.measure), run.tag, *_cells(run.overall), run.between.n, run.between.sd),
                *(None if name is None else shown_slice(name) for name in (run.best, run.worst)),
            ]
            for one in sliced
            for run in one.consistency
        ],
        f"Over all queries, by {by}",
    )
    return [slices, consistency]


def _cells(of: Spread) -> tuple[Cell, ...]:
    return of.n, of.least, of.median, of.mean, of.greatest, of.sd


def _pictures(sliced: Sequence[_Sliced]) -> Iterator[Picture]:
    """The means of each run."""
    for one in sliced:
        for tag in one.slices[0].runs if one.slices else ():
            yield Bars(
                title=f"{tag}: {one.measure} by {one.by}",
                unit=str(one.measure),
                labels=[shown_slice(part.name) for part in one.slices],
                values=[part.runs[tag].mean for part in one.slices],
            )
