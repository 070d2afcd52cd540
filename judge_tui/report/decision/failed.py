"""Systems that failed at queries, or found nothing for most: what of them says nothing of how they
rank."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.nothing_found import failed_among
from judge_tui.report.collected import nothing_for_classes
from judge_tui.report.decision.decided import Decided
from judge_tui.report.page.sections.phrases import counted, listed

__all__ = ["failure_words"]


def failure_words(decided: Decided) -> Iterator[str]:
    """One sentence for each system that failed at anything, or found nothing for over half of the
    queries, or of those of a class, and one for all that found nothing for any."""
    for one in decided.evaluated.collected:
        if not one.failed:
            continue
        count = len(one.failed)
        queries = counted(len(one.replies), "query", "queries")
        verb = "counts" if count == 1 else "count"
        told = f"{one.name} failed at {count:,} of {queries}, which {verb} as nothing found"
        too_often = one.failed_too_often
        yield f"{told}: this is no finding about how it ranks." if too_often else f"{told}."
    silent = []
    for one in decided.evaluated.collected:
        if one.name not in decided.silent:
            continue
        if one.found_nothing:
            silent.append(one.name)
            continue
        queries = counted(len(one.replies), "query", "queries")
        among = failed_among(one.in_vain, len(one.failed))
        yield (
            f"{one.name} found nothing for {one.in_vain:,} of {queries}{among}: look at its set-up"
            " first."
        )
    for tag, classes in decided.silent_for.items():
        if words := nothing_for_classes(classes):
            yield f"{tag} {words}: look at its set-up first. No advice rests on that."
    if silent:
        looks, it, its = ("looks", "it", "its") if len(silent) == 1 else ("look", "they", "their")
        yield (
            f"{listed(silent, len(silent))} found nothing for any query and {looks} wrongly set up:"
            f" look at where {it} {'is' if it == 'it' else 'are'} asked and where {its} results are"
            " sought in the systems file."
        )
