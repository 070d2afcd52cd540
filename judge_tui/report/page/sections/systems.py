"""What each system is worth, and how much they differ."""

from __future__ import annotations

from typing import Literal

from judge_tui.report.layout import (
    Cell,
    Column,
    Grid,
    Toned,
    count,
    difference,
    number,
    probability,
)
from judge_tui.report.page.content import Block, Figure, Paragraph, Section, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import counted, ends_of
from judge_tui.report.plots import Interval, Intervals
from judge_tui.significance import Comparison, Verdict

__all__ = ["differences", "systems"]


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
                _tone(found.comparison(row.tag)),
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


def _note(found: Findings) -> str:
    name = found.measure.name
    note = "Low and high: 95 % bootstrap interval of the mean over queries."
    if name in found.bounds.why:
        note += f" No least and greatest: {found.bounds.why[name]}."
    else:
        note += (
            " Least and greatest: over all grades that the unjudged results could have been given"
            f"{', as far as lists were kept' if name in found.bounds.of_kept else ''}: the least"
            " as if what nobody judged held all that the systems missed."
        )
    reasons = dict.fromkeys(found.intervals.why.get(name, {}).values())
    return note + "".join(f" No interval: {why}." for why in reasons)


def differences(found: Findings) -> Section:
    """Each system beside the baseline: how much, how sure, and the verdict."""
    family = found.verdicts.comparisons
    if family is None:
        why = "There is one system." if not found.others else "No two share a judged query."
        return Section("differences", "The differences", [Paragraph(why)])
    tests = family.settings.tests
    compared = [one for row in found.others if (one := found.comparison(row.tag)) is not None]
    pictured = Intervals(
        f"Difference from {found.baseline}",
        f"{found.measure.name}, system minus {found.baseline}",
        [
            Interval(
                one.tag,
                one.delta,
                *ends_of(one.ci95),
                None,
                None,
                str(one.verdict),
                _tone(one),
            )
            for one in compared
        ],
        mark=0.0,
        note="Mean difference over the queries of both, with its 95 % bootstrap interval.",
    )
    blocks: list[Block] = [
        Figure(pictured, told=True),
        Table(
            Grid(
                f"By {found.measure.name}, beside {found.baseline}",
                [
                    Column("system", right=False),
                    *(Column(one, difference) for one in ("difference", "low", "high")),
                    *(Column(one) for one in ("ahead", "level", "behind")),
                    *(Column(f"p {test}", probability) for test in tests),
                    Column("effect", number),
                    Column("verdict", right=False),
                ],
                [
                    (
                        one.tag,
                        one.delta,
                        *ends_of(one.ci95),
                        one.wins,
                        one.ties,
                        one.losses,
                        *(one.p_adjusted.get(test) for test in tests),
                        one.effect_size,
                        _toned(one),
                    )
                    for one in compared
                ],
            ),
            f"p is two-sided and corrected ({family.settings.correction}) for"
            f" {counted(len(family), 'comparison')}; the verdict goes by {tests[0]}, at"
            f" {family.settings.alpha:g}. Effect: mean difference in standard deviations of the"
            f" differences.{_unseen(compared)}",
        ),
    ]
    others = [
        one for one in found.board.measures if one != found.measure and one.definition.quality
    ]
    if others:
        blocks.append(_by_other_measures(found, [one.name for one in others], compared))
    return Section("differences", "The differences", blocks)


def _unseen(compared: list[Comparison]) -> str:
    effects = {one.detectable_effect for one in compared if one.detectable_effect is not None}
    if not effects:
        return ""
    return (
        f" What is smaller than {max(effects):.2f} of these would, with so many queries, often go"
        " unnoticed."
    )


def _by_other_measures(found: Findings, names: list[str], compared: list[Comparison]) -> Table:
    return Table(
        Grid(
            "Verdicts by the other measures",
            [Column("system", right=False), *(Column(name, right=False) for name in names)],
            [
                (
                    one.tag,
                    *(
                        None
                        if (other := found.verdicts.of.get((one.tag, name))) is None
                        else _toned(other)
                        for name in names
                    ),
                )
                for one in compared
            ],
        )
    )


def _toned(one: Comparison) -> Cell:
    tone = _tone(one)
    return str(one.verdict) if tone is None else Toned(str(one.verdict), tone)


def _tone(one: Comparison | None) -> Literal["good", "bad"] | None:
    if one is None or one.verdict not in (Verdict.BETTER, Verdict.WORSE):
        return None
    return "good" if one.verdict is Verdict.BETTER else "bad"
