"""Queries of a case of Quepid's in JSON, or of its ratings, whose texts are their ids."""

from __future__ import annotations

from collections.abc import Iterator

from judge_tui.formats.ids import text_of_field
from judge_tui.formats.json_tree import text_at
from judge_tui.formats.problems import Reporter
from judge_tui.formats.quepid_json import case_queries
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Each query where it comes first, those without ratings, too; of a case with what is needed
    (`information_need`, the narrative) and its `notes`, the description."""
    seen: set[str] = set()
    for query, query_id, _ in case_queries(source, report):
        if query_id is not None and query_id not in seen:
            seen.add(query_id)
            text = text_of_field(query_id)
            need, notes = (text_at(query, name) for name in ("information_need", "notes"))
            yield query.line, Query(text, text, narrative=need, description=notes)
