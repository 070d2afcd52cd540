"""The ranks of the first relevant document, as a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_tui.report.layout import Cell, Column, Grid, Report, number
from judge_tui.report.plots import Histogram, Series
from judge_tui.report.results.view import left, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.first_relevant import FirstRelevant, RankHistogram

__all__ = ["histogram_report"]


def histogram_report(found: RankHistogram, basis: Basis) -> Report:
    """A row for each run, a column for each bucket of ranks."""
    title = f"Rank of the first document of grade {found.rel} or more, by number of queries"
    return view_report(
        "histogram",
        basis,
        _document(found),
        header=("tag", "first_rank", "last_rank", "queries"),
        rows=[line for run in found.runs for line in _lines(found, run)],
        grids=[_grid(found, title)],
        notes=_notes(found, basis),
        pictures=[
            Histogram(
                title=title,
                unit="queries",
                buckets=[*found.labels, "none"],
                series=[Series(run.tag, [*run.counts, run.none]) for run in found.runs],
                axis="rank of the first relevant document",
            )
        ],
    )


def _document(found: RankHistogram) -> dict[str, object]:
    return {
        "rel": found.rel,
        "buckets": [{"first": first, "last": last} for first, last in found.buckets],
        "nothing_known": found.nothing_known,
        "runs": [
            {
                "tag": run.tag,
                "queries": run.queries,
                "counts": list(run.counts),
                "none": run.none,
                "share_none": run.share_none,
                "median": run.median,
                "open": run.open,
                **({} if run.why is None else {"why": {"median": run.why}}),
            }
            for run in found.runs
        ],
    }


def _lines(found: RankHistogram, run: FirstRelevant) -> list[tuple[Cell, ...]]:
    """The rows of the run in the CSV: one for each bucket, and one for none."""
    return [
        *(
            (run.tag, first, last, count)
            for (first, last), count in zip(found.buckets, run.counts, strict=True)
        ),
        (run.tag, None, None, run.none),
    ]


def _grid(found: RankHistogram, title: str) -> Grid:
    columns = [
        *left("run"),
        Column("queries"),
        *(Column(label) for label in found.labels),
        Column("none"),
        Column("share none", number),
        Column("median"),
        Column("open"),
    ]
    rows: list[list[Cell]] = [
        [run.tag, run.queries, *run.counts, run.none, run.share_none, _middle(run), run.open]
        for run in found.runs
    ]
    return Grid(title, columns, rows)


def _notes(found: RankHistogram, basis: Basis) -> list[str]:
    notes = [
        "none: no relevant document in what is kept; median: none counts as more than any rank; "
        "open: an unjudged document stands before the first relevant one, which may be earlier",
    ]
    if found.nothing_known:
        notes.append(
            f"no relevant document is known for {found.nothing_known} of the judged queries: they "
            "are among the none of every run that answers them"
        )
    if basis.cut:
        depths = " or ".join(map(str, sorted(set(basis.cut.values()))))
        notes.append(
            f"{len(basis.cut)} of {len(found.runs)} runs were cut when they were loaded, at "
            f"{depths} results a query: what is none here may stand further down"
        )
    whys: dict[str, list[str]] = {}
    for run in found.runs:
        if run.why is not None:
            whys.setdefault(run.why, []).append(run.tag)
    for why, tags in whys.items():
        whose = tags[0] if len(tags) == 1 else f"{tags[0]} and {len(tags) - 1} more"
        notes.append(f"no median for {whose}: {why}")
    return notes


def _middle(run: FirstRelevant) -> Cell:
    return None if run.median is None else f"{run.median:g}"
