"""Runs by kind of query, and by kind of relevant document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.report.layout import Cell, Field, Records, Report
from judge_tui.report.plots import Bars, Picture
from judge_tui.report.results.view import numbers, text, view_report
from judge_tui.scoring import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.document_slices import DocumentSlices
    from judge_tui.analysis.slices import Consistency, QuerySlices, Spread

__all__ = ["document_slices_report", "query_slices_report"]


class _Sliced(NamedTuple):
    """The slices by one measure: (name, tag, spread), and how even each run is."""

    measure: str
    parts: Sequence[tuple[str, str, Spread]]
    consistency: Sequence[Consistency]


def query_slices_report(found: Sequence[QuerySlices], basis: Basis) -> Report:
    """`found`: one for each measure, all by the same field."""
    sliced = [
        _Sliced(
            one.measure.name,
            [(part.name, tag, of) for part in one.slices for tag, of in part.runs.items()],
            one.consistency,
        )
        for one in found
    ]
    return _report(found[0].by, sliced, basis)


def document_slices_report(found: DocumentSlices, basis: Basis) -> Report:
    """Of the relevant documents of each kind, the share that each run has in its top k."""
    what = found.by.removeprefix("document.")
    sliced = _Sliced(
        f"share found in the top {found.k}",
        [
            (part.name, tag, of)
            for part in found.slices
            for tag, of in zip(found.tags, part.runs, strict=True)
        ],
        found.consistency,
    )
    documents = Records(
        "documents",
        [text("slice", found.by), Field("relevant", "relevant"), Field("queries", "queries")],
        [[shown_slice(part.name), part.relevant, part.queries] for part in found.slices],
        f"Relevant documents by {what}",
    )
    return _report(found.by, [sliced], basis, [documents])


def _report(
    by: str, sliced: Sequence[_Sliced], basis: Basis, more: Sequence[Records] = ()
) -> Report:
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
            [one.measure, shown_slice(name), tag, *_cells(of)]
            for one in sliced
            for name, tag, of in one.parts
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
                *(one.measure, run.tag, *_cells(run.overall), run.between.n, run.between.sd),
                *(None if name is None else shown_slice(name) for name in (run.best, run.worst)),
            ]
            for one in sliced
            for run in one.consistency
        ],
        f"Over all queries, by {by}",
    )
    pictures = list(_pictures(by, sliced))
    return view_report(basis, [slices, consistency, *more], pictures=pictures)


def _cells(of: Spread) -> tuple[Cell, ...]:
    return of.n, of.least, of.median, of.mean, of.greatest, of.sd


def _pictures(by: str, sliced: Sequence[_Sliced]) -> Iterator[Picture]:
    """The means of each run."""
    for one in sliced:
        for tag in dict.fromkeys(tag for _, tag, _ in one.parts):
            its = [(name, of.mean) for name, whose, of in one.parts if whose == tag]
            yield Bars(
                title=f"{tag}: {one.measure} by {by}",
                unit=one.measure,
                labels=[shown_slice(name) for name, _ in its],
                values=[mean for _, mean in its],
            )
