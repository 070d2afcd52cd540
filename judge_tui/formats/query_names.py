"""Queries as files name them: by their ids, or, in forms that have no ids, by their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge_tui.errors import UsageError
from judge_tui.formats.problems import quoted

__all__ = ["QueryNames", "folded_text"]


def folded_text(text: str) -> str:
    """A text as texts are compared: any white space in it is one blank, and none is around it."""
    return " ".join(text.split())


class QueryNames:
    """The queries of a file or a campaign, query_id -> text, to be found by either."""

    def __init__(self, texts: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        self.texts = dict(texts)
        self._of_text: dict[str, list[str]] = {}
        for query_id, text in self.texts.items():
            self._of_text.setdefault(folded_text(text), []).append(query_id)

    def of_text(self, text: str) -> str | None:
        """The query of exactly that text, white space folded; None where there is none. Raises
        `UsageError` where several have it."""
        found = self._of_text.get(folded_text(text), [])
        if len(found) > 1:
            raise UsageError(
                f"the text {quoted(folded_text(text))} belongs to {' and '.join(found)}",
                "give the query id instead",
            )
        return found[0] if found else None
