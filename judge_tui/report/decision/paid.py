"""What the systems take in time and money."""

from __future__ import annotations

from judge_tui.report.decision.decided import Decided
from judge_tui.report.evaluation.tables import left
from judge_tui.report.layout import Cell, Column, Grid, seconds
from judge_tui.report.money import money, price_of_call
from judge_tui.report.page.content import Block, Paragraph, Section, Table

__all__ = ["latency_and_cost"]


def latency_and_cost(decided: Decided) -> Section:
    """A row a system; the money where anybody said what a call costs."""
    rows = [
        (tag, its.median, its.p95, its.answered, its.queries, decided.spent[tag].calls)
        for tag, its in decided.seconds.items()
    ]
    grid = Grid(
        "Seconds a query",
        [
            *left("system"),
            Column("median", seconds),
            Column("95th percentile", seconds),
            Column("answered"),
            Column("queries"),
            Column("calls"),
        ],
        rows,
    )
    blocks: list[Block] = [
        Table(grid),
        Paragraph(
            "Seconds are those of the last try of every query that was answered, waits not counted,"
            " as they were when it was asked: answers that are kept keep theirs. With more than one"
            " query at once (-j), these slow each other down. Calls: all tries of all queries."
        ),
    ]
    paid = _paid(decided)
    if paid.rows:
        blocks += [
            Table(paid),
            Paragraph(
                "Calls at their price, retries counted; the one query by which each system is tried"
                " before, calls that make vectors of documents, and answers that were forgotten"
                " (--again, --again-failed) are not."
            ),
        ]
    return Section("cost", "Time and money", blocks)


def _paid(decided: Decided) -> Grid:
    rows: list[list[Cell]] = []
    for tag, spent in decided.spent.items():
        price = decided.prices.get(tag)
        if price is not None and spent.cost is not None and spent.per_thousand is not None:
            rows.append(
                [
                    tag,
                    price_of_call(price.amount, price.currency),
                    spent.calls,
                    money(spent.cost, price.currency),
                    money(spent.per_thousand, price.currency),
                ]
            )
    names = ("price of a call", "calls", "this evaluation", "1,000 queries")
    return Grid("Cost", [*left("system"), *map(Column, names)], rows)
