"""The answer where every class of queries is compared on its own terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge_tui.report.decision.decided import Decided
from judge_tui.report.evaluation import Evaluated, arm_words
from judge_tui.report.page.sections.phrases import listed, set_beside, verdict_of, verdict_words
from judge_tui.scoring import shown_slice
from judge_tui.significance import Comparison, Verdict

__all__ = ["beside_words", "class_by_class", "class_lines"]

_SHOWN = (Verdict.BETTER, Verdict.WORSE)


def class_by_class(decided: Decided) -> str:
    """Where each system is better and where it is worse, in a sentence."""
    verdicts = [*_verdicts(decided)]
    better = _classes_by_system(verdicts, Verdict.BETTER)
    worse = _classes_by_system(verdicts, Verdict.WORSE)
    beginning = "Class by class, each on its own terms,"
    losses = [f"{tag} is worse for {listed(its, len(its))}" for tag, its in worse.items()]
    if better:
        clauses = [
            f"{tag} is better for {listed(its, len(its))} and worse for"
            f" {listed(worse.get(tag, ['none']), len(worse.get(tag, ['none'])))}"
            for tag, its in sorted(better.items(), key=lambda item: item[0] in worse)
        ]
        clauses += [words for tag, words in zip(worse, losses, strict=True) if tag not in better]
        return f"{beginning} {'; '.join(clauses)}."
    if losses:
        return f"{beginning} no system is shown to be better, and {listed(losses, len(losses))}."
    if not verdicts:
        return "No decision: for no class did two systems find enough to be compared."
    few = dict.fromkeys(name for name, _, verdict in verdicts if verdict is Verdict.TOO_FEW)
    if all(verdict is Verdict.TOO_FEW for _, _, verdict in verdicts):
        return "No decision: no class has enough queries to tell the systems apart."
    told = f"{beginning} no difference is shown. That does not show that they are equal."
    if few:
        verb = "has" if len(few) == 1 else "have"
        told += f" {listed(few)} {verb} too few queries to tell."
    return told


def class_lines(decided: Decided) -> Iterator[str]:
    """What is shown by measures of classes and by what they demand, with its numbers; of what is
    not, of which there may be a hundred, by what: its numbers stand in the table."""
    evaluated = decided.evaluated
    others: dict[tuple[str, str], list[str]] = {}
    for one in decided.every if evaluated.own_terms else ():
        if one.verdict in _SHOWN:
            by = decided.by(one.baseline, one.tag)
            yield f"{shown_slice(one.slice or '')}: {by} {beside_words(evaluated, one)}"
        else:
            words = f"beside {one.baseline}: {verdict_words(one)}"
            others.setdefault((one.slice or "", words), []).append(one.measure)
    for its, arm in decided.in_order:
        if arm.verdict in _SHOWN:
            yield arm_words(evaluated, its, arm, decided.by(arm.baseline, arm.arm))
        else:
            words = f"beside {arm.baseline}: {verdict_of(arm.arm, arm.verdict)}"
            others.setdefault((its.name, words), []).append(its.demand)
    for (name, words), asked in others.items():
        yield f"{shown_slice(name)}: by {listed(asked, len(asked))}, {words}."


def beside_words(evaluated: Evaluated, one: Comparison) -> str:
    """`P@5, beside old: new is better. 0.4 against …`: a comparison with its numbers."""
    tests = () if evaluated.comparisons is None else evaluated.comparisons.settings.tests
    numbers = set_beside(one, tests, of=evaluated.family)
    return f"{one.measure}, beside {one.baseline}: {verdict_words(one)}. {numbers}."


def _classes_by_system(
    verdicts: Iterable[tuple[str, str, Verdict]], wanted: Verdict
) -> dict[str, list[str]]:
    """System -> the classes with this verdict, each once."""
    found: dict[str, dict[str, None]] = {}
    for name, tag, verdict in verdicts:
        if verdict is wanted:
            found.setdefault(tag, {})[name] = None
    return {tag: list(names) for tag, names in found.items()}


def _verdicts(decided: Decided) -> Iterator[tuple[str, str, Verdict]]:
    """Class, system and verdict."""
    for one in decided.every:
        yield shown_slice(one.slice or ""), one.tag, one.verdict
    for its, arm in decided.in_order:
        yield shown_slice(its.name), arm.arm, arm.verdict
