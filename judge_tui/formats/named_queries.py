"""Queries as files name them, which have their ids or nothing but their texts."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.formats.ids import decode_id
from judge_tui.model import Query

__all__ = ["NamedQueries", "words_of"]


class NamedQueries:
    """Queries with native ids (`formats.ids`), to be found by id or by text, in their order."""

    def __init__(self, queries: Iterable[Query]) -> None:
        self._by_id: dict[str, Query] = {}
        self._by_text: dict[str, list[Query]] = {}
        for query in queries:
            self._by_id[query.query_id] = query
            self._by_text.setdefault(words_of(query.text), []).append(query)

    def __len__(self) -> int:
        return len(self._by_id)

    def of_id(self, query_id: str) -> Query | None:
        """The query of a native id, which a file of TREC has encoded; None where there is none."""
        return self._by_id.get(query_id)

    def of_text(self, text: str) -> list[Query]:
        """Those whose text has these words: several queries may."""
        return self._by_text.get(words_of(text), [])

    def named(self, written: str) -> list[Query]:
        """What a field of a file may mean that holds an id or a text: the query of that id,
        encoded as in a file of TREC, else those of that text."""
        query_id = decode_id(written)
        query = self.of_id(query_id)
        return [query] if query else self.of_text(query_id)


def words_of(text: str) -> str:
    """By what texts are compared: any white space in them counts as one blank.

    A text may hold a code such as %20 of its own, which readers of tables cannot tell from ours: it
    counts as what it stands for.
    """
    return " ".join(decode_id(text).split())
