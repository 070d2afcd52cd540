"""Which queries make the difference, and which divide the systems."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.analysis.deltas import Delta, Deltas
from judge_tui.analysis.spread import SPREAD
from judge_tui.report.layout import Cell, Column, Grid, difference, number
from judge_tui.report.page.content import Block, Figure, Paragraph, Section, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.naming import query_called
from judge_tui.report.page.sections.phrases import counted, listed
from judge_tui.report.plots import Bars, Series

__all__ = ["by_query", "divided_queries"]

_EXTREMES = 5

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
                    [query_called(found, row.query_id) for row in one.rows],
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
            query_called(found, row.query_id),
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


def divided_queries(found: Findings) -> Section | None:
    """On which queries the choice of system matters most."""
    rows = [row for row in found.divided.rows if row.sd > 0][:_DIVIDED]
    if not rows:
        return None
    without = any(row.nothing for row in rows)
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
                        *([Column("without results", right=False)] if without else []),
                    ],
                    [
                        (
                            query_called(found, row.query_id),
                            row.sd,
                            row.least,
                            listed(row.worst, 3),
                            row.greatest,
                            listed(row.best, 3),
                            row.overlap,
                            *([_without(row.nothing)] if without else []),
                        )
                        for row in rows
                    ],
                ),
                f"sd: {SPREAD}. Overlap: mean Jaccard index of the first {found.divided.k} of every"
                " two systems; 1 is the same documents.",
            )
        ],
    )


def _without(nothing: Mapping[str, str]) -> str:
    return listed([f"{tag} {why}" for tag, why in nothing.items()], 3)
