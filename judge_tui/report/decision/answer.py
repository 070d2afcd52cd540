"""Which system to take, as far as the tests show it."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.decision.class_by_class import beside_words, class_by_class, class_lines
from judge_tui.report.decision.decided import Decided
from judge_tui.report.decision.failed import failure_words, finding_nothing, unanswering
from judge_tui.report.decision.taken import apart_by_price, taken, time_and_money
from judge_tui.report.evaluation import demand_words
from judge_tui.report.layout import difference, number
from judge_tui.report.page.content import Block, Paragraph, Points
from judge_tui.report.page.sections.phrases import between, counted, listed
from judge_tui.significance import Comparison, Verdict

__all__ = ["answer"]


def answer(decided: Decided) -> Iterator[Block]:
    """The answer in a sentence, the systems beside the baseline, and what else weighs."""
    evaluated = decided.evaluated
    yield Paragraph(" ".join([*failure_words(decided), _sentence(decided)]), strong=True)
    if lines := [*(class_lines(evaluated) if evaluated.own_terms else _lines(decided))]:
        yield Points(lines)
    if evaluated.demanded is not None:
        yield Points(list(demand_words(evaluated.demanded)))
    if weighs := [*_other_measures(decided), *time_and_money(decided)]:
        yield Paragraph("What else weighs:")
        yield Points(weighs)
    if evaluated.required:
        yield Paragraph("What was required:")
        yield Points([f"{one.words}." for one in evaluated.required])


def _sentence(decided: Decided) -> str:
    evaluated = decided.evaluated
    tags = evaluated.evaluation.tags
    unfit = unanswering(decided)
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
    silent = finding_nothing(decided)
    baseline = evaluated.comparisons.settings.baseline if evaluated.comparisons else None
    if silent and (baseline in silent or len(tags) - len(silent) < 2):
        return f"No decision: no advice rests on a comparison with {listed(silent, len(silent))}."
    if evaluated.own_terms:
        return class_by_class(evaluated, silent)
    compared = [one for one in decided.compared if one.tag not in silent]
    if not compared:
        return (
            f"Nothing was compared: {evaluated.first} has no better or worse; its mean is greatest"
            f" for {listed(decided.best)}."
        )
    return _by_first(decided, compared)


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
    unfit = unanswering(decided)
    for one in decided.compared:
        down = [tag for tag in (one.baseline, one.tag) if tag in unfit]
        with_failures = f"With the failures of {listed(down)}, by" if down else "By"
        yield f"{with_failures} {beside_words(decided.evaluated, one)}"


def _other_measures(decided: Decided) -> Iterator[str]:
    """Verdicts by other measures that the first one does not have."""
    evaluated = decided.evaluated
    if evaluated.own_terms:
        return
    by_first = {one.tag: one.verdict for one in decided.compared}
    for one in evaluated.comparisons or ():
        shown = one.verdict in (Verdict.BETTER, Verdict.WORSE)
        if one.measure != evaluated.first.name and shown and one.verdict != by_first[one.tag]:
            yield (
                f"By {one.measure}, {one.tag} is {one.verdict} than {one.baseline}:"
                f" {difference(one.delta)} ({between(one.ci95, signed=True)})."
            )
