"""What each system is worth."""

from __future__ import annotations

from judge_tui.report.layout import Cell, Column, Grid, count, number
from judge_tui.report.page.content import Block, Figure, Section, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import ends_of
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.verdicts import tone_of

__all__ = ["systems"]


def systems(found: Findings) -> Section:
    """The leaderboard: means, their intervals, and what unjudged documents leave open."""
    name = found.measure.name
    within = found.intervals.of.get(name, {})
    loose = found.bounds.of.get(name, {})
    share = next(iter(found.board.shares), None)
    pictured = Intervals(
        f"{name} of each system",
        name,
        [
            Interval(
                row.tag,
                row.means[name],
                *ends_of(within.get(row.tag)),
                *ends_of(loose.get(row.tag)),
                "" if row.queries else "answers no judged query",
                tone_of(None if (beside := found.comparison(row.tag)) is None else beside.verdict),
            )
            for row in found.ranked
        ],
        mark=next(row.means[name] for row in found.ranked if row.tag == found.baseline),
        note=f"Mean over queries, with its 95 % interval. Shaded: where it could lie if every"
        f" unjudged document were judged. The line: {found.baseline}, with which the others are"
        " compared; a triangle points to the side on which a system differs from it.",
    )
    rows: list[tuple[Cell, ...]] = [
        (
            row.tag,
            row.means[name],
            *ends_of(within.get(row.tag)),
            *ends_of(loose.get(row.tag)),
            *(() if share is None else (row.means[share.name],)),
            row.queries,
        )
        for row in found.ranked
    ]
    blocks: list[Block] = [
        Figure(pictured, told=True),
        Table(
            Grid(
                f"Systems by {name}",
                [
                    Column("system", right=False),
                    *(Column(one, number) for one in (name, "low", "high", "least", "greatest")),
                    *(() if share is None else (Column(share.name, number),)),
                    Column("queries"),
                ],
                rows,
            ),
            _note(found),
        ),
    ]
    more = [one for one in found.board.measures if one != found.measure]
    if more:
        blocks.append(
            Table(
                Grid(
                    "The other measures",
                    [
                        Column("system", right=False),
                        *(
                            Column(one.name, count if one.definition.whole else number)
                            for one in more
                        ),
                    ],
                    [(row.tag, *(row.means[one.name] for one in more)) for row in found.ranked],
                ),
                "Means over the same queries.",
            )
        )
    return Section("systems", "The systems", blocks)


_OF_KEPT = (
    ", as far as lists were kept; the least is where many documents further down, judged by nobody,"
    " are what should have come first"
)


def _note(found: Findings) -> str:
    name = found.measure.name
    note = "Low and high: 95 % bootstrap interval of the mean over queries."
    if name in found.bounds.why:
        note += f" No least and greatest: {found.bounds.why[name]}."
    else:
        note += (
            " Least and greatest: over all grades that its own unjudged results could have been"
            " given"
            f"{_OF_KEPT if name in found.bounds.of_kept else ''}."
        )
    for share in found.board.shares[:1]:
        note += f" {share}: mean over the judged queries that a system answers, not over all."
        if any(row.nothing_found for row in found.board.rows):
            note += " A query that counts as nothing found is 0 in it."
    reasons = dict.fromkeys(found.intervals.why.get(name, {}).values())
    return note + "".join(f" No interval: {why}." for why in reasons)
