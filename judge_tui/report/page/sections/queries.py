"""Where the systems win and lose: query by query, failures, ranks, slices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge_tui.analysis.deltas import Delta, Deltas
from judge_tui.analysis.document_kinds import DocumentSlices
from judge_tui.analysis.failures import Failure, Failures
from judge_tui.analysis.spread import SPREAD
from judge_tui.report.layout import Cell, Column, Grid, difference, number
from judge_tui.report.page.content import Block, Figure, Paragraph, Section, Table
from judge_tui.report.page.findings import (
    CAME_SHOWN,
    FAILURES_SHOWN,
    Findings,
    Named,
)
from judge_tui.report.page.sections.phrases import counted, excerpt, listed, percent
from judge_tui.report.plots import Bars, Histogram, Series

__all__ = ["by_query", "divided_queries", "failed_queries", "ranks", "slices"]

_EXTREMES = 5
_SLICES = 20
_DIVIDED = 10


def by_query(found: Findings) -> Section | None:
    """Which queries make the difference."""
    blocks: list[Block] = []
    for one in found.deltas:
        if not one.rows:
            continue
        buckets = {name: n for name, n in one.buckets.items() if n}
        blocks += [
            Figure(
                Bars(
                    f"{one.tag} beside {one.baseline}, query by query",
                    f"{one.measure}, {one.tag} minus {one.baseline}",
                    [_query(found, row.query_id) for row in one.rows],
                    [Series(one.tag, [row.difference for row in one.rows])],
                    note=f"Of {counted(len(one.rows), 'query', 'queries')}: "
                    f"{listed(f'{n:,} {name}' for name, n in buckets.items())}.",
                ),
                told=True,
            ),
            _extremes(found, one),
        ]
    if not blocks:
        return None
    left = len(found.others) - len(found.deltas)
    if left > 0:
        blocks.append(Paragraph(f"{counted(left, 'more system')} not shown here."))
    return Section("queries", "Query by query", blocks)


def _extremes(found: Findings, one: Deltas) -> Table:
    rows = [row for row in one.rows if row.bucket != "unchanged"]
    if len(rows) > 2 * _EXTREMES:
        rows = rows[:_EXTREMES] + rows[-_EXTREMES:]

    def cells(row: Delta) -> tuple[Cell, ...]:
        return (
            _query(found, row.query_id),
            row.before,
            row.after,
            row.difference,
            row.bucket,
        )

    return Table(
        Grid(
            f"Where {one.tag} and {one.baseline} differ most",
            [
                Column("query", right=False),
                Column(one.baseline, number),
                Column(one.tag, number),
                Column("difference", difference),
                Column("became", right=False),
            ],
            [cells(row) for row in rows],
        ),
        f"Added: nothing relevant in the first results of {one.baseline}, something in those of"
        f" {one.tag}; removed: the reverse.",
    )


def failed_queries(found: Findings, named: Mapping[int, Named]) -> Section:
    """For how many queries each system finds nothing at the top, and what came instead."""
    asked = found.data.results.basis.asked
    judged = found.failed[0].queries
    blocks: list[Block] = [
        Table(
            Grid(
                f"Queries with nothing relevant in the first {asked.k}",
                [Column("system", right=False), Column("queries"), Column("share")],
                [
                    (
                        tag,
                        found.empty_tops[tag],
                        percent(found.empty_tops[tag] / judged) if judged else None,
                    )
                    for tag in (row.tag for row in found.ranked)
                ],
            ),
            f"Of {counted(judged, 'judged query', 'judged queries')}; unjudged documents count as"
            f" not relevant, grades from {asked.rel} on as relevant.",
        )
    ]
    blocks += [_failures(found, one, named) for one in found.failed if one.rows]
    return Section("failures", "Where nothing was found", blocks)


def _failures(found: Findings, one: Failures, named: Mapping[int, Named]) -> Table:
    rows = one.rows[:FAILURES_SHOWN]
    more = len(one.rows) - len(rows)
    open_ones = sum(not row.proven for row in one.rows)
    note = (
        f"{counted(open_ones, 'failure')} not proven: unjudged documents are among the first"
        f" {one.k}."
        if open_ones
        else f"All proven: the first {one.k} of each were judged."
    )
    if more:
        note += f" {counted(more, 'more query', 'more queries')} not shown."
    return Table(
        Grid(
            f"What {one.tag} returned instead",
            [
                Column("query", right=False),
                Column(f"its first {CAME_SHOWN}, with grades", right=False),
                Column("first relevant at rank"),
                Column("what was to be found", right=False),
            ],
            [
                (_query(found, row.query_id), _came(row, named), row.first, _missed(row, named))
                for row in rows
            ],
        ),
        note,
    )


def _came(row: Failure, named: Mapping[int, Named]) -> str:
    if not row.answered:
        return "no result at all"
    return "; ".join(
        f"{_called(named, came.document)} ({'unjudged' if came.grade is None else came.grade})"
        for came in row.came[:CAME_SHOWN]
    )


def _missed(row: Failure, named: Mapping[int, Named]) -> str:
    if not row.missed:
        return "nothing relevant is known"
    best = row.missed[0]
    by = listed((f"{tag} at {rank}" for tag, rank in best.found_by), 3)
    found_by = f", found by {by}" if by else ", found by no other system"
    more = f"; and {len(row.missed) - 1:,} more" if len(row.missed) > 1 else ""
    return f"{_called(named, best.document)} ({best.grade}){found_by}{more}"


def ranks(found: Findings) -> Section:
    """How far down one has to look."""
    shown = {one.tag: one for one in found.first.runs}
    runs = [shown[tag] for tag in found.shown]
    medians = [
        f"{one.tag} {one.median:g}" if one.median is not None else f"{one.tag} none ({one.why})"
        for one in runs
    ]
    unsure = sum(one.open for one in runs)
    note = "None: no relevant document in what is kept of the list."
    if unsure:
        note += " Where an unjudged document stands before it, the true rank may be less."
    return Section(
        "ranks",
        "The first relevant document",
        [
            Figure(
                Histogram(
                    "Rank of the first relevant document",
                    "queries",
                    [*found.first.labels, "none"],
                    [Series(one.tag, [*one.counts, one.none]) for one in runs],
                    axis="rank",
                    note=note,
                )
            ),
            Paragraph(f"Median rank: {listed(medians, len(medians))}."),
        ],
    )


def slices(found: Findings) -> Section | None:
    """How evenly the systems do: by class of query, by kind and length of document."""
    blocks = [*_by_class(found), *_by_document(found.kinds, found, "kind")]
    blocks += _by_document(found.lengths, found, "length")
    if not blocks:
        return None
    return Section("slices", "Kinds of queries and documents", blocks)


def _by_class(found: Findings) -> Iterator[Block]:
    cut = found.classes
    if cut is None or len(cut.slices) < 2:
        return
    slices = cut.slices[:_SLICES]
    names = [one.name or "without a class" for one in slices]
    sizes = [max(spread.n for spread in one.runs.values()) for one in slices]
    consistency = {one.tag: one for one in cut.consistency}
    yield Table(
        Grid(
            f"{found.measure} by class of query",
            [
                Column("system", right=False),
                *(
                    Column(f"{name} ({size:,})", number)
                    for name, size in zip(names, sizes, strict=True)
                ),
                Column("sd of queries", number),
                Column("sd of classes", number),
            ],
            [
                (
                    tag,
                    *(one.runs[tag].mean for one in slices),
                    consistency[tag].overall.sd,
                    consistency[tag].between.sd,
                )
                for tag in found.shown
            ],
        ),
        f"Means; in brackets the number of queries. sd: {SPREAD}; the less, the evener."
        + _left_out(len(cut.slices) - len(slices)),
    )


def _by_document(cut: DocumentSlices, found: Findings, what: str) -> Iterator[Block]:
    if len(cut.slices) < 2:
        return
    slices = cut.slices[:_SLICES]
    place = {tag: at for at, tag in enumerate(cut.tags)}
    yield Table(
        Grid(
            f"Share of the relevant documents in the first {cut.k}, by {what} of document",
            [
                Column("system", right=False),
                *(
                    Column(f"{one.name or f'no {what}'} ({one.relevant:,})", number)
                    for one in slices
                ),
            ],
            [(tag, *(one.runs[place[tag]].mean for one in slices)) for tag in found.shown],
        ),
        "Mean over the queries that have such documents; in brackets the number of pairs."
        + _left_out(len(cut.slices) - len(slices)),
    )


def _left_out(more: int) -> str:
    return f" {more:,} more not shown." if more > 0 else ""


def divided_queries(found: Findings) -> Section | None:
    """On which queries the choice of system matters most."""
    rows = [row for row in found.divided.rows if row.sd > 0][:_DIVIDED]
    if not rows:
        return None
    return Section(
        "divided",
        "Queries that divide the systems",
        [
            Table(
                Grid(
                    f"Where the systems are furthest apart by {found.measure}",
                    [
                        Column("query", right=False),
                        Column("sd", number),
                        Column("least", number),
                        Column("least by", right=False),
                        Column("greatest", number),
                        Column("greatest by", right=False),
                        Column("overlap", number),
                    ],
                    [
                        (
                            _query(found, row.query_id),
                            row.sd,
                            row.least,
                            listed(row.worst, 3),
                            row.greatest,
                            listed(row.best, 3),
                            row.overlap,
                        )
                        for row in rows
                    ],
                ),
                f"sd: {SPREAD}. Overlap: mean Jaccard index of the first {found.divided.k} of every"
                " two systems; 1 is the same documents.",
            )
        ],
    )


def _query(found: Findings, query_id: str) -> str:
    text = excerpt(found.data.queries.texts.get(query_id, ""), 70)
    return f"{query_id} {text}" if text and text != query_id else query_id


def _called(named: Mapping[int, Named], document: int) -> str:
    one = named.get(document)
    return excerpt(one.title or one.doc_id, 60) if one else "a document"
