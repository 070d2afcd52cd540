"""Runs by kind of query, and by kind of relevant document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.report.grids import Cell, Field, Records, Report
from judge_tui.report.plots import Bars, Picture
from judge_tui.report.results.view import numbers, text, view_report
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.run_slices import RunSlices, ShareFound, Spread
    from judge_tui.scoring import Measure

    _Sliced: TypeAlias = RunSlices[Measure] | RunSlices[ShareFound]

__all__ = ["document_slices_report", "query_slices_report"]


def query_slices_report(found: Sequence[RunSlices[Measure]], basis: Basis) -> Report:
    """`found`: one for each measure, all by the same field."""
    return _report(found, basis)


def document_slices_report(found: RunSlices[ShareFound], basis: Basis) -> Report:
    """Of the relevant documents of each kind, the share that each run has in its top k."""
    documents = Records(
        "documents",
        [text("slice", found.by), Field("relevant", "relevant"), Field("queries", "queries")],
        [[shown_slice(part.name), part.relevant, part.queries] for part in found.slices],
        f"Relevant documents by {found.by.removeprefix('document.')}",
    )
    return _report([found], basis, [documents])


def _report(sliced: Sequence[_Sliced], basis: Basis, more: Sequence[Records] = ()) -> Report:
    by = sliced[0].by
    slices = Records(
        "slices",
        [
            text("measure", "measure"),
            text("slice", by),
            text("tag", "run"),
            Field("queries", "queries"),
            *numbers("min", "median", "mean", "max", "sd"),
        ],
        [
            [str(one.measure), shown_slice(part.name), tag, *_cells(of)]
            for one in sliced
            for part in one.slices
            for tag, of in part.runs.items()
        ],
        f"By {by}",
    )
    consistency = Records(
        "consistency",
        [
            text("measure", "measure"),
            text("tag", "run"),
            Field("queries", "queries"),
            *numbers("min", "median", "mean", "max", "sd"),
            Field("slices", "slices"),
            *numbers("sd_between"),
            text("best", "best"),
            text("worst", "worst"),
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
    pictures = list(_pictures(sliced))
    return view_report(basis, [slices, consistency, *more], pictures=pictures)


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
