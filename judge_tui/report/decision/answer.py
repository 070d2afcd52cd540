"""Which system to take, as far as the tests show it."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.decision.decided import Decided
from judge_tui.report.decision.paid import money, seconds
from judge_tui.report.evaluation import Evaluated, demand_words
from judge_tui.report.layout import difference, number
from judge_tui.report.page.content import Block, Paragraph, Points
from judge_tui.report.page.sections.phrases import (
    between,
    counted,
    listed,
    set_beside,
    verdict_words,
)
from judge_tui.scoring import shown_slice
from judge_tui.significance import Comparison, Verdict

__all__ = ["answer"]


def answer(decided: Decided) -> Iterator[Block]:
    """The answer in a sentence, the systems beside the baseline, and what else weighs."""
    evaluated = decided.evaluated
    if why := evaluated.rests_on_failures:
        yield Paragraph(f"{why}; --again-failed asks once more.", strong=True)
    yield Paragraph(_sentence(decided), strong=True)
    shown = decided.compared
    if evaluated.own_terms:
        # There may be a hundred: those that show nothing stand in the table.
        every = evaluated.comparisons or ()
        shown = [one for one in every if one.verdict in (Verdict.BETTER, Verdict.WORSE)]
    if shown and evaluated.comparisons is not None:
        tests = evaluated.comparisons.settings.tests
        yield Points(
            [
                f"{_where(one)} {one.measure}, beside {one.baseline}: {verdict_words(one)}."
                f" {set_beside(one, tests, of=evaluated.family)}."
                for one in shown
            ]
        )
    if evaluated.demanded is not None:
        yield Points(list(demand_words(evaluated.demanded)))
    if weighs := [*_other_measures(decided), *_time_and_money(decided)]:
        yield Paragraph("What else weighs:")
        yield Points(weighs)
    if evaluated.required:
        yield Paragraph("What was required:")
        yield Points(
            [f"{one.gate}: {'not met' if one.unmet else 'held'}." for one in evaluated.required]
        )


def _where(one: Comparison) -> str:
    return "By" if one.slice is None else f"{shown_slice(one.slice)}: by"


def _sentence(decided: Decided) -> str:
    evaluated = decided.evaluated
    tags = evaluated.evaluation.tags
    if len(tags) == 1:
        alone = f"{tags[0]} was asked alone, so that there is nothing to choose"
        if not decided.best:
            return f"{alone}."
        band = evaluated.band(tags[0])
        its_band = "" if band is None else f", {band} by its reciprocal rank"
        mean = evaluated.evaluation.scores[tags[0]].mean(evaluated.first)
        return f"{alone}: {evaluated.first} {number(mean)}{its_band}."
    if evaluated.own_terms:
        return _class_by_class(evaluated)
    compared = decided.compared
    if not compared:
        return (
            f"Nothing was compared: {evaluated.first} has no better or worse; its mean is greatest"
            f" for {listed(decided.best)}."
        )
    return _by_first(decided, compared)


def _class_by_class(evaluated: Evaluated) -> str:
    """Which systems are better somewhere and worse nowhere."""
    verdicts = [(one.tag, one.verdict) for one in evaluated.comparisons or ()]
    if evaluated.demanded is not None:
        its = evaluated.demanded.classes
        verdicts += [(arm.arm, arm.verdict) for one in its for arm in one.beside]
    better = dict.fromkeys(tag for tag, verdict in verdicts if verdict is Verdict.BETTER)
    worse = dict.fromkeys(tag for tag, verdict in verdicts if verdict is Verdict.WORSE)
    beginning = "Class by class, each on its own terms,"
    if gains := [tag for tag in better if tag not in worse]:
        verb = "is" if len(gains) == 1 else "are"
        return f"{beginning} {listed(gains)} {verb} better for some queries and worse for none."
    if both := [tag for tag in better if tag in worse]:
        verb = "is" if len(both) == 1 else "are"
        return f"{beginning} {listed(both)} {verb} better for some queries and worse for others."
    if worse:
        verb = "is" if len(worse) == 1 else "are"
        return f"{beginning} no system is shown to be better, and {listed(worse)} {verb} worse."
    return f"{beginning} no difference is shown. That does not show that they are equal."


def _by_first(decided: Decided, compared: list[Comparison]) -> str:
    measure, baseline = decided.evaluated.first, compared[0].baseline
    better = [one for one in compared if one.verdict is Verdict.BETTER]
    worse = [one for one in compared if one.verdict is Verdict.WORSE]
    if all(one.verdict is Verdict.TOO_FEW for one in compared):
        queries = counted(compared[0].queries, "query is", "queries are")
        return f"No decision: {queries} too few to tell any system from {baseline}."
    if better:
        first = max(better, key=lambda one: one.mean)
        return (
            f"Take {first.tag}: by {measure} it is better than {baseline} by"
            f" {difference(first.delta)} ({between(first.ci95, signed=True)})."
            f"{_others_ahead(decided, first)}"
        )
    if len(worse) == len(compared):
        return f"Stay with {baseline}: by {measure} it is better than {_all(worse)}."
    told = f"No system is shown to be better than {baseline} by {measure}"
    if worse:
        told += f", and {_all(worse)} {'is' if len(worse) == 1 else 'are'} shown to be worse"
    return f"{told}. That does not show that they are equal."


def _all(compared: list[Comparison]) -> str:
    return listed([one.tag for one in compared], len(compared))


def _others_ahead(decided: Decided, first: Comparison) -> str:
    """Systems that the one named is not tested against, and that might be as good."""
    others = [
        one.tag
        for one in decided.compared
        if one.tag != first.tag and one.verdict in (Verdict.BETTER, Verdict.NOTHING_SHOWN)
    ]
    if not others:
        return ""
    return (
        f" Whether it is better than {listed(others, len(others))} was not tested:"
        f" --baseline {first.tag} does."
    )


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


def _time_and_money(decided: Decided) -> Iterator[str]:
    """A sentence a system, in their order."""
    for tag, its in decided.seconds.items():
        said = []
        if its.median is not None:
            said.append(f"{seconds(its.median)} s a query (median)")
        spent, price = decided.spent[tag], decided.prices.get(tag)
        if spent.per_thousand is not None and price is not None:
            said.append(f"{money(spent.per_thousand, price.currency)} for 1,000 queries")
        if said:
            yield f"{tag}: {', '.join(said)}."
