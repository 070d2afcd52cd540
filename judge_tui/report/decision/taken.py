"""Which of several systems is taken where some are better than the baseline, and what tells apart
those that are as good."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge_tui.report.decision.decided import Decided
from judge_tui.report.layout import difference, seconds
from judge_tui.report.money import money
from judge_tui.report.page.sections.phrases import between, counted, listed
from judge_tui.significance import STEP, Comparison, Verdict

__all__ = ["apart_by_price", "taken", "time_and_money"]


def taken(decided: Decided, better: Sequence[Comparison]) -> str:
    """The best of those that are better than the baseline, or all that have the same mean."""
    measure = decided.evaluated.first
    greatest = max(one.mean for one in better)
    level = [one for one in decided.compared if greatest - one.mean < STEP]
    first, *same = [one for one in level if one in better]
    if not same:
        told = (
            f"Take {first.tag}: by {measure} it is better than {first.baseline} by"
            f" {difference(first.delta)} ({between(first.ci95, signed=True)})."
        )
    else:
        tags = [one.tag for one in (first, *same)]
        told = (
            f"Take {' or '.join(tags)}: by {measure} they are better than {first.baseline} by"
            f" {difference(first.delta)}, with the same mean. {_apart(decided, tags)}"
        )
    unshown = [one.tag for one in level if one not in better]
    if unshown:
        verb = "has" if len(unshown) == 1 else "have"
        told += f" {listed(unshown, len(unshown))} {verb} that mean, too, with no difference shown."
    return told + _others_ahead(decided, level, first.tag)


def apart_by_price(decided: Decided, tags: Sequence[str]) -> str:
    """What systems cost of which none is shown to be better, a sentence with a space before it;
    empty where that is not known, or one and the same."""
    words = _prices(decided, tags)
    return f" They cost: {'; '.join(words)}." if words else ""


def time_and_money(decided: Decided) -> Iterator[str]:
    """A sentence a system, in their order."""
    for tag in decided.seconds:
        said = [one for one in (_seconds_of(decided, tag), _money_of(decided, tag)) if one]
        if said:
            yield f"{tag}: {', '.join(said)}."


def _apart(decided: Decided, tags: Sequence[str]) -> str:
    words = _prices(decided, tags)
    timed = [(tag, _seconds_of(decided, tag)) for tag in tags]
    if all(what for _, what in timed):
        words.append(", ".join(f"{tag} {what}" for tag, what in timed))
    if not words:
        return "Nothing that was measured tells them apart."
    return f"What tells them apart: {'; '.join(words)}."


def _prices(decided: Decided, tags: Sequence[str]) -> list[str]:
    """One phrase, where each has a price and not all of them the same."""
    its = [(tag, _money_of(decided, tag)) for tag in tags]
    known = {what for _, what in its}
    if "" in known or len(known) == 1:
        return []
    return [", ".join(f"{tag} {what}" for tag, what in its)]


def _money_of(decided: Decided, tag: str) -> str:
    """Empty where no price is known."""
    spent, price = decided.spent[tag], decided.prices.get(tag)
    if spent.per_thousand is None or price is None:
        return ""
    return f"{money(spent.per_thousand, price.currency)} for 1,000 queries"


def _seconds_of(decided: Decided, tag: str) -> str:
    """Empty where nothing was answered."""
    its = decided.seconds[tag]
    if its.median is None:
        return ""
    over = "median"
    if its.answered < its.queries:
        queries = counted(its.queries, "query", "queries")
        over = f"median of the {its.answered:,} of {queries} that were answered"
    return f"{seconds(its.median)} s a query ({over})"


def _others_ahead(decided: Decided, level: Sequence[Comparison], first: str) -> str:
    """Systems that those named are not tested against, and that might be as good."""
    named = {one.tag for one in level}
    others = [
        one.tag
        for one in decided.compared
        if one.tag not in named and one.verdict in (Verdict.BETTER, Verdict.NOTHING_SHOWN)
    ]
    if not others:
        return ""
    who = "it is" if len(named) == 1 else "they are"
    return (
        f" Whether {who} better than {listed(others, len(others))} was not tested:"
        f" --baseline {first} does."
    )
