"""Systems that failed at queries: what counts as nothing found says nothing of how they rank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.report.decision.decided import Decided
from judge_tui.report.page.sections.phrases import counted

if TYPE_CHECKING:
    from judge_tui.collect import Collected

__all__ = ["failure_words", "finding_nothing", "unanswering"]

_MOST = 0.1
"""Of its queries a system may fail at so great a share, and be decided on all the same."""


def unanswering(decided: Decided) -> list[str]:
    """The systems that failed at too many queries to be taken, or to be left for another."""
    return [one.name for one in decided.evaluated.collected if _too_many(one)]


def finding_nothing(decided: Decided) -> list[str]:
    """The systems that answered, and found nothing for any query: most likely results are sought
    in the wrong place."""
    return [
        one.name
        for one in decided.evaluated.collected
        if one.answers and not _too_many(one) and not any(its.hits for its in one.answers)
    ]


def failure_words(decided: Decided) -> Iterator[str]:
    """One sentence for each system that failed at anything."""
    for one in decided.evaluated.collected:
        if not one.failed:
            continue
        count = len(one.failed)
        queries = counted(len(one.answers), "query", "queries")
        verb = "counts" if count == 1 else "count"
        told = f"{one.name} failed at {count:,} of {queries}, which {verb} as nothing found"
        yield f"{told}: this is no finding about how it ranks." if _too_many(one) else f"{told}."
    for name in finding_nothing(decided):
        yield (
            f"{name} found nothing for any query and looks wrongly set up: look at where it is"
            " asked and where its results are sought in the systems file."
        )


def _too_many(one: Collected) -> bool:
    return len(one.failed) > _MOST * len(one.answers)
