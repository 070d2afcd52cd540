"""Where nothing was found, what came instead, and how far down one has to look."""

from __future__ import annotations

from collections.abc import Mapping

from judge_tui.analysis.failures import Came, Failure, Failures
from judge_tui.percent import percent
from judge_tui.report.layout import Column, Grid
from judge_tui.report.page.content import Block, Figure, Paragraph, Section, Table
from judge_tui.report.page.findings import CAME_SHOWN, FAILURES_SHOWN, Findings, Named
from judge_tui.report.page.sections.naming import document_called, not_shown, query_called
from judge_tui.report.page.sections.phrases import counted, listed
from judge_tui.report.plots import Histogram, Series

__all__ = ["failed_queries", "ranks"]


def failed_queries(found: Findings, named: Mapping[int, Named]) -> Section:
    """For how many queries each system finds nothing at the top, and what came instead."""
    asked = found.data.results.basis.asked
    of = "" if found.queries.in_vain else "judged "
    numbers = {found.counted[tag] for tag in found.shown}
    alike = len(numbers) == 1
    over = (
        counted(max(numbers), f"{of}query", f"{of}queries")
        if alike
        else f"the {of}queries that count for each"
    )
    blocks: list[Block] = [
        Table(
            Grid(
                f"Queries with nothing relevant in the first {asked.k}",
                [
                    Column("system", right=False),
                    Column("queries"),
                    *([] if alike else [Column("of")]),
                    Column("share"),
                ],
                [
                    (
                        tag,
                        found.empty_tops[tag],
                        *(() if alike else (found.counted[tag],)),
                        _share(found.empty_tops[tag], found.counted[tag]),
                    )
                    for tag in found.shown
                ],
            ),
            f"Of {over}; unjudged documents count as"
            f" not relevant, grades from {asked.rel} on as relevant.{not_shown(found)}",
        )
    ]
    blocks += [_failures(found, one, named) for one in found.failed if one.rows]
    return Section("failures", "Where nothing was found", blocks)


def _share(empty: int, counted: int) -> str | None:
    return percent(empty / counted) if counted else None


def _failures(found: Findings, one: Failures, named: Mapping[int, Named]) -> Table:
    rows = one.rows[:FAILURES_SHOWN]
    more = len(one.rows) - len(rows)
    note = _proven(one)
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
                (
                    query_called(found, row.query_id),
                    _came(row, named),
                    row.first,
                    _missed(row, named),
                )
                for row in rows
            ],
        ),
        note,
    )


def _proven(one: Failures) -> str:
    """Whether judging more could not change them: of what returned nothing there is nothing to."""
    if open_ones := sum(not row.proven for row in one.rows):
        return (
            f"{counted(open_ones, 'failure')} not proven: unjudged documents are among the first"
            f" {one.k}."
        )
    failed = sum(bool(row.failed) for row in one.rows)
    empty = sum(not row.answered for row in one.rows) - failed
    at = [f"failed at {counted(failed, 'query', 'queries')}"] if failed else []
    at += [f"had no result for {counted(empty, 'query', 'queries')}"] if empty else []
    nothing = f"it {' and '.join(at)}"
    if not at:
        return f"All proven: the first {one.k} of each were judged."
    if failed + empty == len(one.rows):
        return f"All proven: {nothing}."
    return f"All proven: the first {one.k} of each list were judged; {nothing}."


def _came(row: Failure, named: Mapping[int, Named]) -> str:
    if not row.answered:
        return f"failed: {row.failed}" if row.failed else "no result at all"
    return "; ".join(
        f"{document_called(named, came.document)} ({_grade(came)})"
        for came in row.came[:CAME_SHOWN]
    )


def _grade(came: Came) -> str:
    return "unjudged" if came.grade is None else str(came.grade)


def _missed(row: Failure, named: Mapping[int, Named]) -> str:
    if not row.missed:
        return "nothing relevant is known"
    best = row.missed[0]
    by = listed((f"{tag} at {rank}" for tag, rank in best.found_by), 3)
    found_by = f", found by {by}" if by else ", found by no other system"
    more = f"; and {len(row.missed) - 1:,} more" if len(row.missed) > 1 else ""
    return f"{document_called(named, best.document)} ({best.grade}){found_by}{more}"


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
            Paragraph(f"Median rank: {listed(medians, len(medians))}.{not_shown(found)}"),
        ],
    )
