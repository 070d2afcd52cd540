"""Which slice each query is in, by a field of the queries, and what a class is scored by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from judge_tui.errors import UsageError, in_message, unknown
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.evaluation.memory import id_of, is_frame, is_null, named_value
from judge_tui.evaluation.shapes import SlicesSource
from judge_tui.model import Query
from judge_tui.scoring import Measure
from judge_tui.scoring.slices import CLASS, Parse, declared_measures


class Slicing(NamedTuple):
    """`of_query`: query_id -> its value of the field `by`, "" where it has none. `measures`: what
    the queries of a class declare, in place of what is asked for."""

    by: str
    of_query: Mapping[str, str]
    measures: Mapping[str, tuple[Measure, ...]]

    def every(self, measures: Iterable[Measure]) -> tuple[Measure, ...]:
        """Return these measures, and those of all slices."""
        own = (measure for declared in self.measures.values() for measure in declared)
        return tuple(dict.fromkeys((*measures, *own)))


def slice_queries(
    inputs: EvaluationInputs, slices: SlicesSource | None, by: str | None, parse: Parse
) -> Slicing:
    """Slice the queries as `slices` say, or `by` one of their fields. `parse` reads names of
    measures. Raises `UsageError` for both, for a field that no query has, for classes that declare
    no one list of measures, and for slices of other queries."""
    if slices is not None and by is not None:
        raise UsageError("slices are given twice", "give slices, or by and queries")
    if by is None:
        slicing = Slicing("slice", _by_mapping(slices), {})
    elif not inputs.queries:
        raise UsageError(f"slices by {by} need the queries", "give their file (--queries FILE)")
    else:
        of_query = _by_field(inputs.queries, by)
        declared = declared_measures(inputs.queries, of_query, parse) if by == CLASS else {}
        slicing = Slicing(by, of_query, declared)
    values = () if inputs.values is None else inputs.values.query_ids
    known = {*inputs.qrels, *inputs.order_demands, *values}
    if slicing.of_query and known and slicing.of_query.keys().isdisjoint(known):
        raise UsageError(
            f"the queries and the {inputs.reference} have no id in common:"
            f" {min(slicing.of_query)!r} there and {min(known)!r} here",
            "use the same query ids in both",
        )
    return slicing


def _by_field(queries: Sequence[Query], field: str) -> dict[str, str]:
    """Return query_id -> value, "" where a query has none.

    `field` is `class`, or the name of anything else that the queries file holds beside the text
    (numbers and truth values are written as JSON writes them). Raises `UsageError` where no query
    has the field, naming those there are.
    """
    slices: dict[str, str] = {}
    fields: dict[str, None] = {}
    for query in queries:
        values = {**query.meta, "class": query.query_class}
        fields.update(dict.fromkeys(name for name, value in values.items() if _name_in(value)))
        slices[query.query_id] = _name_in(values.get(field, ""))
    if not fields:
        raise UsageError(
            f"no field of the queries {field!r}, for they have an id and a text alone",
            "give a file with fields, as JSONL and CSV have them (--queries FILE)",
        )
    if field not in fields:
        raise unknown("field of the queries", field, fields)
    return slices


def _by_mapping(slices: Any) -> dict[str, str]:
    """Return query_id -> name of its slice, of a mapping or a series: ids and names made text, ""
    for None and NaN. Raises `UsageError` for what is no id, and for one that comes twice."""
    if is_frame(slices) or not hasattr(slices, "items"):
        raise UsageError(
            f"the slices: {type(slices).__name__} is none of the forms that are understood",
            "give query_id -> name, in a mapping or a series",
        )
    found: dict[str, str] = {}
    for query, name in slices.items():
        query_id = named_value("a query id of the slices", id_of, query)
        if isinstance(name, Iterable) and not isinstance(name, str | bytes):
            raise UsageError(
                f"the slice of query {query_id!r} is {in_message(name)}", "give query_id -> name"
            )
        if query_id in found:
            raise UsageError(f"query {query_id!r} is twice in the slices", "give it once")
        found[query_id] = _name_in(name)
    return found


def _name_in(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if is_null(value):
        return ""
    import json  # noqa: PLC0415 - rarely needed, and start-up is counted

    # A number of numpy is one of Python's in disguise.
    plain = value.item() if hasattr(value, "item") else value
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, default=str)
