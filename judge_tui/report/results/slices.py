"""Runs by kind of query, and by kind of relevant document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from judge_tui.report.layout import Column, Report, Table, counts, short_number, word, words
from judge_tui.report.results.view import spread, view_report
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.slices import RunSlices, Spread


def slices_table(found: RunSlices) -> Table:
    """For readers: a row for each slice, with the means of all runs."""
    title = f"{found.what} by {found.by}"
    if found.measure is None:
        by = found.by.removeprefix("document.")
        title = f"Share of relevant documents in the first {found.k}, by {by}"
    columns = [
        word("slice", found.by.removeprefix("document."), lambda part: shown_slice(part.name)),
        *counts("queries", "relevant"),
        *map(_mean, found.slices[0].runs if found.slices else ()),
    ]
    return Table.of(title, columns, found.slices).if_any("relevant")


def _mean(tag: str) -> Column:
    return Column(tag, tag, short_number, get=lambda part: part.runs[tag].mean)


class _RunInSlice(NamedTuple):
    """A run in a slice."""

    measure: str
    slice: str
    tag: str
    spread: Spread
    relevant: int


def slices_report(sliced: Sequence[RunSlices], basis: Basis) -> Report:
    """`sliced`: one for each measure, all by the same field."""
    by = sliced[0].by
    parts = [
        _RunInSlice(one.what, shown_slice(part.name), tag, of, part.relevant)
        for one in sliced
        for part in one.slices
        for tag, of in part.runs.items()
    ]
    columns = [*words("measure"), word("slice", by), word("tag", "run"), *spread("spread")]
    slices = Table.of(f"By {by}", [*columns, Column("relevant")], parts, "slices", about="details")
    tables = (
        slices_table(one).marked(filled=basis.filled if one.measure is not None else "")
        for one in sliced
    )
    return view_report(basis, [*tables, slices])
