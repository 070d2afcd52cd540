"""Which system is better? The answer before everything else."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.layout import number
from judge_tui.report.page.content import Block, Paragraph, Points
from judge_tui.report.page.findings import Findings
from judge_tui.report.page.sections.agreement import agreement_in_words
from judge_tui.report.page.sections.phrases import (
    counted,
    is_or_are,
    listed,
    sentence,
    set_beside,
    verdict_words,
)
from judge_tui.significance import Comparison, Verdict

__all__ = ["answer"]

_TOLD = 5


def answer(found: Findings) -> list[Block]:
    """The question, yes or no, the numbers, and in a line each how far they can be trusted."""
    return [
        Paragraph(_question(found)),
        Paragraph(_verdict(found), strong=True),
        Points(list(_numbers(found))),
        Paragraph(agreement_in_words(found)),
        Points([sentence(str(one)) for one in found.warnings]),
    ]


def _question(found: Findings) -> str:
    others = [row.tag for row in found.others]
    if not others:
        return f"How well does {found.baseline} find what is relevant?"
    if len(others) == 1:
        return f"Is {others[0]} better than {found.baseline}, by {found.measure}?"
    return (
        f"Is any of the {len(others):,} other systems better than {found.baseline}, by"
        f" {found.measure}?"
    )


def _verdict(found: Findings) -> str:
    baseline, compared = found.baseline, _compared(found)
    if not found.others:
        return f"There is one system, {baseline}, and nothing to compare it with."
    if not compared:
        why = listed(dict.fromkeys(found.verdicts.why.values()))
        return f"Nothing can be compared with {baseline}: {why}."
    by = {verdict: [one.tag for one in compared if one.verdict is verdict] for verdict in Verdict}
    better, worse = by[Verdict.BETTER], by[Verdict.WORSE]
    if len(by[Verdict.TOO_FEW]) == len(compared):
        few = max(one.queries for one in compared)
        queries = counted(few, "query", "queries")
        return f"It cannot be told: {queries} in common with {baseline} {is_or_are(few)} too few."
    behind = f"; {listed(worse)} {is_or_are(len(worse))} worse" if worse else ""
    if better:
        return f"Yes: {listed(better)} {is_or_are(len(better))} better than {baseline}{behind}."
    if len(worse) == len(compared):
        return f"No: {listed(worse)} {is_or_are(len(worse))} worse than {baseline}."
    return f"No system is shown to be better than {baseline}{behind}."


def _compared(found: Findings) -> list[Comparison]:
    every = [found.comparison(row.tag) for row in found.others]
    return [one for one in every if one is not None]


def _numbers(found: Findings) -> Iterator[str]:
    compared = _compared(found)
    settings = found.verdicts.comparisons.settings if found.verdicts.comparisons else None
    if settings is None:
        for row in found.ranked[:_TOLD]:
            mean = row.means[found.measure.name]
            if mean is not None:
                yield (
                    f"{row.tag}: {found.measure} {number(mean)}, the mean over"
                    f" {counted(row.queries, 'query', 'queries')}."
                )
        return
    family = len(found.verdicts.comparisons or ())
    for one in compared[:_TOLD]:
        numbers = set_beside(one, settings.tests, of=family)
        yield f"{verdict_words(one)}, {found.measure} {numbers}."
    if len(compared) > _TOLD:
        yield f"{counted(len(compared) - _TOLD, 'more system')} in the table of differences."
    for tag, why in list(found.verdicts.why.items())[:_TOLD]:
        yield f"{tag} is not compared: {why}."
    if found.top is not None:
        yield _best_and_second(found.top, found.measure.name)
    if family > 1 and found.tested:
        yield (
            f"p and the verdicts are corrected for all {family:,} comparisons, systems by measures;"
            " the intervals are not, each stands for itself. With fewer or more measures asked for,"
            " a verdict near the limit can be another."
        )


def _best_and_second(one: Comparison, measure: str) -> str:
    """Outside the family: the two were not named before the means were seen."""
    said = {
        Verdict.BETTER: f"{one.tag} is ahead of {one.baseline} by more than chance would explain",
        Verdict.TOO_FEW: f"too few queries to tell whether {one.tag} is better than {one.baseline}",
    }.get(one.verdict, f"{one.tag} is not shown to be better than {one.baseline}")
    return (
        f"The best beside the second best: {said}, {measure}"
        f" {set_beside(one, list(one.p_adjusted), of=1)}. This is a comparison of its own, outside"
        " those above: p is not corrected, though the two were picked by their means."
    )
