"""`Prefer` and `Authority`: does a list begin with what the answers say is to come first?

Both are about the order of results, whatever their grades: 1 or 0 for a query whose answers say
`prefer` or `authority`, undefined (NaN) for any other. So they need whole lists, and are worked
out beside the measures of grades.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TypeAlias

from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.rules import Rules
from judge_tui.scoring.run import RunScores
from judge_tui.scoring.scores import Scores
from judge_tui.scoring.truths import Pattern, found_in

__all__ = [
    "ORDER_MEASURES",
    "Authority",
    "OrderDemand",
    "OrderDemands",
    "Prefer",
    "demanded_measures",
    "of_grades",
    "with_order",
]

ORDER_MEASURES = {"prefer": "Prefer", "authority": "Authority"}
"""What answers call a demand -> the measure of whether it is met."""


@dataclass(frozen=True, slots=True)
class Prefer:
    """Something of the `better` kind is to come before anything of the `worse` kind: patterns that
    are sought anywhere in a doc_id."""

    better: Pattern
    worse: Pattern

    @property
    def written(self) -> dict[str, str]:
        """As files say it."""
        return {"better": self.better.pattern, "worse": self.worse.pattern}

    def met_by(self, doc_ids: Sequence[str]) -> bool:
        """Whether the list, best first, has a better document before any worse one; one that is
        both stands before neither."""
        for doc_id in doc_ids:
            if found_in(self.worse, doc_id):
                return False
            if found_in(self.better, doc_id):
                return True
        return False

    def decided_by(self, doc_ids: Iterable[str]) -> bool:
        """Whether no result behind these, the first of a list, can change what is said of it."""
        return any(found_in(one, doc_id) for doc_id in doc_ids for one in (self.better, self.worse))


@dataclass(frozen=True, slots=True)
class Authority:
    """The list is to begin with the highest source that it has any result of; `sources`, the
    highest first, are patterns that are sought anywhere in a doc_id."""

    sources: tuple[Pattern, ...]

    @property
    def written(self) -> list[str]:
        """As files say it."""
        return [source.pattern for source in self.sources]

    def met_by(self, doc_ids: Sequence[str]) -> bool:
        """Whether result 1 of the list, best first, is from the highest source in it; not where no
        source has a result."""
        for source in self.sources:
            if any(found_in(source, doc_id) for doc_id in doc_ids):
                return found_in(source, doc_ids[0])
        return False

    def decided_by(self, doc_ids: Iterable[str]) -> bool:
        """Whether no result behind these, the first of a list, can change what is said of it."""
        return any(found_in(self.sources[0], doc_id) for doc_id in doc_ids)


OrderDemand: TypeAlias = Prefer | Authority
OrderDemands: TypeAlias = Mapping[str, Mapping[str, OrderDemand]]
"""query_id -> `prefer` or `authority` -> what is to come first."""


def of_grades(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Those that look at grades: all but `Prefer` and `Authority`."""
    return tuple(measure for measure in measures if not measure.definition.of_order)


def demanded_measures(demands: OrderDemands) -> tuple[str, ...]:
    """The names of the measures of which any query makes the demand."""
    made = {name for its in demands.values() for name in its}
    return tuple(measure for name, measure in ORDER_MEASURES.items() if name in made)


def with_order(
    scores: Scores,
    runs: Iterable[Run],
    demands: OrderDemands,
    measures: Sequence[Measure],
    rules: Rules,
) -> Scores:
    """The scores by `measures`, those of order among them, which are worked out here.

    `scores`: of the same `runs` in the same order, by the others of the measures. A query that
    demands something and has no grades counts as well, where the run answers it or was asked it
    (or with `rules.complete`); its other values are undefined. Raises `UsageError` where a measure
    is asked for and no query makes its demand.
    """
    asked = [measure for measure in measures if measure.definition.of_order]
    for measure in asked:
        if measure.definition.name not in demanded_measures(demands):
            demand = measure.definition.name.lower()
            raise UsageError(
                f"{measure} is measured where answers say `{demand}`, and none do",
                "name the file of answers that do with --answers, or leave it out",
            )
    if not asked:
        return scores
    scored = tuple(
        _with_order(one, run, demands, measures, rules)
        for one, run in zip(scores.runs, runs, strict=True)
    )
    return replace(scores, measures=tuple(measures), runs=scored)


def _with_order(
    scored: RunScores,
    run: Run,
    demands: OrderDemands,
    measures: Sequence[Measure],
    rules: Rules,
) -> RunScores:
    demanding = {query_id for query_id, its in demands.items() if its}
    answered = {query_id for query_id, found in run.scores.items() if found}
    counted = demanding if rules.complete else demanding & (answered | run.asked)
    query_ids = tuple(sorted({*scored.query_ids, *counted}))
    place = {query_id: at for at, query_id in enumerate(scored.query_ids)}
    lists = {query_id: rank(run.scores[query_id])[: rules.depth] for query_id in answered & counted}
    values: dict[str, tuple[float, ...]] = {}
    for measure in measures:
        if measure.definition.of_order:
            values[str(measure)] = tuple(_met(measure, query_ids, demands, lists))
        else:
            known = scored.values[str(measure)]
            values[str(measure)] = tuple(known[place[q]] if q in place else nan for q in query_ids)
    return replace(
        scored,
        query_ids=query_ids,
        values=values,
        missing_run=tuple(sorted({*scored.missing_run, *(demanding - answered)})),
        missing_qrels=tuple(q for q in scored.missing_qrels if q not in demanding),
    )


def _met(
    measure: Measure,
    query_ids: Sequence[str],
    demands: OrderDemands,
    lists: Mapping[str, Sequence[str]],
) -> Iterator[float]:
    name = measure.definition.name.lower()
    for query_id in query_ids:
        demand = demands.get(query_id, {}).get(name)
        yield nan if demand is None else float(demand.met_by(lists.get(query_id, ())))
