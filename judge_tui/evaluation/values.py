"""Values that were measured elsewhere, as scores: they enter the path behind the measures, and are
compared and held to gates like any others.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.errors import UsageError, check_known, in_message
from judge_tui.evaluation.memory import is_frame, listed, read_frame
from judge_tui.evaluation.runs import FilePath, is_file
from judge_tui.formats.query_values import VALUE, QueryValue, read_query_values, values_in
from judge_tui.model import Outcomes
from judge_tui.scoring import Definition, JudgedLists, Measure, Rules, Scores, parse_measures

if TYPE_CHECKING:
    from judge_tui.evaluation.score_runs import Measures

ValuesSource: TypeAlias = FilePath | Mapping[str, FilePath] | Iterable[Any]
"""A file, several, or each by the tag of its system; or a data frame."""


def read_values(source: ValuesSource) -> Scores:
    """Read values of systems by query, whatever they measure, to be compared (`compare`).

    A file or a data frame has a column of queries and one for each system, or the columns
    `query_id`, `system`, `measure` (it may be missing) and `value`; a file may be what `trec_eval
    -q` prints, too. More is better. A measure that has a name of ours is that measure; one that is
    not named is called `value`. Raises `InputError` and `UsageError`.
    """
    measures: dict[str, Measure] = {}
    values: dict[str, dict[str, dict[str, float]]] = {}
    for one in _values_in(source):
        if one.measure not in measures:
            measures[one.measure] = _measure(one.measure)
        measure = str(measures[one.measure])
        of_query = values.setdefault(one.system, {}).setdefault(one.query_id, {})
        if measure in of_query:
            raise UsageError(
                f"query {one.query_id!r} of {one.system!r} has two values by {measure}",
                "leave one out; TAG=FILE names the system of a file",
            )
        of_query[measure] = one.value
    if not values:
        raise UsageError("there are no values", "give at least one")
    return replace(scores_of(tuple(dict.fromkeys(measures.values())), values), reference="values")


def scores_of(
    measures: Sequence[Measure], values: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> Scores:
    """Return scores of tag -> query_id -> full name of the measure -> value."""
    query_ids = tuple(sorted({query_id for run in values.values() for query_id in run}))
    shape = len(values), len(query_ids)
    there = [[query_id in run for query_id in query_ids] for run in values.values()]
    counted = np.array(there, dtype=bool).reshape(shape)

    def by(name: str) -> Floats:
        rows = [[run.get(one, {}).get(name, nan) for one in query_ids] for run in values.values()]
        return np.array(rows, dtype=np.float64).reshape(shape)

    return Scores(
        tuple(measures),
        tuple(values),
        query_ids,
        {str(measure): by(str(measure)) for measure in measures},
        counted=counted,
        answered=counted,
        missing_qrels=((),) * len(values),
        rules=Rules(),
    )


def scores_of_outcomes(outcomes: Outcomes) -> Scores:
    """Return the arms as runs and the tasks as queries: 1 where a check, which is a measure, is
    passed, 0 where it is not, NaN where there is no outcome."""
    values = {
        arm: {
            task: {
                check: float(outcomes.passed[check, arm][task])
                for check in outcomes.checks
                if task in outcomes.passed.get((check, arm), ())
            }
            for task in outcomes.tasks
        }
        for arm in outcomes.arms
    }
    return replace(
        scores_of([*map(_measure_called, outcomes.checks)], values), reference="outcomes"
    )


def choose_measures(
    scores: Scores, named: Measures | None, defaults: Sequence[str]
) -> tuple[Measure, ...]:
    """Return the measures that are `named`, of those of the scores; where named is None, the
    `defaults` as far as they are there, or the only one. Raises `UsageError` for one that is not
    there, and where none is named of several."""
    known = {name: _measure(name) for name in scores.by_measure}
    if named is not None:
        several = isinstance(named, Iterable) and not isinstance(named, str)
        names = [str(_measure(str(one))) for one in cast(Any, named if several else [named])]
        for name in names:
            check_known("measure of these values", name, known)
        return tuple(known[name] for name in names)
    names = [name for name in defaults if name in known] or [*known]
    if len(names) > len(defaults):
        one = next((name for name in names if known[name].definition.quality), names[0])
        mend = f"name those to compare, such as -m {shlex.quote(one)}"
        raise UsageError(f"the values are by {', '.join(known)}", mend)
    return tuple(known[name] for name in names)


def _values_in(source: Any) -> Iterator[QueryValue]:
    if is_file(source):
        yield from read_query_values(source)
    elif is_frame(source):
        yield from read_frame(values_in, source, "the values", ("tag", "query_id", VALUE))
    else:
        files = source.items() if isinstance(source, Mapping) else listed(source, "the values")
        for file in files:
            tag, path = file if isinstance(file, tuple) and len(file) == 2 else (None, file)
            if not is_file(path):
                raise UsageError(
                    f"{in_message(path)} is not a file", "give a file, or a data frame"
                )
            yield from read_query_values(path, tag)


def _measure(name: str) -> Measure:
    """Return the measure of ours that is meant, else one of that name."""
    try:
        measures = parse_measures(name)
    except UsageError:
        measures = ()
    if len(measures) == 1:
        return measures[0]
    return _measure_called(name)


def _measure_called(name: str) -> Measure:
    return Measure(Definition(name, "measured elsewhere", "", _unknown, own_depth=True))


def _unknown(_lists: JudgedLists, measure: Measure) -> NoReturn:
    raise UsageError(f"{measure} was measured elsewhere", "give its values")
