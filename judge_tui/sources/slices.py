"""Which slice each query is in: by a field of the queries, or as the caller has it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from judge_tui.errors import UsageError, unknown
from judge_tui.formats.ids import as_field
from judge_tui.model import Query
from judge_tui.sources.cells import as_ids, is_null
from judge_tui.sources.shapes import QueriesSource

__all__ = ["queries_from", "slices_from", "slices_of"]


def queries_from(source: QueriesSource) -> list[Query]:
    """The queries, their ids in the form of TREC files, as those of qrels and runs are."""
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats import read_queries  # noqa: PLC0415 - what is in memory needs none

        source = read_queries(source)
    return [replace(query, query_id=as_field(query.query_id)) for query in source]


def slices_from(queries: QueriesSource, field: str) -> dict[str, str]:
    """The slice of each query by one of its fields: query_id -> value, "" where it has none.

    `field` is `class`, or the name of anything else that the queries file holds beside the text
    (numbers and truth values are written as JSON writes them). Raises `UsageError` where no query
    has the field, naming those there are.
    """
    slices: dict[str, str] = {}
    fields: dict[str, None] = {}
    for query in queries_from(queries):
        values = {**query.meta, "class": query.query_class}
        fields.update(dict.fromkeys(name for name, value in values.items() if _told(value)))
        slices[query.query_id] = _told(values.get(field, ""))
    if not any(slices.values()):
        raise unknown("field of the queries", field, fields)
    return slices


def slices_of(given: Mapping[Any, Any]) -> dict[str, str]:
    """query_id -> name of its slice, as they were given: ids and names made text, "" for None and
    NaN. Raises `UsageError` for what is no id."""

    def refuse(_place: int, told: str, mend: str) -> NoReturn:
        raise UsageError(f"a query id of the slices is {told}", mend)

    query_ids = as_ids(list(given), refuse)
    return dict(zip(query_ids, map(_told, given.values()), strict=True))


def _told(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if is_null(value):
        return ""
    import json  # noqa: PLC0415 - rarely needed, and start-up is counted

    # A number of numpy is one of Python's in disguise.
    plain = value.item() if hasattr(value, "item") else value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, default=str)
