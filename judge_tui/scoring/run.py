"""One run scored with qrels: a value for each query and measure."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Run
from judge_tui.scoring.bounds import bounds_of
from judge_tui.scoring.judged_lists import Floats, JudgedLists, JudgedQueries, look_up
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.names import Asked, parse_measure, parse_measures
from judge_tui.scoring.rules import Rules

__all__ = [
    "RunScores",
    "gather",
    "score_run",
    "values_of",
]


@dataclass(frozen=True, slots=True)
class RunScores:
    """The values of one run.

    `query_ids`: the queries averaged over, in ascending byte order. `values`: full name of the
    measure -> one value a query, aligned with `query_ids`, NaN where the measure is undefined for a
    query. `missing_run`: queries of the qrels for
    which the run has no result, those among `query_ids` that count as nothing found, too;
    `missing_qrels`: queries of the run, those it was asked among them, that have no judgment; both
    ascending. `bounds`: name of the measure -> the least and the greatest its mean could be, were
    everything judged; None where they were not asked for.
    """

    tag: str
    query_ids: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    missing_run: tuple[str, ...]
    missing_qrels: tuple[str, ...]
    bounds: Mapping[str, tuple[float, float]] | None = None

    def mean(self, measure: Asked) -> float:
        """The mean over `query_ids`, or what the measure has instead (a sum, a geometric mean).

        Raises `UsageError` for a measure that is not among the `values`, by its full name: what was
        scored as `RR(rel=2)` is not `RR`; and where there is no query to average over.
        """
        measure = parse_measure(measure)
        values = self.values.get(str(measure))
        if values is None:
            raise UsageError(
                f"run {self.tag!r} is not scored by {measure}",
                f"it has {', '.join(self.values) or 'no measure'}",
            )
        if not (defined := [value for value in values if not isnan(value)]):
            raise UsageError(
                f"run {self.tag!r} answers none of these queries and has no mean",
                "leave out runs whose query_ids are empty",
            )
        return measure.definition.average(defined)

    def mean_or_none(self, measure: Asked) -> float | None:
        """The same, but None where there is no query to average over."""
        values = self.values.get(str(measure))
        return None if values is not None and all(map(isnan, values)) else self.mean(measure)

    def counted(self, measure: Measure) -> int:
        """How many of the queries have a value by it: the mean is over these."""
        return sum(not isnan(value) for value in self.values[str(measure)])

    def value(self, measure: Measure, place: int) -> float | None:
        """That of the query at this place of `query_ids`; None where it is undefined."""
        value = self.values[str(measure)][place]
        return None if isnan(value) else value

    @property
    def without_results(self) -> tuple[str, ...]:
        """The queries averaged for which the run has no result: nothing found, which counts."""
        averaged = set(self.query_ids)
        return tuple(query_id for query_id in self.missing_run if query_id in averaged)


def score_run(
    qrels: Qrels,
    run: Run,
    measures: Iterable[Measure | str] | Measure | str,
    *,
    complete: bool = False,
    judged_only: bool = False,
    depth: int | None = None,
) -> RunScores:
    """Score one run over the queries that are in both qrels and run, as trec_eval does.

    For runs that are held in memory; files are scored while they are read (`judge_tui.streaming`),
    by the same rules. `complete`, `judged_only` and `depth` are those of `Rules`. A query without
    results, or without a single line in the qrels, is missing there; one that the run is known to
    have been asked (`Run.asked`) counts without results, too. Raises `UsageError` where no query is
    in both.
    """
    measures = parse_measures(measures)
    rules = Rules(complete, judged_only, depth)
    lists = look_up(JudgedQueries.of(qrels), qrels, run.scores)
    return gather(
        run.tag,
        lists,
        values_of(lists, measures, rules),
        rules,
        others={query_id for query_id, found in run.scores.items() if found} | run.asked,
        asked=run.asked,
    )


def values_of(
    lists: JudgedLists, measures: Iterable[Measure], rules: Rules
) -> dict[Measure, Floats]:
    """float64[lists] by each measure."""
    lists = lists.first(rules.depth or sys.maxsize)
    return {
        measure: measure.value(
            lists.condensed if rules.judged_only and measure.definition.condenses else lists
        )
        for measure in measures
    }


def gather(
    tag: str,
    lists: JudgedLists,
    values: Mapping[Measure, Floats],
    rules: Rules,
    *,
    others: Collection[str],
    by: str = "qrels",
    asked: Collection[str] = (),
    demanding: Collection[str] = (),
    grades: Sequence[int] | None = None,
) -> RunScores:
    """The scores of a run from the `values` of its judged `lists`, one of each query at most.

    `others`: all queries that it answers or was asked, of which those that the grades do not know,
    or whatever it is scored `by`, are missing there. Those `asked` are averaged even where they
    have no list. `demanding`: queries that are measured by what they demand, and so are missing
    from no qrels; a run that has these alone has no `query_ids`. `grades`: those that an unjudged
    document might get, for the bounds.

    Raises `UsageError` where no query is in both.
    """
    known = lists.known
    strange = {query_id for query_id in others if query_id not in known.place}
    strangers = tuple(sorted(strange.difference(demanding)))
    answered = np.zeros(len(known), dtype=bool)
    answered[lists.query] = True
    counted = answered.copy()
    counted[[known.place[query_id] for query_id in asked if query_id in known.place]] = True
    if not counted.any() and len(strangers) == len(strange):
        raise _nothing_in_common(known.query_ids or demanding, tag, strangers, by)
    averaged = np.arange(len(known)) if rules.complete else np.flatnonzero(counted)
    unanswered = JudgedLists.without_results(averaged, known)

    def column(measure: Measure, of_lists: Floats) -> tuple[float, ...]:
        """What is averaged: 0 where there is no list, but for what looks at no results."""
        worth = np.zeros(len(known))
        if not measure.definition.looks_at_results:
            worth[averaged] = measure.value(unanswered)
        worth[lists.query] = of_lists
        return tuple(worth[averaged].tolist())

    bounds: dict[str, tuple[float, float]] | None = None if grades is None else {}
    if bounds is not None and grades is not None and len(averaged):
        for measure in values:
            between = bounds_of(lists.first(rules.depth or sys.maxsize), measure, grades)
            if between is not None:
                low, high = (column(measure, one) for one in between)
                average = measure.definition.average
                bounds[measure.name] = average(low), average(high)
    return RunScores(
        tag,
        tuple(known.query_ids[row] for row in averaged.tolist()),
        {measure.name: column(measure, found) for measure, found in values.items()},
        missing_run=tuple(known.query_ids[row] for row in np.flatnonzero(~answered).tolist()),
        missing_qrels=strangers,
        bounds=bounds,
    )


def _nothing_in_common(
    known: Collection[str], tag: str, answered: Sequence[str], by: str
) -> UsageError:
    if not known:
        return UsageError("the qrels hold no judgment", "judge some documents first")
    if not answered:
        return UsageError(f"run {tag!r} holds no result", "give a run that answers queries")
    return UsageError(
        f"run {tag!r} and the {by} have no query in common: the run has {min(answered)!r}, "
        f"the {by} have {min(known)!r}",
        "use the same query ids in both files",
    )
