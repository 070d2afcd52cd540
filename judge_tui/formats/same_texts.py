"""Rows of a file that ask the same, which count as queries of their own."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.formats.named_queries import words_of
from judge_tui.formats.problems import quoted
from judge_tui.model import Query

__all__ = ["SameTexts", "told_of_same_texts"]


class SameTexts:
    """Looks at the queries of a file as they come, with their lines."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[int, str]] = {}
        self._found = ""
        self._again = 0

    def look(self, line: int, query: Query) -> None:
        words = words_of(query.text)
        its_line, its_id = self._first.setdefault(words, (line, query.query_id))
        if not words or its_id == query.query_id:
            return
        self._again += 1
        self._found = self._found or (
            f"lines {its_line} and {line} ask the same, {quoted(words)}, and count as two"
            f" queries, {its_id} and {query.query_id}"
        )

    def notes(
        self,
        mend: str = "keep one of them, unless two are meant: no query can be taken out of a"
        " campaign, and tools that tell queries by their texts take one of a text",
    ) -> list[str]:
        """What is to be told: the first two, how many more there are, and how to `mend` it."""
        more = f" (and {self._again - 1:,} more)" if self._again > 1 else ""
        return [f"{self._found}{more}: {mend}"] if self._again else []


def told_of_same_texts(rows: Iterable[tuple[int, Query]]) -> list[str]:
    """What is to be told of those among the queries of a file, with their lines and ids."""
    same = SameTexts()
    for line, query in rows:
        same.look(line, query)
    return same.notes()
