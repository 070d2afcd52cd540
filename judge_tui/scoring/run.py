"""One run scored with qrels: a value for each query and measure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan

from judge_tui.errors import UsageError
from judge_tui.model import Qrels, Run
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.names import Asked, parse_measure, parse_measures
from judge_tui.scoring.rules import Rules
from judge_tui.scoring.seen import Knowledge, Seen, know, see

__all__ = [
    "QueryValues",
    "RunScores",
    "gather",
    "nothing_found",
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

    def within(self, bounds: Mapping[str, tuple[float, float]]) -> RunScores:
        """The same scores with their bounds."""
        return replace(self, bounds=bounds)


QueryValues = tuple[float, ...]
"""The values of one query, one a measure, in the order of the measures."""


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
    knowledge = know(qrels)
    answered = {query_id: scores for query_id, scores in run.scores.items() if scores}
    values = {
        query_id: values_of(see(knowledge[query_id], scores), measures, rules)
        for query_id, scores in answered.items()
        if query_id in knowledge
    }
    others = (answered.keys() | run.asked) - knowledge.keys()
    return gather(run.tag, knowledge, measures, rules, values, others, asked=run.asked)


def values_of(seen: Seen, measures: Sequence[Measure], rules: Rules) -> QueryValues:
    """The values of one query by each measure."""
    if rules.depth is not None:
        seen = seen.first(rules.depth)
    if not rules.judged_only:
        return tuple([measure.value(seen) for measure in measures])
    condensed = seen.condensed()
    return tuple(
        measure.value(condensed if measure.definition.condenses else seen) for measure in measures
    )


def nothing_found(tag: str, knowledge: Knowledge, measures: Sequence[Measure]) -> RunScores:
    """The scores of a run without any results, over all queries of the qrels."""
    query_ids = tuple(sorted(knowledge))
    values = {
        str(measure): tuple(measure.missing(knowledge[query_id]) for query_id in query_ids)
        for measure in measures
    }
    return RunScores(tag, query_ids, values, missing_run=query_ids, missing_qrels=())


def gather(
    tag: str,
    knowledge: Knowledge,
    measures: Sequence[Measure],
    rules: Rules,
    values: Mapping[str, QueryValues],
    others: Collection[str],
    by: str = "qrels",
    asked: Collection[str] = (),
    demanding: Collection[str] = (),
) -> RunScores:
    """The scores of a run from the `values` of its judged queries; `others` are not in the qrels,
    or in whatever it is scored `by`. Those `asked` are averaged even where they have no values.
    `demanding`: queries that are measured by what they demand, and so are missing from no qrels; a
    run that has these alone has no `query_ids`.

    Raises `UsageError` where no query is in both.
    """
    strangers = tuple(sorted(query_id for query_id in others if query_id not in demanding))
    missing = tuple(sorted(query_id for query_id in knowledge if query_id not in values))
    nothing = [query_id for query_id in missing if query_id in asked]
    if not values and not nothing and len(strangers) == len(others):
        raise _nothing_in_common(knowledge or demanding, tag, strangers, by)
    if counted := missing if rules.complete else nothing:
        values = {
            **values,
            **{q: tuple([m.missing(knowledge[q]) for m in measures]) for q in counted},
        }
    query_ids = tuple(sorted(values))
    columns: Iterable[tuple[float, ...]] = [()] * len(measures)
    if query_ids:
        columns = zip(*(values[query_id] for query_id in query_ids), strict=True)
    return RunScores(
        tag=tag,
        query_ids=query_ids,
        values=dict(zip(map(str, measures), columns, strict=True)),
        missing_run=missing,
        missing_qrels=strangers,
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
