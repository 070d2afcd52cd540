"""Scores seen slice by slice: the queries of a class, or of any other field, by themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from judge_tui.scoring.measure import Measure
from judge_tui.scoring.run import RunScores
from judge_tui.scoring.scores import Scores

__all__ = ["Slice", "Slices", "shown_slice", "slice_scores"]


@dataclass(frozen=True, slots=True)
class Slice:
    """The queries that have one value of the field: `name`, "" for those that have none.

    `runs` are the runs over these queries alone, in the order of the scores; a run that answers
    none of them has no `query_ids`, and so no mean, and none has bounds. `measures`: what these
    queries are scored by.
    """

    name: str
    measures: tuple[Measure, ...]
    runs: tuple[RunScores, ...]

    @property
    def shown(self) -> str:
        """The name as readers see it."""
        return shown_slice(self.name)


@dataclass(frozen=True, slots=True)
class Slices:
    """All slices by the field `by`, in byte order of their names, "" last.

    `of_query`: query_id -> name of its slice. With `composite` every slice has the same measures;
    without it a mean over all queries would be one of different measures, and there is none.
    """

    columns: ClassVar = ("slice", "tag", "queries", "measure", "value")
    """The names of what is in a row of `to_rows`."""

    by: str
    slices: tuple[Slice, ...]
    of_query: Mapping[str, str]
    composite: bool

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure that a query with a value is scored by, or would be, where none has one."""
        every = (measure for one in _averaged(self.slices) for measure in one.measures)
        return tuple(dict.fromkeys(every))

    def of(self, query_id: str) -> Slice:
        """The slice of a query that was scored."""
        name = self.of_query.get(query_id, "")
        return next(one for one in self.slices if one.name == name)

    def to_rows(self) -> list[tuple[str, str, int, str, float | None]]:
        """(slice, tag, queries, measure, mean), named by `columns`; None for a run that answers no
        query of the slice."""
        return [
            (one.name, run.tag, run.counted(measure), str(measure), run.mean_or_none(measure))
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
    parts = [_parts(run, of_query) for run in scores.runs]
    names = sorted({name for run in parts for name in run})
    if "" in names:
        names.append(names.pop(0))
    slices = tuple(
        Slice(
            name,
            tuple(own.get(name, scores.measures)),
            tuple(
                run.get(name) or _cut(whole, _Places())
                for whole, run in zip(scores.runs, parts, strict=True)
            ),
        )
        for name in names
    )
    averaged = {frozenset(one.measures) for one in _averaged(slices)}
    return Slices(by, slices, of_query, composite=len(averaged) <= 1)


def shown_slice(name: str) -> str:
    """The name of a slice as readers see it: that of the queries without the field is no name."""
    return name or "(none)"


def _averaged(slices: Sequence[Slice]) -> Sequence[Slice]:
    """Those with a query that has a value; all of them where none has one."""
    return [one for one in slices if any(run.query_ids for run in one.runs)] or slices


@dataclass(slots=True)
class _Places:
    """Where the queries of one slice stand in the query_ids of a run, and which are missing."""

    averaged: list[int] = field(default_factory=list)
    missing_run: list[str] = field(default_factory=list)
    missing_qrels: list[str] = field(default_factory=list)


def _parts(run: RunScores, of_query: Mapping[str, str]) -> dict[str, RunScores]:
    """The run by slice, each query looked at once."""
    places: defaultdict[str, _Places] = defaultdict(_Places)
    for place, query_id in enumerate(run.query_ids):
        places[of_query.get(query_id, "")].averaged.append(place)
    for query_id in run.missing_run:
        places[of_query.get(query_id, "")].missing_run.append(query_id)
    for query_id in run.missing_qrels:
        places[of_query.get(query_id, "")].missing_qrels.append(query_id)
    return {name: _cut(run, found) for name, found in places.items()}


def _cut(run: RunScores, places: _Places) -> RunScores:
    return replace(
        run,
        query_ids=tuple([run.query_ids[at] for at in places.averaged]),
        values={
            m: tuple([values[at] for at in places.averaged]) for m, values in run.values.items()
        },
        missing_run=tuple(places.missing_run),
        missing_qrels=tuple(places.missing_qrels),
        bounds=None,
    )
