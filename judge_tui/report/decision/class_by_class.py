"""The answer where every class of queries is compared on its own terms."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.report.evaluation import Evaluated
from judge_tui.report.page.sections.phrases import listed, set_beside, verdict_words
from judge_tui.scoring import shown_slice
from judge_tui.significance import Comparison, Verdict

__all__ = ["beside_words", "class_by_class", "class_lines"]

_SHOWN = (Verdict.BETTER, Verdict.WORSE)


def class_by_class(evaluated: Evaluated) -> str:
    """Which systems are better somewhere and worse nowhere, in a sentence."""
    verdicts = list(_verdicts(evaluated))
    better = dict.fromkeys(tag for _, tag, verdict in verdicts if verdict is Verdict.BETTER)
    worse = dict.fromkeys(tag for _, tag, verdict in verdicts if verdict is Verdict.WORSE)
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
    few = dict.fromkeys(name for name, _, verdict in verdicts if verdict is Verdict.TOO_FEW)
    if verdicts and all(verdict is Verdict.TOO_FEW for _, _, verdict in verdicts):
        return "No decision: no class has enough queries to tell the systems apart."
    told = f"{beginning} no difference is shown. That does not show that they are equal."
    if few:
        verb = "has" if len(few) == 1 else "have"
        told += f" {listed(few)} {verb} too few queries to tell."
    return told


def class_lines(evaluated: Evaluated) -> Iterator[str]:
    """What is shown, with its numbers; of what is not, of which there may be a hundred, the
    measures: their numbers stand in the table."""
    every = evaluated.comparisons or ()
    for one in every:
        if one.verdict in _SHOWN:
            yield f"{shown_slice(one.slice or '')}: by {beside_words(evaluated, one)}"
    others: dict[tuple[str, str], list[str]] = {}
    for one in every:
        if one.verdict not in _SHOWN:
            words = f"beside {one.baseline}: {verdict_words(one)}"
            others.setdefault((one.slice or "", words), []).append(one.measure)
    for (name, words), measures in others.items():
        yield f"{shown_slice(name)}: by {listed(measures, len(measures))}, {words}."


def beside_words(evaluated: Evaluated, one: Comparison) -> str:
    """`P@5, beside old: new is better. 0.4 against …`: a comparison with its numbers."""
    tests = () if evaluated.comparisons is None else evaluated.comparisons.settings.tests
    numbers = set_beside(one, tests, of=evaluated.family)
    return f"{one.measure}, beside {one.baseline}: {verdict_words(one)}. {numbers}."


def _verdicts(evaluated: Evaluated) -> Iterator[tuple[str, str, Verdict]]:
    """Class, system and verdict."""
    for one in evaluated.comparisons or ():
        yield shown_slice(one.slice or ""), one.tag, one.verdict
    if evaluated.demanded is not None:
        for its in evaluated.demanded.classes:
            for arm in its.beside:
                yield shown_slice(its.name), arm.arm, arm.verdict
