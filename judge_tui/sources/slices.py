"""Which slice each query is in: by a field of the queries, or as the caller has it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NoReturn

from judge_tui.errors import UsageError, in_message, unknown
from judge_tui.formats.ids import id_in
from judge_tui.model import Query
from judge_tui.sources.in_memory import as_ids, is_null, is_table
from judge_tui.sources.shapes import QueriesSource, SlicesSource

__all__ = ["queries_from", "slices_from", "slices_of"]


def queries_from(source: QueriesSource) -> list[Query]:
    """The queries, their ids in the form of TREC files, as those of qrels and runs are.

    Raises `InputError` for a file that holds none, `UsageError` for what are no queries.
    """
    if isinstance(source, str | os.PathLike):
        from judge_tui.formats.whole_files import read_queries  # noqa: PLC0415 - what is in memory needs none

        source = read_queries(source)
    source = list(source) if isinstance(source, Iterable) else [source]
    for query in source:
        if not isinstance(query, Query):
            raise UsageError(
                f"{in_message(query)} is no query",
                "give a file, or queries of judge_tui.model; slices take query_id -> name",
            )
    return [replace(query, query_id=id_in(query.query_id)) for query in source]


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
        fields.update(dict.fromkeys(name for name, value in values.items() if _name_in(value)))
        slices[query.query_id] = _name_in(values.get(field, ""))
    if field not in fields:
        raise unknown("field of the queries", field, fields)
    return slices


def slices_of(given: SlicesSource) -> dict[str, str]:
    """query_id -> name of its slice, as they were given: ids and names made text, "" for None and
    NaN. Raises `UsageError` for what is no id, and for one that comes twice."""
    if is_table(given) or not hasattr(given, "items"):
        raise UsageError(
            f"the slices: {type(given).__name__} is none of the forms that are understood",
            "give query_id -> name, in a mapping or a series",
        )
    pairs = list(given.items())

    def refuse(_place: int, value: str, mend: str) -> NoReturn:
        raise UsageError(f"a query id of the slices is {value}", mend)

    query_ids = as_ids([query_id for query_id, _ in pairs], refuse)
    for query_id, name in pairs:
        if isinstance(name, Iterable) and not isinstance(name, str | bytes):
            raise UsageError(
                f"the slice of query {query_id!r} is {in_message(name)}", "give query_id -> name"
            )
    slices = dict(zip(query_ids, [_name_in(name) for _, name in pairs], strict=True))
    if len(slices) < len(pairs):
        doubled = next(q for place, q in enumerate(query_ids) if q in query_ids[:place])
        raise UsageError(f"query {doubled!r} is twice in the slices", "give it once")
    return slices


def _name_in(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if is_null(value):
        return ""
    import json  # noqa: PLC0415 - rarely needed, and start-up is counted

    # A number of numpy is one of Python's in disguise.
    plain = value.item() if hasattr(value, "item") else value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, default=str)
