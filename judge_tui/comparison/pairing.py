"""Runs put side by side: the values of two runs for the queries that both answer, and the parts
of the queries that are compared by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from judge_tui.comparison.corrections import Floats
from judge_tui.comparison.settings import Settings
from judge_tui.errors import UsageError, unknown
from judge_tui.scoring import MEASURES, Measure, RunScores, Scores

__all__ = [
    "Pair",
    "Parts",
    "Runs",
    "measures_needed",
    "pair_up",
    "parts_of",
    "refuse_apart",
    "who_with_whom",
]

Runs = tuple[RunScores, RunScores]
"""A baseline, and the run beside it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs by one measure; `slice` is None where all queries are compared.

    `query_ids` ascending; the arrays hold one entry a query: the measure's values, and whether
    anything relevant was found within its depth.
    """

    measure: str
    baseline: str
    tag: str
    slice: str | None
    query_ids: tuple[str, ...]
    before: Floats
    after: Floats
    found_before: Floats
    found_now: Floats


def measures_needed(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The measures, and those that tell whether anything relevant was found: what to score by.

    Raises `UsageError` for a measure of which more is not better: by it, nothing can be said.
    """
    for measure in measures:
        if not measure.definition.quality:
            raise UsageError(
                f"more of {measure} does not make a run better, so that runs cannot be compared by"
                " it",
                "leave it out; scores show it",
            )
    return tuple(dict.fromkeys([*measures, *map(_found, measures)]))


def who_with_whom(scores: Scores, settings: Settings) -> list[Runs]:
    """Each run beside the baseline, or beside every earlier run, in the order of the scores.

    Raises `UsageError` for fewer than two runs and for a baseline that is none of them.
    """
    runs = scores.runs
    if len(runs) < 2:
        raise UsageError(f"a comparison needs two runs, here {len(runs)}", "give another run")
    if settings.all_pairs:
        return list(combinations(runs, 2))
    tag = runs[0].tag if settings.baseline is None else settings.baseline
    if tag not in scores:
        raise unknown("run", tag, scores)
    return [(scores[tag], run) for run in runs if run.tag != tag]


def refuse_apart(paired: Sequence[Runs]) -> None:
    """Raise `UsageError` for two runs that share no query."""
    for baseline, run in paired:
        if set(baseline.query_ids).isdisjoint(run.query_ids):
            raise UsageError(
                f"runs {baseline.tag!r} and {run.tag!r} have no judged query in common",
                "compare runs that answer the same queries",
            )


def pair_up(paired: Sequence[Runs], parts: Parts) -> Iterator[Pair]:
    """Measure by measure, part by part, pair by pair: the values over the queries of both runs. A
    part in which two runs share no query has no pair."""
    columns = _Columns()
    shared = [_Shared(runs, parts) for runs in paired]
    for measure, name in parts:
        for both in shared:
            found = _found(measure)
            if any(str(found) not in run.values for run in (both.baseline, both.run)):
                # A saved result has the measures that were asked for.
                found = measure
            inside = both.within.get(name)
            if inside is None:
                continue
            before, after = both.before[inside], both.after[inside]
            defined = ~np.isnan(
                columns.of(both.baseline, measure)[before] + columns.of(both.run, measure)[after]
            )
            if not defined.any():
                continue
            inside, before, after = inside[defined], before[defined], after[defined]
            yield Pair(
                measure=str(measure),
                baseline=both.baseline.tag,
                tag=both.run.tag,
                slice=name,
                query_ids=tuple(both.query_ids[place] for place in inside.tolist()),
                before=columns.of(both.baseline, measure)[before],
                after=columns.of(both.run, measure)[after],
                found_before=columns.of(both.baseline, found)[before],
                found_now=columns.of(both.run, found)[after],
            )


class _Shared:
    """The queries that two runs share: where they stand in each, and which belong to a part."""

    def __init__(self, runs: Runs, parts: Parts) -> None:
        self.baseline, self.run = runs
        there = {query_id: place for place, query_id in enumerate(self.run.query_ids)}
        both = [
            (query_id, place, there[query_id])
            for place, query_id in enumerate(self.baseline.query_ids)
            if query_id in there
        ]
        self.query_ids = [query_id for query_id, _, _ in both]
        self.before = np.array([place for _, place, _ in both])
        self.after = np.array([place for _, _, place in both])
        within: dict[str | None, list[int]] = {}
        for place, query_id in enumerate(self.query_ids):
            within.setdefault(parts.name_of(query_id), []).append(place)
        self.within = {name: np.array(places) for name, places in within.items()}


class _Columns:
    """The values of a run by a measure as an array, made once for all pairs."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, str], Floats] = {}

    def of(self, run: RunScores, measure: Measure) -> Floats:
        key = (id(run), str(measure))
        if key not in self._made:
            self._made[key] = np.array(run.values[str(measure)], dtype=np.float64)
        return self._made[key]


def _found(measure: Measure) -> Measure:
    if measure.definition.own_depth:
        return measure
    # RR at the same depth is above 0 exactly where something relevant was found there.
    rel = () if measure.rel == 1 else (("rel", measure.rel),)
    return replace(measure, definition=MEASURES["RR"], chosen=rel)


@dataclass(frozen=True, slots=True)
class Parts:
    """The names of the slices, in byte order, "" last; None alone stands for all queries.

    `of_query`: query_id -> name of its slice, None where nothing is sliced; a query that is not in
    it is in the slice "". `measures`: what each part is compared by.
    """

    of_query: Mapping[str, str] | None
    measures: Mapping[str | None, tuple[Measure, ...]]

    @property
    def names(self) -> tuple[str | None, ...]:
        """The parts, in their order."""
        return tuple(self.measures)

    def name_of(self, query_id: str) -> str | None:
        """The part that a query belongs to."""
        return None if self.of_query is None else self.of_query.get(query_id, "")

    def __iter__(self) -> Iterator[tuple[Measure, str | None]]:
        """What is compared: measure by measure, and by each part by part."""
        every = dict.fromkeys(m for measures in self.measures.values() for m in measures)
        for measure in every:
            for name, measures in self.measures.items():
                if measure in measures:
                    yield measure, name


def parts_of(
    scores: Scores,
    measures: Sequence[Measure],
    slices: Mapping[str, str] | None,
    measures_of: Mapping[str, Sequence[Measure]],
) -> Parts:
    """The slices of the queries that are scored, or all of these queries as one part.

    `measures_of`: name of a slice -> what it is compared by in place of `measures`.
    """
    if slices is None:
        return Parts(None, {None: tuple(measures)})
    names = {slices.get(query_id, "") for run in scores.runs for query_id in run.query_ids}
    return Parts(
        slices,
        {
            name: tuple(measures_of.get(name, measures))
            for name in sorted(names, key=lambda name: (not name, name))
        },
    )
