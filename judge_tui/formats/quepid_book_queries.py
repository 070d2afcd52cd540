"""Queries of a book of Quepid's in JSON, whose texts are their ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge_tui.formats.ids import text_of_field
from judge_tui.formats.problems import Reporter
from judge_tui.formats.quepid_book_json import rows as judgments
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Each query at the first pair that has it, with the first narrative and description."""
    found: dict[str, tuple[int, Query]] = {}
    for row in judgments(source, report):
        text = text_of_field(row.query_id)
        line, query = found.get(text, (row.line, Query(text, text)))
        found[text] = (
            line,
            replace(
                query,
                narrative=query.narrative or row.narrative,
                description=query.description or row.description,
            ),
        )
    yield from found.values()
