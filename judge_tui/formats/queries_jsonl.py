"""Queries as one JSON object per line; keys that are not a query's own go to its meta."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judge_tui.formats.json_records import (
    RecordError,
    lift_metadata,
    pop_id,
    pop_text,
    records,
)
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.query_names import folded_text
from judge_tui.formats.source import Source
from judge_tui.model import Query

__all__ = ["rows"]

_IDS = ("query_id", "_id", "id")


def rows(source: Source, report: Reporter) -> Iterator[tuple[int, Query]]:
    """Every well-formed line."""
    return records(source, report, _query)


def _query(record: dict[str, Any]) -> Query:
    text = _pop_its_text(record)
    lift_metadata(record, ("description", "narrative", "class"))
    return Query(
        query_id=pop_id(record, _IDS),
        text=text,
        description=pop_text(record, "description"),
        narrative=pop_text(record, "narrative"),
        query_class=pop_text(record, "class"),
        meta=record,
    )


def _pop_its_text(record: dict[str, Any]) -> str:
    """The text, which answers and benchmarks call `query`; beside a text, anything but a string
    there is a field of its own."""
    text = pop_text(record, "text")
    if text and not isinstance(record.get("query"), str):
        return text
    other = pop_text(record, "query")
    if text and other and folded_text(text) != folded_text(other):
        raise RecordError(
            f"'text' is {quoted(text)}, and 'query' is {quoted(other)}",
            "say what was searched for once, and call the other key otherwise",
        )
    return text or other
