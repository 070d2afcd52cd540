"""Texts of queries then and now by the same ids: which ids are those of other queries by now, and
which texts are merely reworded."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MovedTexts"]


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
