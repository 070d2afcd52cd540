"""The systems of an evaluation beside the baseline, on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge_tui.report.comparisons import comparison_report
from judge_tui.report.evaluation import tables
from judge_tui.report.evaluation.evaluated import Evaluated
from judge_tui.report.layout import Cell, Grid
from judge_tui.report.page.content import Block, Paragraph, Points, Section, Table
from judge_tui.report.page.sections.phrases import counted, listed, name_of_test
from judge_tui.scoring import Scores, shown_slice
from judge_tui.significance import BUCKETS

__all__ = ["differences"]


def differences(evaluated: Evaluated, *, queries: bool = True) -> Section | None:
    """Every measure of every system beside the baseline; None where there is nothing to compare.
    `queries`: whether those that changed are named."""
    comparisons = evaluated.comparisons
    if comparisons is None:
        return None
    nothing = Scores((), (), complete=True, judged_only=False)
    report = comparison_report(comparisons, nothing)
    compared = comparisons if evaluated.own_terms else evaluated.compared(evaluated.first)
    by = "class by class" if evaluated.own_terms else f"by {evaluated.first}"
    changed: list[tuple[Cell, ...]] = [
        (
            one.tag if one.slice is None else f"{one.tag}, {shown_slice(one.slice)}, {one.measure}",
            bucket,
            ", ".join(getattr(one.changed, bucket)),
        )
        for one in compared
        for bucket in BUCKETS[:-1]
        if getattr(one.changed, bucket)
    ]
    blocks: list[Block] = [Table(grid) for grid in report.grids]
    if changed and queries:
        names = tables.left("system", "what changed", "queries")
        blocks.append(Table(Grid(f"Which queries changed, {by}", names, changed)))
    blocks.append(
        Paragraph(
            "Added: the baseline has nothing right among the results that the measure looks at, and"
            " the system has something; removed: the reverse; else by the measure."
        )
    )
    settings = comparisons.settings
    blocks.append(
        Paragraph(
            f"The verdict goes by {name_of_test(settings.tests[0])}, {settings.alternative}, at"
            f" {settings.alpha:g}, corrected ({settings.correction}) for"
            f" {counted(evaluated.family, 'comparison')}; the 95 % intervals are not. Effect d_z:"
            " the mean difference in standard deviations of the differences; detectable: the least"
            " one that a paired t test of so many queries finds with power .8."
        )
    )
    why: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in comparisons:
        where = "" if one.slice is None else f" ({shown_slice(one.slice)})"
        reasons = {
            f"p of {name_of_test(name)}": result.why
            for name, result in one.tests.items()
            if result.p is None
        }
        reasons |= {"interval": one.why["ci95"]} if one.ci95 is None else {}
        for what in reasons.items():
            by_tag = why.setdefault(what, {})
            by_tag.setdefault(one.tag, []).append(f"{one.measure}{where}")
    if why:
        blocks.append(Points([_absent(*what, by_tag) for what, by_tag in why.items()]))
    return Section("differences", "The differences", blocks)


def _absent(what: str, why: str, measures: Mapping[str, Sequence[str]]) -> str:
    of = (f"{tag} by {listed(its, len(its))}" for tag, its in measures.items())
    return f"No {what}, since {why}: {'; '.join(of)}."
