"""Runs document by document: rankings, failures, and how far down the first relevant one is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from judge_tui.report.grids import Cell, Column, Field, Grid, Records, Report, number
from judge_tui.report.plots import Histogram, Series
from judge_tui.report.results.view import excerpt, shortened, text, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.failures import (
        Failure,
        Failures,
        RankedDocument,
        RankHistogram,
        SideBySide,
    )
    from judge_tui.campaign.store.documents import DocumentName

__all__ = ["failures_report", "histogram_report", "rankings_report"]

_SHOWN = 3
"""Documents of each sort that readers get of a query."""

_POOLED = "pooled"
"""In place of a grade: the document is in the pool, not judged or not decided yet."""


def rankings_report(
    found: SideBySide,
    basis: Basis,
    texts: Mapping[str, str],
    names: Mapping[int, DocumentName],
    pooled: Collection[int],
    *,
    values: Mapping[str, tuple[float | None, ...]] | None = None,
) -> Report:
    """The ranking of one query in a run, or those of two runs side by side. `texts`: query_id ->
    text; `names`: of all documents in it, by number; `pooled`: the documents in the pool of the
    query; `values`: measure -> what the query is worth in each run, None where it is not scored."""
    values = values or {}
    worth = Records(
        "runs",
        [
            text("tag", "run"),
            Field("results", "results"),
            *(Field(name, name, number) for name in values),
            text("nothing", "without results"),
        ],
        [
            [tag, found.lengths[side], *(its[side] for its in values.values()), found.nothing[side]]
            for side, tag in enumerate(found.tags)
        ],
        excerpt(f"{found.query_id}: {texts.get(found.query_id, '')}", 100),
    )
    table = Records(
        "rankings",
        [
            text("query_id"),
            text("tag"),
            Field("rank"),
            text("doc_id"),
            text("title"),
            *(Field(key) for key in ("grade", "other_rank", "moved")),
        ],
        [
            [
                *(found.query_id, tag, one.rank, names[one.document].doc_id),
                *(names[one.document].title, one.grade, one.other_rank, one.moved),
            ]
            for side, tag in enumerate(found.tags)
            for row in found.rows
            if (one := row[side]) is not None
        ],
    )
    beside = len(found.tags) > 1
    known = [(grade, count) for grade, count in enumerate(found.known) if count]
    columns = [Column("rank")]
    for side, tag in enumerate(found.tags):
        columns += [Column(tag, right=False), Column("grade" + " " * side, right=False)]
        columns += [Column("move" if side else "now at", right=False)] if beside else []
    rows = [
        [rank, *(cell for side, one in enumerate(row) for cell in _cells(side, one, names, pooled))]
        for rank, row in enumerate(found.rows, 1)
    ]
    if not beside:
        rows = [row[:-1] for row in rows]
    return view_report(
        basis,
        [table, worth],
        grids=[
            worth.grid(),
            Grid("Documents of the query", [Column("grade"), Column("documents")], known),
            Grid("Ranking", columns, rows),
        ],
    )


def _cells(
    side: int,
    one: RankedDocument | None,
    names: Mapping[int, DocumentName],
    pooled: Collection[int],
) -> list[Cell]:
    if one is None:
        return ["", "", ""]
    waits = one.grade is None and one.document in pooled
    unjudged = _POOLED if waits else None
    grade = unjudged if one.grade is None else str(one.grade)
    if side:
        moved = one.moved
        move = "new" if moved is None else "=" if not moved else f"{'↑' if moved > 0 else '↓'}"
        move += str(abs(moved)) if moved else ""
    else:
        move = "gone" if one.other_rank is None else str(one.other_rank)
    return [excerpt(names[one.document].doc_id), grade, move]


def failures_report(
    found: Failures, basis: Basis, texts: Mapping[str, str], names: Mapping[int, DocumentName]
) -> Report:
    """The queries for which a run has nothing relevant at the top: what came instead, and what was
    to be found. `texts`: query_id -> text; `names`: of all documents in it, by number."""
    documents = Records(
        "documents",
        [
            text("query_id", "query"),
            text("sort", "sort"),
            Field("rank", "rank"),
            shortened("doc_id", "document"),
            text("title"),
            Field("grade", "grade"),
            text("found_by", "found by"),
            Field("found_at", "at"),
        ],
        [line for row in found.rows for line in _lines(row, names)],
        f"{found.tag}: what came instead, and what was relevant, at most {_SHOWN} of each",
        names=4,
    )
    queries = Records(
        "failures",
        [
            text("query_id", "query"),
            text("proven", "proven"),
            Field("unjudged", "unjudged"),
            Field("first_relevant", "first relevant at"),
            Field("relevant", "relevant known"),
            text("failed", "failed"),
            shortened("text", "text"),
        ],
        [
            [
                row.query_id,
                "yes" if row.proven else "no",
                *(row.unjudged, row.first, len(row.relevant)),
                row.failed or ("" if row.answered else "no result"),
                texts.get(row.query_id, ""),
            ]
            for row in found.rows
        ],
        f"{found.tag}: queries with nothing relevant in the top {found.k}",
        names=1,
    )
    columns = [Column("queries"), Column(f"nothing relevant in the top {found.k}")]
    first = [line for row in found.rows for line in _lines(row, names, _SHOWN)]
    return view_report(
        basis,
        [documents, queries],
        grids=[
            Grid(found.tag, columns, [(found.queries, len(found.rows))]),
            queries.grid(),
            documents.grid(first),
        ],
    )


def _lines(
    row: Failure, names: Mapping[int, DocumentName], most: int | None = None
) -> Iterator[list[Cell]]:
    for one in row.top[:most]:
        named = names[one.document]
        yield [row.query_id, "came", one.rank, named.doc_id, named.title, one.grade, None, None]
    for other in row.relevant[:most]:
        named = names[other.document]
        by, at = other.found_by[0] if other.found_by else (None, None)
        line = [row.query_id, "relevant", other.rank, named.doc_id, named.title, other.grade]
        yield [*line, by, at]
    if not row.top and not row.relevant:
        yield [row.query_id, "nothing", *(None,) * 6]


def histogram_report(found: RankHistogram, basis: Basis) -> Report:
    """At which rank each run has its first relevant document, over all queries."""
    table = Records(
        "ranks",
        [text("tag"), Field("first_rank"), Field("last_rank"), Field("queries")],
        [
            [run.tag, first, last, count]
            for run in found.runs
            for (first, last), count in zip(
                [*found.buckets, (None, None)], [*run.counts, run.none], strict=True
            )
        ],
    )
    title = "Rank of the first relevant document, by number of queries"
    runs = Records(
        "runs",
        [
            text("tag", "run"),
            Field("queries", "queries"),
            *(Field("", label) for label in found.labels),
            Field("none", "none"),
            Field("share_none", "share none", number),
            Field("median", "median", lambda cell: f"{cell:g}"),
            Field("open", "unjudged before it"),
        ],
        [
            [run.tag, run.queries, *run.counts, run.none, run.share_none, run.median, run.open]
            for run in found.runs
        ],
        title,
    )
    return view_report(
        basis,
        [table, runs],
        grids=[
            runs.grid(),
            Grid("With nothing relevant known", [Column("queries")], [(found.nothing_known,)]),
        ],
        reasons=[(f"median of {run.tag}", run.why) for run in found.runs if run.why],
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
