"""Which slice each query is in, by a field of the queries, and what a class is scored by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from judge_tui.analysis.basis import Basis
from judge_tui.errors import UsageError
from judge_tui.model import Query
from judge_tui.scoring import Measure, parse_measures
from judge_tui.scoring.slices import shown_slice
from judge_tui.sources.slices import slices_from

__all__ = ["CLASS", "Slicing", "declared_measures", "measures_by", "slicing_by"]

CLASS = "class"
"""The field whose values may have measures of their own."""

Parse: TypeAlias = Callable[[Iterable[str]], tuple[Measure, ...]]


class Slicing(NamedTuple):
    """`of_query`: query_id -> its value of the field `by`, "" where it has none. `measures`: what
    the queries of a class declare, in place of what is asked for."""

    by: str
    of_query: Mapping[str, str]
    measures: Mapping[str, tuple[Measure, ...]]

    def every(self, measures: Iterable[Measure]) -> tuple[Measure, ...]:
        """These measures, and those of all slices."""
        own = (measure for its in self.measures.values() for measure in its)
        return tuple(dict.fromkeys((*measures, *own)))


def slicing_by(field: str, queries: Sequence[Query], parse: Parse) -> Slicing:
    """The queries by one of their fields. `parse` reads names of measures. Raises `UsageError` for
    a field that no query has, and for classes that declare no one list of measures."""
    of_query = slices_from(queries, field)
    if field != CLASS:
        return Slicing(field, of_query, {})
    return Slicing(field, of_query, declared_measures(queries, of_query, parse))


def measures_by(
    field: str, queries: Iterable[Query], of_query: Mapping[str, str], basis: Basis
) -> tuple[dict[str, tuple[Measure, ...]], Basis]:
    """What the classes of a campaign declare, if `field` is the class, but for what grades and the
    kept runs cannot tell: that is left out, and the basis returned says so."""
    if field != CLASS:
        return {}, basis
    parse = partial(parse_measures, max_rel=basis.grades[-1])
    declared = declared_measures(queries, of_query, parse)
    every = dict.fromkeys(one for its in declared.values() for one in its)
    left_out = {measure: why for measure in every if (why := basis.cannot_tell(measure))}
    can = {name: tuple(one for one in its if one not in left_out) for name, its in declared.items()}
    named = {measure.name: why for measure, why in left_out.items()}
    return can, replace(basis, left_out={**basis.left_out, **named})


def declared_measures(
    queries: Iterable[Query], of_query: Mapping[str, str], parse: Parse
) -> dict[str, tuple[Measure, ...]]:
    """What the queries of each class declare, all of them the same: `"measures": ["RR", "P@1"]`.
    Raises `UsageError` where they declare different ones."""
    declared: dict[str, tuple[Measure, ...]] = {}
    first: dict[str, Query] = {}
    for query in queries:
        name = of_query[query.query_id]
        measures = _measures_of(query, parse)
        before = first.setdefault(name, query)
        if set(declared.setdefault(name, measures)) != set(measures):
            raise UsageError(
                f"queries {before.query_id!r} and {query.query_id!r} are both of class"
                f" {shown_slice(name)!r} and declare different measures",
                "declare the same measures for all queries of a class",
            )
    return {name: measures for name, measures in declared.items() if measures}


def _measures_of(query: Query, parse: Parse) -> tuple[Measure, ...]:
    given: Any = query.meta.get("measures", [])
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise UsageError(
            f"the measures of query {query.query_id!r} are no list of names",
            'write "measures": ["RR", "P@1"]',
        )
    return parse(given)
