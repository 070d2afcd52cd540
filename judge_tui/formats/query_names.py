"""Queries as files name them: by their ids, or, in forms that have no ids, by their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from judge_tui.errors import UsageError
from judge_tui.formats.ids import id_in
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.model import Query

__all__ = ["QueryNames", "folded_text", "rows_by_id", "text_id"]


def folded_text(text: str) -> str:
    """A text as texts are compared: any white space in it is one blank, and none is around it."""
    return " ".join(text.split())


def text_id(text: str) -> str:
    """A text in the place of an id that a file does not have."""
    return id_in(folded_text(text))


class QueryNames:
    """The queries of a file or a campaign, query_id -> text, to be found by their texts."""

    def __init__(self, texts: Mapping[str, str] | Iterable[tuple[str, str]]) -> None:
        self.texts = dict(texts)
        self._of_text: dict[str, list[str]] = {}
        for query_id, text in self.texts.items():
            if text.strip():
                self._of_text.setdefault(text_id(text), []).append(query_id)

    @classmethod
    def of(cls, queries: Iterable[Query]) -> QueryNames:
        """Those of these queries."""
        return cls((query.query_id, query.text) for query in queries)

    def of_text(self, text: str) -> str | None:
        """The query of exactly that text, white space folded, be it a text or as `text_id` has it;
        None where there is none. Raises `UsageError` where several have it."""
        found = self._of_text.get(text_id(text), []) if text.strip() else []
        if len(found) > 1:
            raise UsageError(
                f"the text {quoted(folded_text(text))} belongs to {' and '.join(found)}",
                "give the query id instead",
            )
        return found[0] if found else None


def rows_by_id(rows: Iterator[Any], names: QueryNames, report: Reporter) -> Iterator[Any]:
    """Rows that name queries by their texts, under the ids of the queries, `report.lone_queries`
    among them. A text that no query has, or several have, is reported."""

    def found(line: int, text: str) -> str | None:
        try:
            query_id = names.of_text(text)
        except UsageError as error:
            report(line, error.what, error.mend)
            return None
        if query_id is None:
            mend = "add it to the queries, or take it out here"
            report(line, f"no query has the text {quoted(text)}", mend)
        return query_id

    for row in rows:
        if query_id := found(row.line, row.query_id):
            yield row._replace(query_id=query_id)
    report.lone_queries[:] = [
        lone._replace(query_id=query_id)
        for lone in report.lone_queries
        if (query_id := found(lone.line, lone.query_id))
    ]
