"""Runs document by document: rankings, failures, and how far down the first relevant one is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from judge_tui.counts import counted
from judge_tui.report.layout import (
    Cell,
    Column,
    Get,
    Report,
    Table,
    counts,
    excerpt,
    excerpts,
    plain,
    short_number,
    word,
)
from judge_tui.report.plots import Histogram, Series
from judge_tui.report.results.view import view_report

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.misses import (
        Miss,
        Misses,
        RankedDocument,
        RankHistogram,
        RelevantDocument,
        SideBySide,
    )
    from judge_tui.campaign.store.documents import DocumentName
    from judge_tui.model import Document

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
    title = excerpt(f"{found.query_id}: {texts.get(found.query_id, '')}", 100)
    sides = range(len(found.tags))
    runs = [
        word("query_id", get=lambda _: found.query_id),
        word("tag", "run", found.tags.__getitem__),
        Column("results", "results", get=found.lengths.__getitem__),
        *(
            Column(name, name, short_number, get=its.__getitem__)
            for name, its in (values or {}).items()
        ),
        word("nothing", "without results", found.nothing.__getitem__),
    ]
    known = [(grade, count) for grade, count in enumerate(found.known) if count]
    rankings = [
        Column("rank", "rank", get=itemgetter(0)),
        *(column for side in sides for column in _side(found, side, names, pooled)),
    ]
    return view_report(
        basis,
        [
            Table.of(title, rankings, enumerate(found.rows, 1), "rankings"),
            Table.of("What it is worth", runs, sides, "runs").marked(filled=basis.filled),
            Table("Documents of the query", counts("grade", "documents"), known, "documents"),
        ],
    )


def _side(
    found: SideBySide, side: int, names: Mapping[int, DocumentName], pooled: Collection[int]
) -> list[Column]:
    """The columns of a run: its documents, their grades and where the other run has them."""

    def of(get: Callable[[RankedDocument], Cell]) -> Get:
        """Where this list is the shorter one there is nothing."""
        return lambda ranked: "" if (one := ranked[1][side]) is None else get(one)

    def grade(one: RankedDocument) -> Cell:
        waits = one.grade is None and one.document in pooled
        return _POOLED if waits else one.grade

    title = ("now at", "move")[side] if len(found.tags) > 1 else None
    other = "other_" if side else ""
    return [
        excerpts(
            f"{other}doc_id", found.tags[side], get=of(lambda one: names[one.document].doc_id)
        ),
        word(f"{other}grade", "grade", of(grade)),
        word("move" if side else "now_at", title, of(_moved if side else _gone)),
    ]


def _moved(one: RankedDocument) -> str:
    moved = one.moved
    move = "new" if moved is None else "=" if not moved else f"{'↑' if moved > 0 else '↓'}"
    return move + (str(abs(moved)) if moved else "")


def _gone(one: RankedDocument) -> str | int:
    return "gone" if one.other_rank is None else one.other_rank


def misses_report(
    found: Misses, basis: Basis, texts: Mapping[str, str], names: Mapping[int, DocumentName]
) -> Report:
    """The queries for which a run has nothing relevant at the top: what came instead, and what was
    to be found. `texts`: query_id -> text; `names`: of all documents in it, by number."""
    columns = [word("", "run"), *counts("queries", f"nothing relevant in the top {found.k}")]
    none = Table("", columns, [] if found.rows else [(found.tag, found.queries, 0)])
    return view_report(basis, [misses_table(found, texts, names), none])


def misses_table(
    found: Misses, texts: Mapping[str, str], names: Mapping[int, DocumentName | Document]
) -> Table:
    """A row for each of the queries."""

    def came(row: Miss) -> str:
        doc_ids = [names[one.document].doc_id for one in row.top]
        return row.failed or _BETWEEN.join(doc_ids) or "nothing"

    def known(row: Miss) -> str:
        return _BETWEEN.join(_known(one, names) for one in row.relevant) or "nothing known"

    columns = [
        word("query_id", "query"),
        excerpts("text", "text", get=lambda row: texts.get(row.query_id, "")),
        word("proven", get=lambda row: "yes" if row.proven else "no"),
        *(*counts("unjudged"), Column("first_relevant", get=attrgetter("first"))),
        Column("relevant", get=lambda row: len(row.relevant)),
        word("failed", get=lambda row: row.failed or ("" if row.answered else "no result")),
        word("came", "came first", came, _first),
        word("known", "relevant, and who found it", known, _first),
    ]
    title = (
        f"{found.tag}: nothing relevant in the first {found.k}, at {len(found.rows):,} of"
        f" {counted(found.queries, 'query', 'queries')}"
    )
    return Table.of(title, columns, found.rows, "failures", key_columns=1)


_BETWEEN = " | "


def _known(one: RelevantDocument, names: Mapping[int, DocumentName | Document]) -> str:
    """A document, where the run has it, and who found it first."""
    by = [f"{tag} at {rank:,}" for tag, rank in one.found_by[:1]]
    by = by if one.rank is None else [f"at {one.rank:,}", *by]
    return f"{names[one.document].doc_id} ({'; '.join(by) or 'no system'})"


def _first(cell: Cell) -> str:
    return ", ".join(plain(cell).split(_BETWEEN)[:_SHOWN])


def histogram_report(found: RankHistogram, basis: Basis) -> Report:
    """At which rank each run has its first relevant document, over all queries."""
    return view_report(basis, [ranks_table(found)])


_RANKS = "Queries by the rank of the first relevant document"


def ranks_table(found: RankHistogram) -> Table:
    """A row for each run, a column for each range of ranks."""
    columns = [
        *(word("tag", "run"), *counts("queries")),
        *(_rank(label, place) for place, label in enumerate(found.labels)),
        *counts("none"),
        Column("median", "median", lambda cell: f"{cell:g}"),
        Column("open", "unjudged before it"),
    ]
    return Table.of(_RANKS, columns, found.runs, "ranks")


def _rank(label: str, place: int) -> Column:
    return Column(label.replace("–", "-"), label, get=lambda run: run.counts[place])


def ranks_chart(found: RankHistogram) -> Histogram:
    """The same as bars."""
    return Histogram(
        title=_RANKS,
        unit="queries",
        buckets=[*found.labels, "none"],
        series=[Series(run.tag, [*run.counts, run.none]) for run in found.runs],
        axis="rank of the first relevant document",
    )
