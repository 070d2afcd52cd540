"""Scores seen slice by slice: the queries of a class, or of any other field, by themselves."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.model import Query
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.scores import RunScores, Scores

CLASS = "class"
"""The field whose values may have measures of their own."""

Parse: TypeAlias = Callable[[Iterable[str]], tuple[Measure, ...]]
"""What reads names of measures."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The queries that have one value of the field: `name`, "" for those that have none.

    `scores`: of all runs over these queries alone, by what these are scored by; a run that answers
    none of them has no mean, and none has bounds. `declared`: whether the measures are its own.
    """

    name: str
    scores: Scores
    declared: bool = False

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What these queries are scored by."""
        return self.scores.measures

    @property
    def runs(self) -> tuple[RunScores, ...]:
        """The runs over these queries, in the order of the scores."""
        return self.scores.runs

    @property
    def shown(self) -> str:
        """The name as readers see it."""
        return shown_slice(self.name)


@dataclass(frozen=True)
class Slices:
    """All slices by the field `by`, in byte order of their names, "" last.

    `of_query`: query_id -> name of its slice.
    """

    columns: ClassVar = ("slice", "tag", "queries", "measure", "value")
    """The names of what is in a row of `to_rows`."""

    by: str
    slices: tuple[Slice, ...]
    of_query: Mapping[str, str]

    @cached_property
    def composite(self) -> bool:
        """Whether the slices have the same measures: else a mean over all queries would be one of
        different measures, and there is none."""
        return len({frozenset(one.measures) for one in _averaged(self.slices)}) <= 1

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure that a query with a value is scored by, or would be, where none has one."""
        every = (measure for one in _averaged(self.slices) for measure in one.measures)
        return tuple(dict.fromkeys(every))

    def of(self, query_id: str) -> Slice:
        """Return the slice of a query that was scored."""
        return self._by_name[self.of_query.get(query_id, "")]

    @cached_property
    def _by_name(self) -> Mapping[str, Slice]:
        return {one.name: one for one in self.slices}

    def to_rows(self) -> list[tuple[str, str, int, str, float | None]]:
        """Return (slice, tag, queries, measure, mean), named by `columns`; None for a run that
        answers no query of the slice."""
        return [
            (one.name, run.tag, run.count(measure), str(measure), run.mean_or_none(measure))
            for one in self.slices
            for run in one.runs
            for measure in one.measures
        ]


def slice_scores(
    scores: Scores,
    by: str,
    of_query: Mapping[str, str],
    measures: Mapping[str, Sequence[Measure]] | None = None,
) -> Slices:
    """Cut scores into the slices of their queries by one field.

    `of_query`: query_id -> name of its slice; a query that is not in it is in the slice "".
    `measures`: name of a slice -> its own measures, of which the scores must hold the values; a
    slice that is not named has those of the scores. Slices without a single query of the runs or
    the qrels are left out.
    """
    own = measures or {}
    inside: defaultdict[str, set[str]] = defaultdict(set)
    for query_id in chain(scores.query_ids, *scores.missing_qrels) if scores.tags else ():
        inside[of_query.get(query_id, "")].add(query_id)
    slices = tuple(
        Slice(name, scores.where(inside[name]).only(own.get(name, scores.measures)), name in own)
        for name in sorted(inside, key=lambda name: (not name, name))
    )
    return Slices(by, slices, of_query)


def scores_by(scores: Scores, measures: Sequence[Measure]) -> Scores:
    """Return the scores, and their slices, by some of their measures alone; a slice that has
    measures of its own keeps these."""
    found = replace(scores.only(measures), slices=None)
    if (cut := scores.slices) is None:
        return found
    own = {one.name: one.measures for one in cut.slices if one.declared}
    return replace(found, slices=slice_scores(found, cut.by, cut.of_query, own))


def fields_of(queries: Iterable[Query]) -> dict[str, dict[str, str]]:
    """Return what queries can be sliced by: field -> query_id -> value, "" for a query without it.

    `class` comes first, the other fields in alphabetical order; a field that no query has a value
    for is not there. What is not text is written as JSON writes it.
    """
    values = {
        query.query_id: {
            name: _text_of(value)
            for name, value in {**query.meta, CLASS: query.query_class}.items()
        }
        for query in queries
    }
    fields = {name for one in values.values() for name, value in one.items() if value}
    return {
        name: {query_id: one.get(name, "") for query_id, one in values.items()}
        for name in sorted(fields, key=lambda name: (name != CLASS, name))
    }


def _text_of(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)


def shown_slice(name: str) -> str:
    """Return the name of a slice as readers see it: that of the queries without the field is no
    name."""
    return name or "(none)"


def _averaged(slices: Sequence[Slice]) -> Sequence[Slice]:
    """Return the slices with a query that has a value; all of them where none has one."""
    return [one for one in slices if one.scores.counted.any()] or slices


def declared_measures(
    queries: Iterable[Query], of_query: Mapping[str, str], parse: Parse
) -> dict[str, tuple[Measure, ...]]:
    """Return what the queries of each class declare, all of them the same: `"measures": ["RR",
    "P@1"]`. Raises `UsageError` where they declare different ones."""
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
    names: Any = query.meta.get("measures", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise UsageError(
            f"the measures of query {query.query_id!r} are not a list of names",
            'write "measures": ["RR", "P@1"]',
        )
    return parse(names)
