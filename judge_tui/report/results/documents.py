"""Runs document by document: rankings, failures, and how far down the first relevant one is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from judge_tui.counts import counted
from judge_tui.report.layout import (
    Cell,
    Column,
    Report,
    Table,
    counts,
    reader_table,
    text,
)
from judge_tui.report.plots import Histogram, Series
from judge_tui.report.results.view import excerpt, means, shortened, view_report

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.misses import (
        Miss,
        Misses,
        RankedDocument,
        RankHistogram,
        SideBySide,
    )
    from judge_tui.campaign.store.documents import DocumentName
    from judge_tui.model import Document

__all__ = [
    "histogram_report",
    "misses_report",
    "misses_table",
    "rankings_report",
    "ranks_chart",
    "ranks_table",
]

_SHOWN = 3
"""Of the documents that came, and of those that are relevant, readers get so many a query."""

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
    worth = Table(
        "runs",
        [
            *(text("tag", "run"), *counts("results"), *means(*values)),
            text("nothing", "without results"),
        ],
        [
            [tag, found.lengths[side], *(its[side] for its in values.values()), found.nothing[side]]
            for side, tag in enumerate(found.tags)
        ],
        excerpt(f"{found.query_id}: {texts.get(found.query_id, '')}", 100),
    )
    rankings = Table(
        "rankings",
        [
            *(text("query_id"), text("tag"), Column("rank"), text("doc_id"), text("title")),
            *(Column(key) for key in ("grade", "other_rank", "moved")),
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
    known = [(grade, count) for grade, count in enumerate(found.known) if count]
    columns = [Column("", "rank")]
    for side, tag in enumerate(found.tags):
        move = ("now at", "move")[side] if len(found.tags) > 1 else None
        columns += [text("", tag), text("", "grade"), text("", move)]
    rows = [
        [rank, *(cell for side, one in enumerate(row) for cell in _cells(side, one, names, pooled))]
        for rank, row in enumerate(found.rows, 1)
    ]
    return view_report(
        basis,
        [
            rankings,
            worth,
            reader_table("Documents of the query", _titled("grade", "documents"), known),
            reader_table("Ranking", columns, rows),
        ],
    )


def _titled(*titles: str) -> list[Column]:
    """Columns of counts that programs do not have."""
    return [Column("", title) for title in titles]


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


def misses_report(
    found: Misses, basis: Basis, texts: Mapping[str, str], names: Mapping[int, DocumentName]
) -> Report:
    """The queries for which a run has nothing relevant at the top: what came instead, and what was
    to be found. `texts`: query_id -> text; `names`: of all documents in it, by number."""
    documents = Table(
        "documents",
        [
            *(text("query_id"), text("sort"), Column("rank"), text("doc_id"), text("title")),
            *(Column("grade"), text("found_by"), Column("found_at")),
        ],
        [line for row in found.rows for line in _lines(row, names)],
    )
    missed = reader_table(
        "",
        [text("", "run"), *_titled("queries", f"nothing relevant in the top {found.k}")],
        [] if found.rows else [(found.tag, found.queries, 0)],
    )
    return view_report(basis, [documents, misses_table(found, texts, names), missed])


def misses_table(
    found: Misses, texts: Mapping[str, str], names: Mapping[int, DocumentName | Document]
) -> Table:
    """A row for each of the queries."""
    return Table(
        "failures",
        [
            *(text("query_id", "query"), shortened("text", "text"), text("proven")),
            *(*counts("unjudged"), Column("first_relevant"), Column("relevant"), text("failed")),
            *(text("", "came first"), text("", "relevant, and who found it")),
        ],
        [
            [
                *(row.query_id, texts.get(row.query_id, ""), "yes" if row.proven else "no"),
                *(row.unjudged, row.first, len(row.relevant)),
                row.failed or ("" if row.answered else "no result"),
                row.failed or _came(row, names),
                ", ".join(_relevant(row, names)) or "nothing known",
            ]
            for row in found.rows
        ],
        f"{found.tag}: nothing relevant in the first {found.k}, at {len(found.rows):,} of"
        f" {counted(found.queries, 'query', 'queries')}",
        key_columns=1,
    )


def _came(row: Miss, names: Mapping[int, DocumentName | Document]) -> str:
    return ", ".join(names[one.document].doc_id for one in row.top[:_SHOWN]) or "nothing"


def _relevant(row: Miss, names: Mapping[int, DocumentName | Document]) -> Iterator[str]:
    for one in row.relevant[:_SHOWN]:
        by = [f"{tag} at {rank:,}" for tag, rank in one.found_by[:1]]
        by = by if one.rank is None else [f"at {one.rank:,}", *by]
        yield f"{names[one.document].doc_id} ({'; '.join(by) or 'no system'})"


def _lines(row: Miss, names: Mapping[int, DocumentName]) -> Iterator[list[Cell]]:
    for one in row.top:
        named = names[one.document]
        yield [row.query_id, "came", one.rank, named.doc_id, named.title, one.grade, None, None]
    for other in row.relevant:
        named = names[other.document]
        by, at = other.found_by[0] if other.found_by else (None, None)
        line = [row.query_id, "relevant", other.rank, named.doc_id, named.title, other.grade]
        yield [*line, by, at]
    if not row.top and not row.relevant:
        yield [row.query_id, "nothing", *(None,) * 6]


def histogram_report(found: RankHistogram, basis: Basis) -> Report:
    """At which rank each run has its first relevant document, over all queries."""
    unknown = [(found.nothing_known,)] if found.nothing_known else []
    return view_report(
        basis,
        [
            ranks_table(found),
            reader_table("", _titled("queries with nothing relevant known"), unknown),
        ],
        reasons=[(f"median of {run.tag}", run.why) for run in found.runs if run.why],
        pictures=[ranks_chart(found)],
    )


_RANKS = "Queries by the rank of the first relevant document"


def ranks_table(found: RankHistogram) -> Table:
    """A row for each run, a column for each range of ranks."""
    ranks = [Column(label.replace("–", "-"), label) for label in found.labels]
    return Table(
        "ranks",
        [
            *(text("tag", "run"), *counts("queries"), *ranks, *counts("none")),
            Column("median", "median", lambda cell: f"{cell:g}"),
            Column("open", "unjudged before it"),
        ],
        [[run.tag, run.queries, *run.counts, run.none, run.median, run.open] for run in found.runs],
        _RANKS,
    )


def ranks_chart(found: RankHistogram) -> Histogram:
    """The same as bars."""
    return Histogram(
        title=_RANKS,
        unit="queries",
        buckets=[*found.labels, "none"],
        series=[Series(run.tag, [*run.counts, run.none]) for run in found.runs],
        axis="rank of the first relevant document",
    )
