"""Which system to take, as far as the tests show it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from judge_tui.report.decision.class_by_class import beside_words, class_by_class, class_lines
from judge_tui.report.decision.decided import Decided
from judge_tui.report.decision.failed import failure_words
from judge_tui.report.decision.taken import apart_by_price, taken, time_and_money
from judge_tui.report.evaluation import demand_meanings, demand_words
from judge_tui.report.layout import difference, number
from judge_tui.report.page.content import Block, Paragraph, Points
from judge_tui.report.page.sections.phrases import between, counted, listed, sentence
from judge_tui.significance import Comparison, Verdict

__all__ = ["answer"]


def answer(decided: Decided) -> Iterator[Block]:
    """The answer in a sentence, the systems beside the baseline, and what else weighs."""
    evaluated = decided.evaluated
    yield Paragraph(" ".join([*failure_words(decided), _sentence(decided)]), strong=True)
    if evaluated.ungraded:
        yield Paragraph(sentence(evaluated.ungraded), strong=True)
    alone = len(evaluated.evaluation.tags) == 1
    lines = demand_words(evaluated) if alone else chain(_lines(decided), class_lines(decided))
    if told := list(lines):
        yield Points(told)
    if told and (meanings := demand_meanings(evaluated)):
        yield Paragraph(meanings)
    if weighs := [*_other_measures(decided), *time_and_money(decided)]:
        yield Paragraph("What else weighs:")
        yield Points(weighs)
    if evaluated.required:
        yield Paragraph("What was required:")
        yield Points([f"{one.words}." for one in evaluated.required])


def _sentence(decided: Decided) -> str:
    evaluated = decided.evaluated
    tags = evaluated.evaluation.tags
    unfit = decided.unanswering
    if len(tags) == 1:
        alone = f"{tags[0]} was asked alone, so that there is nothing to choose"
        if unfit or not decided.best:
            return f"{alone}."
        band = evaluated.band(tags[0])
        its_band = "" if band is None else f", {band} by its reciprocal rank"
        mean = evaluated.evaluation.scores[tags[0]].mean(evaluated.first)
        return f"{alone}: {evaluated.first} {number(mean)}{its_band}."
    if unfit:
        return (
            f"No decision: too little is known of what {listed(unfit, len(unfit))} would find;"
            " --again-failed asks once more."
        )
    if (why := _nothing_to_compare(decided)) is not None:
        return why
    if evaluated.own_terms:
        return class_by_class(decided)
    compared = decided.compared
    if not compared:
        return (
            f"Nothing was compared: {evaluated.first} has no better or worse; its mean is greatest"
            f" for {listed(decided.best)}."
        )
    return _by_first(decided, compared)


def _nothing_to_compare(decided: Decided) -> str | None:
    """Where systems that found nothing leave nothing to compare, or nothing to compare with."""
    comparisons, silent = decided.evaluated.comparisons, decided.silent
    baseline = comparisons.settings.baseline if comparisons else None
    left = [tag for tag in decided.evaluated.evaluation.tags if tag not in silent]
    if not silent or (baseline not in silent and len(left) > 1):
        return None
    told = f"No decision: no advice rests on a comparison with {listed(silent, len(silent))}"
    return f"{told}; --baseline {left[0]} compares the others." if len(left) > 1 else f"{told}."


def _by_first(decided: Decided, compared: list[Comparison]) -> str:
    measure, baseline = decided.evaluated.first, compared[0].baseline
    better = [one for one in compared if one.verdict is Verdict.BETTER]
    worse = [one for one in compared if one.verdict is Verdict.WORSE]
    if all(one.verdict is Verdict.TOO_FEW for one in compared):
        queries = counted(compared[0].queries, "query is", "queries are")
        return f"No decision: {queries} too few to tell any system from {baseline}."
    if better:
        return taken(decided, better)
    if len(worse) == len(compared):
        return f"Stay with {baseline}: by {measure} it is better than {_all(worse)}."
    told = f"No system is shown to be better than {baseline} by {measure}"
    if worse:
        told += f", and {_all(worse)} {'is' if len(worse) == 1 else 'are'} shown to be worse"
    alike = [one.tag for one in compared if one.verdict is not Verdict.WORSE]
    costs = apart_by_price(decided, [baseline, *alike])
    return f"{told}. That does not show that they are equal.{costs}"


def _all(compared: list[Comparison]) -> str:
    return listed([one.tag for one in compared], len(compared))


def _lines(decided: Decided) -> Iterator[str]:
    """Every system beside the baseline."""
    for one in decided.compared:
        by = decided.by(one.baseline, one.tag)
        yield f"{by[0].upper()}{by[1:]} {beside_words(decided.evaluated, one)}"


def _other_measures(decided: Decided) -> Iterator[str]:
    """Verdicts by other measures that the first one does not have."""
    by_first = {one.tag: one.verdict for one in decided.compared}
    for one in decided.every if by_first else ():
        shown = one.verdict in (Verdict.BETTER, Verdict.WORSE)
        if shown and one.verdict != by_first[one.tag]:
            yield (
                f"By {one.measure}, {one.tag} is {one.verdict} than {one.baseline}:"
                f" {difference(one.delta)} ({between(one.ci95, signed=True)})."
            )
