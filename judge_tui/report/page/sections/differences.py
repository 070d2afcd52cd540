"""How much the systems differ from the baseline, and how sure that is."""

from __future__ import annotations

from judge_tui.report.layout import Column, Grid, difference, number, probability
from judge_tui.report.page.content import Block, Figure, Paragraph, Section, Table
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.phrases import counted, ends_of, listed, name_of_test
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.verdicts import tone_of, toned
from judge_tui.significance import Comparison

__all__ = ["differences"]


def differences(found: Findings) -> Section:
    """Each system beside the baseline: how much, how sure, and the verdict."""
    family = found.verdicts.comparisons
    if family is None:
        why = "There is one system." if not found.others else "No two share a judged query."
        return Section("differences", "The differences", [Paragraph(why)])
    tests, common = family.settings.tests, found.verdicts.common
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
                tone_of(one.verdict),
            )
            for one in compared
        ],
        mark=0.0,
        note="Mean difference over the queries of both, with its 95 % bootstrap interval, which is"
        " not corrected for the number of comparisons.",
    )
    blocks: list[Block] = [
        Figure(pictured, told=True),
        Table(
            Grid(
                f"By {found.measure.name}, beside {found.baseline}",
                [
                    Column("system", right=False),
                    *(Column(one, difference) for one in ("difference", "low", "high")),
                    *([Column("queries of both")] if common else []),
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
                        *([one.queries] if common else []),
                        one.wins,
                        one.ties,
                        one.losses,
                        *(one.p_adjusted.get(test) for test in tests),
                        one.effect_size,
                        toned(one.verdict),
                    )
                    for one in compared
                ],
            ),
            f"p is two-sided and corrected (after {family.settings.correction.capitalize()}) for"
            f" {counted(len(family), 'comparison')}, all systems by all measures; low and high, the"
            f" 95 % interval, are not. The verdict goes by {name_of_test(tests[0])},"
            f" at {family.settings.alpha:g}. Effect: mean difference in standard deviations of the"
            f" differences.{_apart(found)}{_unseen(compared)}{_untested(compared)}",
        ),
    ]
    others = [
        one for one in found.board.measures if one != found.measure and one.definition.quality
    ]
    if others:
        blocks.append(_by_other_measures(found, [one.name for one in others], compared))
    return Section("differences", "The differences", blocks)


def _apart(found: Findings) -> str:
    """Where differences are not of the means that stand above."""
    if not found.verdicts.common:
        return ""
    return (
        f" A difference is over the queries that both the system and {found.baseline} are scored"
        " for; the means of the systems, above, are over each one's own."
    )


def _unseen(compared: list[Comparison]) -> str:
    effects = {one.detectable_effect for one in compared if one.detectable_effect is not None}
    if not effects:
        return ""
    return (
        f" What is smaller than {max(effects):.2f} of these would, with so many queries, often go"
        " unnoticed."
    )


def _untested(compared: list[Comparison]) -> str:
    """Why there is no p, or no interval, in a sentence for each reason."""
    told: dict[tuple[str, str], list[str]] = {}
    for one in compared:
        for test, result in one.tests.items():
            if result.p is None:
                told.setdefault((f"p {test}", result.why), []).append(one.tag)
        if one.ci95 is None:
            told.setdefault(("interval", one.why["ci95"]), []).append(one.tag)
    return "".join(f" No {what} for {listed(tags)}: {why}." for (what, why), tags in told.items())


def _untested_by_others(found: Findings, names: list[str], compared: list[Comparison]) -> str:
    """Why a verdict rests on no p, in a sentence for each measure and reason."""
    told: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for one in compared:
            other = found.verdicts.of.get((one.tag, name))
            if other is not None and (result := next(iter(other.tests.values()))).p is None:
                told.setdefault((name, result.why), []).append(one.tag)
    return " ".join(
        f"No p by {name} for {listed(tags)}: {why}." for (name, why), tags in told.items()
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
                        else toned(other.verdict)
                        for name in names
                    ),
                )
                for one in compared
            ],
        ),
        _untested_by_others(found, names, compared),
    )
