"""Runs by kind of query, and by kind of relevant document."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from judge_tui.analysis.run_slices import ShareFound
from judge_tui.report.layout import Column, Get, Report, Table, counts, short_number, word, words
from judge_tui.report.results.view import spread, view_report
from judge_tui.scoring.slices import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.run_slices import Consistency, RunSlices, Spread
    from judge_tui.scoring import Measure

    _Sliced: TypeAlias = RunSlices[Measure] | RunSlices[ShareFound]


def query_slices_report(found: Sequence[RunSlices[Measure]], basis: Basis) -> Report:
    """`found`: one for each measure, all by the same field."""
    return _report(found, basis)


def document_slices_report(found: RunSlices[ShareFound], basis: Basis) -> Report:
    """Of the relevant documents of each kind, the share that each run has in its top k."""
    return _report([found], basis)


def slices_table(found: _Sliced) -> Table:
    """For readers: a row for each slice, with the means of all runs."""
    title = f"{found.measure} by {found.by}"
    if isinstance(found.measure, ShareFound):
        by = found.by.removeprefix("document.")
        title = f"Share of relevant documents in the first {found.measure.k}, by {by}"
    columns = [
        word("slice", found.by.removeprefix("document."), lambda part: shown_slice(part.name)),
        *counts("queries", "relevant"),
        *map(_mean, found.slices[0].runs if found.slices else ()),
    ]
    return Table.of(title, columns, found.slices).if_any("relevant")


def _mean(tag: str) -> Column:
    return Column(tag, tag, short_number, get=lambda part: part.runs[tag].mean)


class _Part(NamedTuple):
    """A run in a slice."""

    measure: str
    slice: str
    tag: str
    spread: Spread
    relevant: int


class _Run(NamedTuple):
    """A run over all slices."""

    measure: str
    tag: str
    run: Consistency


def _report(sliced: Sequence[_Sliced], basis: Basis) -> Report:
    by = sliced[0].by
    parts = [
        _Part(str(one.measure), shown_slice(part.name), tag, of, part.relevant)
        for one in sliced
        for part in one.slices
        for tag, of in part.runs.items()
    ]
    runs = [_Run(str(one.measure), run.tag, run) for one in sliced for run in one.consistency]
    columns = [*words("measure"), word("slice", by), word("tag", "run"), *spread("spread")]
    slices = Table.of(f"By {by}", [*columns, Column("relevant")], parts, "slices", about="details")
    columns = [
        *(*words("measure"), word("tag", "run"), *spread("run.overall")),
        Column("slices", "slices", get=attrgetter("run.between.n")),
        Column("sd_between", "sd between", short_number, get=attrgetter("run.between.sd")),
        *(word(key, key, _named(key)) for key in ("best", "worst")),
    ]
    consistency = Table.of(f"Over all queries, by {by}", columns, runs, "consistency")
    return view_report(basis, [*map(slices_table, sliced), slices, consistency])


def _named(key: str) -> Get:
    def name(one: _Run) -> str | None:
        found: str | None = getattr(one.run, key)
        return None if found is None else shown_slice(found)

    return name
