"""Runs by kind of query, and by kind of relevant document, as reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.report.layout import Cell, Column, Grid, Report
from judge_tui.report.plots import Bars, Picture, Series
from judge_tui.report.results.view import left, numbers, view_report
from judge_tui.scoring import shown_slice

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.document_kinds import DocumentSlices
    from judge_tui.analysis.slices import Consistency, QuerySlices
    from judge_tui.analysis.spread import Spread

__all__ = ["document_slices_report", "query_slices_report"]

_DRAWN = 8
"""Runs that a picture of slices has room for."""

_SPREAD = ("min", "median", "mean", "max", "sd")
_SD = "sd: population standard deviation, of n values divided by n"
_EVENNESS = (
    "consistency: sd is over the values of all queries, sd between over the means of the slices, "
    "each counting once; the less, the evener"
)


_ALIKE = "all slices are equal"


class _Sliced(NamedTuple):
    """The slices by one measure: (name, tag, spread), and how even each run is; name of a slice ->
    why it has no value, where the measure says nothing of it."""

    measure: str
    parts: Sequence[tuple[str, str, Spread]]
    consistency: Sequence[Consistency]
    why: Mapping[str, str] = MappingProxyType({})


def query_slices_report(found: Sequence[QuerySlices], basis: Basis) -> Report:
    """`found`: one for each measure, all by the same field."""
    by = found[0].by
    sliced = [
        _Sliced(
            one.measure.name,
            [(part.name, tag, of) for part in one.slices for tag, of in part.runs.items()],
            one.consistency,
        )
        for one in found
    ]
    even = [_EVENNESS] if any(one.consistency for one in sliced) else []
    return _report(by, sliced, basis, [_SD, *even], {})


def document_slices_report(found: DocumentSlices, basis: Basis) -> Report:
    """Of the relevant documents of each kind, the share that each run has in its top k."""
    what = found.by.removeprefix("document.")
    share = f"share found in the top {found.k}"
    sliced = _Sliced(
        share,
        [
            (part.name, tag, of)
            for part in found.slices
            for tag, of in zip(found.tags, part.runs, strict=True)
        ],
        found.consistency,
    )
    counts = Grid(
        f"Documents of grade {found.rel} or more, by {what}",
        [*left(found.by), Column("relevant"), Column("queries")],
        [(shown_slice(part.name), part.relevant, part.queries) for part in found.slices],
    )
    notes = [
        f"of each query's relevant documents of one {what} the share in the top {found.k}, over "
        "the queries that have any",
        _SD,
        _EVENNESS,
    ]
    more = {
        "documents": [
            {"slice": part.name, "relevant": part.relevant, "queries": part.queries}
            for part in found.slices
        ],
        "k": found.k,
        "rel": found.rel,
    }
    return _report(found.by, [sliced], basis, notes, more, [counts])


def _report(
    by: str,
    sliced: Sequence[_Sliced],
    basis: Basis,
    notes: Sequence[str],
    more: dict[str, Any],
    first: Sequence[Grid] = (),
) -> Report:
    return view_report(
        "slices",
        basis,
        {
            "by": by,
            "measures": [one.measure for one in sliced],
            **more,
            "slices": [
                {"measure": one.measure, "slice": name, "tag": tag, **_told(of, one.why.get(name))}
                for one in sliced
                for name, tag, of in one.parts
            ],
            "consistency": [
                {"measure": one.measure, **_evenness(run)}
                for one in sliced
                for run in one.consistency
            ],
        },
        header=("measure", "slice", "tag", "queries", *_SPREAD),
        rows=[
            (one.measure, f"{by}={name}" if name is not None else "", tag, of.n, *_cells(of))
            for one in sliced
            for name, tag, of in _with_all(one)
        ],
        grids=[*first, *(grid for one in sliced for grid in _grids(by, one))],
        notes=notes,
        pictures=list(_pictures(by, sliced)),
    )


def _with_all(one: _Sliced) -> Iterable[tuple[str | None, str, Spread]]:
    """Under None the spread over all queries."""
    yield from ((None, run.tag, run.overall) for run in one.consistency)
    yield from one.parts


def _grids(by: str, one: _Sliced) -> Iterator[Grid]:
    yield Grid(
        f"{one.measure} by {by}",
        [*left(by, "run"), Column("queries"), *numbers(*_SPREAD)],
        [(shown_slice(name), tag, of.n, *_cells(of)) for name, tag, of in one.parts],
    )
    rows: list[list[Cell]] = [
        [
            run.tag,
            run.overall.n,
            run.overall.mean,
            run.overall.sd,
            run.between.n,
            run.between.sd,
            None if run.best is None else shown_slice(run.best),
            None if run.worst is None else shown_slice(run.worst),
        ]
        for run in one.consistency
    ]
    if not rows:
        return
    yield Grid(
        f"Consistency by {one.measure}",
        [
            *left("run"),
            Column("queries"),
            *numbers("mean", "sd"),
            Column("slices"),
            *numbers("sd between"),
            *left("best", "worst"),
        ],
        rows,
    )


def _cells(of: Spread) -> tuple[Cell, ...]:
    return of.least, of.median, of.mean, of.greatest, of.sd


def _told(of: Spread, why: str | None = None) -> dict[str, Any]:
    told = {"queries": of.n, **dict(zip(_SPREAD, _cells(of), strict=True))}
    return told if of.n else {**told, "why": why or "the run is scored for no query of the slice"}


def _evenness(run: Consistency) -> dict[str, Any]:
    told = {
        "tag": run.tag,
        **_told(run.overall),
        "slices": run.between.n,
        "sd_between": run.between.sd,
        "best": run.best,
        "worst": run.worst,
    }
    if run.between.n == 1:
        return {**told, "why": "there is one slice only"}
    if run.best is None and run.between.n:
        return {**told, "why": {"best": _ALIKE, "worst": _ALIKE}}
    return told


def _pictures(by: str, sliced: Sequence[_Sliced]) -> Iterator[Picture]:
    for one in sliced:
        tags = list(dict.fromkeys(tag for _, tag, _ in one.parts))
        names = list(dict.fromkeys(name for name, _, _ in one.parts))
        if not names or len(tags) > _DRAWN:
            continue
        mean = {(name, tag): of.mean for name, tag, of in one.parts}
        yield Bars(
            title=f"{one.measure} by {by}",
            unit=one.measure,
            labels=[shown_slice(name) for name in names],
            series=[Series(tag, [mean[name, tag] for name in names]) for tag in tags],
            note="means",
        )
