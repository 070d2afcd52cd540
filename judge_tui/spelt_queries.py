"""Whether a run calls queries otherwise than the qrels, by blanks or forms of Unicode alone."""

from __future__ import annotations

from collections.abc import Collection

from judge_tui.errors import UsageError
from judge_tui.formats.named_queries import words_of
from judge_tui.formats.problems import quoted
from judge_tui.model import form_in_words

__all__ = ["refuse_other_spellings", "told_of_other_spellings"]

_MEND = "use the same query ids in both files"


def told_of_other_spellings(
    tag: str, judged: Collection[str], answered: Collection[str]
) -> list[str]:
    """What is to be told of the queries that are `judged`, and have no results in the run, which
    has some for `answered` ones that nobody judged: those that look the same."""
    alike = _alike(judged, answered)
    if not alike:
        return []
    return [
        f"queries that run {tag!r} calls otherwise than the qrels, by blanks or forms of Unicode:"
        f" {len(alike):,}, such as {_told(*alike[0])}; they count as others: {_MEND}"
    ]


def refuse_other_spellings(tag: str, judged: Collection[str], answered: Collection[str]) -> None:
    """Raise `UsageError` where any look the same, and no others are in both."""
    if alike := _alike(judged, answered):
        raise UsageError(
            f"run {tag!r} and the qrels have no query in common but for blanks or forms of Unicode:"
            f" the qrels have {_told(*alike[0])}",
            _MEND,
        )


def _alike(judged: Collection[str], answered: Collection[str]) -> list[tuple[str, str]]:
    """Those of the same words, as the qrels and as the run have them."""
    if not (judged and answered):
        return []
    of_words = {words_of(name): name for name in judged}
    found = ((of_words.get(words_of(other)), other) for other in answered)
    return sorted((name, other) for name, other in found if name is not None)


def _told(name: str, other: str) -> str:
    if form := form_in_words(name, other):
        return f"{quoted(name)}, which is in {form} in the run"
    return f"{name!a}, which is {other!a} in the run"
