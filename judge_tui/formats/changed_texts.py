"""Texts of queries then and now by the same ids: which ids are those of other queries by now, and
how texts that changed are told."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nsmallest
from itertools import pairwise, zip_longest

from judge_tui.formats.named_queries import words_of
from judge_tui.formats.problems import quoted

__all__ = ["MovedTexts", "most_changed", "older_and_newer"]

_AROUND = 20
"""Characters of what two long texts share that are told before what they differ in."""

_MOST = 3


class MovedTexts:
    """Texts by query_id, as `then` and `now` have them (`words_of`), of ids of the files' own.

    An id whose text is a newer one, which no other query has or had, is the same query still; else
    ids were given anew (`is_moved`). `was`: the texts of then that are not in their place now ->
    query_id.
    """

    def __init__(self, then: Mapping[str, str], now: Mapping[str, str]) -> None:
        self._then, self._now = then, now
        # A text that several queries have says nothing where one of them is the one it was.
        self.in_place = {query_id for query_id, words in now.items() if then.get(query_id) == words}
        self.was = {words: query_id for query_id, words in then.items() if self._left(query_id)}
        self._is = {words for query_id, words in now.items() if self._left(query_id)}

    def is_moved(self, query_id: str) -> bool:
        """Whether the text that the id has now was that of another, or the one that it had then is
        another's now."""
        return self._left(query_id) and (
            self._now.get(query_id) in self.was or self._then.get(query_id) in self._is
        )

    def _left(self, query_id: str) -> bool:
        return query_id not in self.in_place


def most_changed(texts: Mapping[str, tuple[str, str]]) -> str:
    """What of older and newer texts by query_id is told as an example: those that differ most, so
    that another query is not hidden behind a typing error."""
    most = nsmallest(_MOST, texts, key=lambda query_id: _alike(*texts[query_id]))
    told = [(query_id, *older_and_newer(*texts[query_id])) for query_id in most]
    return "; ".join(f"{query_id!r}: {older}, now {newer}" for query_id, older, newer in told)


def older_and_newer(older: str, newer: str) -> tuple[str, str]:
    """Two texts as they are told: of long ones that begin alike, where they differ."""
    older, newer = words_of(older), words_of(newer)
    both = zip_longest(older, newer)
    alike = next((place for place, (one, other) in enumerate(both) if one != other), len(older))
    cut = alike - _AROUND if alike > 2 * _AROUND else 0
    start = "…" if cut else ""
    return quoted(start + older[cut:]), quoted(start + newer[cut:])


def _alike(text: str, other: str) -> float:
    """The share of pairs of neighbouring characters that are in both (Dice); 1 of the same, but for
    capitals."""
    one, two = (set(pairwise(words_of(its).casefold())) for its in (text, other))
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 0.0
