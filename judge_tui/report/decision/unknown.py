"""What an evaluation does not show."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import stdev

from judge_tui.analysis.evaluation import TOP, graded
from judge_tui.percent import percent
from judge_tui.report.decision.decided import Decided
from judge_tui.report.evaluation import Evaluated
from judge_tui.report.layout import number
from judge_tui.report.page.content import Block, Points, Section
from judge_tui.report.page.sections.phrases import between, counted, listed
from judge_tui.scoring import shown_slice
from judge_tui.significance import Comparison, Verdict

__all__ = ["unknown"]

_OPEN = (Verdict.NOTHING_SHOWN, Verdict.TOO_FEW)


def unknown(decided: Decided) -> Section:
    """One sentence or so each."""
    blocks: list[Block] = [Points([*_unknown(decided)])]
    return Section("unknown", "What remains unknown", blocks)


def _unknown(decided: Decided) -> Iterator[str]:
    # Many begin with the name of a system.
    yield from (f"{warning}." for warning in decided.evaluated.warnings)
    yield from _smaller_differences(decided)
    yield from _ties(decided)
    yield from _what_is_right(decided)
    if decided.choosing:
        names = listed(
            [tag for tag in decided.evaluated.evaluation.tags if tag in decided.choosing]
        )
        yield (
            f"{names}: ranked the documents that the benchmark has for each query. What would come"
            " of a search among all documents is not shown."
        )
    without = [tag for tag, price in decided.prices.items() if price is None]
    if without:
        yield f"What {listed(without)} would cost: no price is set in the systems file."
    yield (
        "Whether other queries would say the same: tests and intervals speak of queries that are"
        " drawn as these were."
    )


def _smaller_differences(decided: Decided) -> Iterator[str]:
    """What could have been seen, where nothing was."""
    evaluated = decided.evaluated
    yield from _by_class(decided)
    for one in decided.compared:
        if one.verdict is not Verdict.NOTHING_SHOWN:
            continue
        told = f"Whether {one.tag} and {one.baseline} differ by {one.measure}:"
        told += f" {between(one.ci95, signed=True)}"
        if not any(differences := _differences(evaluated, one)):
            told += "; the two are level on every query"
        elif one.detectable_effect is not None:
            least = one.detectable_effect * stdev(differences)
            told += (
                f"; a test of {counted(one.queries, 'query', 'queries')} finds a difference of"
                f" {number(least)} four times in five, a smaller one less often"
            )
            if evaluated.family > 1:
                told += f", and both less often corrected for {evaluated.family:,} comparisons"
        yield f"{told}."
        if one.ci95 is not None and not one.ci95[0] <= 0 <= one.ci95[1]:
            yield (
                f"That interval of {one.tag} leaves 0 out, and still the test shows nothing: it is"
                " a close call, which more queries would settle."
            )


def _by_class(decided: Decided) -> Iterator[str]:
    """One sentence a system: what is open by measures of classes, and by what they demand."""
    nothing: dict[str, list[str]] = {}
    for one in decided.every if decided.evaluated.own_terms else ():
        if one.verdict in _OPEN:
            what = f"{shown_slice(one.slice or '')} by {one.measure}"
            nothing.setdefault(f"{one.tag} and {one.baseline}", []).append(what)
    for its, arm in decided.in_order:
        if arm.verdict in _OPEN:
            what = f"{shown_slice(its.name)} by {its.demand}"
            nothing.setdefault(f"{arm.arm} and {arm.baseline}", []).append(what)
    for who, where in nothing.items():
        yield f"Whether {who} differ for {listed(where, len(where))}: the numbers are above."


def _differences(evaluated: Evaluated, one: Comparison) -> list[float]:
    """Of all queries, in their order."""
    scores = evaluated.evaluation.scores
    values, others = (scores[tag].values[one.measure] for tag in (one.tag, one.baseline))
    return [value - other for value, other in zip(values, others, strict=True)]


def _ties(decided: Decided) -> Iterator[str]:
    best = decided.best
    if len(best) > 1:
        measure = decided.evaluated.first
        names = listed(best, len(best))
        yield f"{names} have the same mean {measure}: it does not tell them apart."


def _what_is_right(decided: Decided) -> Iterator[str]:
    evaluated = decided.evaluated
    if evaluated.by == "answers":
        yield (
            "Good results that the answers do not name: they count as not right. Answers say what"
            " is right, and not what is wrong."
        )
        return
    if evaluated.ungraded:  # said above, as a warning
        return
    shares = []
    for tag in evaluated.evaluation.tags:
        known, results = graded(evaluated.evaluation, tag)
        if known < results:
            shares.append(f"{tag} {percent((results - known) / results)}")
    if shares:
        yield (
            f"Results that nobody graded count as not right. Of the first {TOP} results of all"
            f" queries they are: {listed(shares, len(shares))}."
        )
