"""Live systems: what they are scored and compared by, and how each of their answers fares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge_tui.analysis.evaluation import BANDED, TOP, EvaluatedQuery, Found
from judge_tui.errors import unknown
from judge_tui.evaluation.gates import Gate, refuse_gates
from judge_tui.evaluation.slices import declared_measures
from judge_tui.expectations import Expectations
from judge_tui.model import Run
from judge_tui.scoring import Measure, Rules, Scores, judged_beside, parse_measures, slice_scores
from judge_tui.scoring.order import Authority, OrderDemand, Prefer, demanded_measures, with_order
from judge_tui.scoring.prefer import Prefer as PreferDemand
from judge_tui.scoring.truths import Credit
from judge_tui.significance import Comparisons, Settings, compare_scores, measures_needed

__all__ = ["USUAL", "EvaluationPlan", "look_at", "plan_evaluation", "score_live"]

USUAL = ("nDCG@10", "RR@10", "P@5", "R@10", "AP")
"""What systems are scored by where no measure is named, with grades by Judged@10, too; the first is
what they are compared by: what nobody has asked for would widen the family."""


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What is `shown` of all systems, what they are `compared` by, and what classes of queries
    `declare` to be measured by instead. `needed`: all of it, and what gates ask for."""

    shown: tuple[Measure, ...]
    compared: tuple[Measure, ...]
    declared: Mapping[str, Sequence[Measure]]
    class_of: Mapping[str, str]
    needed: tuple[Measure, ...]
    settings: Settings


def plan_evaluation(
    right: Expectations,
    names: Sequence[str],
    measures: Iterable[str] = (),
    gates: Iterable[Gate] = (),
    baseline: str | None = None,
) -> EvaluationPlan:
    """Everything that can be refused before systems are asked for hours. Raises `UsageError`."""
    gates = list(gates)
    if baseline is not None and baseline not in names:
        raise unknown("system", baseline, names)
    asked = parse_measures(measures)
    class_of = {query.query_id: query.query_class for query in right.queries}
    declared = declared_measures(right.queries, class_of, parse_measures)
    classes = {*class_of.values()} if len({*class_of.values()}) > 1 or declared else set()
    settings = Settings(baseline=baseline or names[0])
    refuse_gates(gates, names, classes, [tag for tag in names if tag != settings.baseline])
    compared = tuple(one for one in asked if one.definition.quality) or parse_measures(USUAL[:1])
    usual = asked or parse_measures(USUAL)
    beside = judged_beside(asked or [BANDED]) if right.truths is None else ()
    order = demanded_measures(_order(right))
    shown = parse_measures([*usual, BANDED, *order, *beside])
    of_gates = [gate.measure for gate in gates if gate.measure is not None]
    of_classes = [one for its in declared.values() for one in its]
    needed = parse_measures([*shown, *measures_needed([*compared, *of_classes]), *of_gates])
    right.refuse([one for one in needed if not one.definition.of_order])
    return EvaluationPlan(shown, compared, declared, class_of if classes else {}, needed, settings)


def score_live(
    plan: EvaluationPlan, right: Expectations, runs: Sequence[Run], credit: Credit
) -> tuple[Scores, Comparisons | None]:
    """The scores of all systems, class by class, too, where there are several; and beside the
    baseline, class by class where these declare different measures. All of it is one family."""
    by_grades = [one for one in plan.needed if not one.definition.of_order]
    scored = right.scores(runs, by_grades, credit)
    rules = Rules(complete=True)
    scored = with_order(scored, runs, _order(right), plan.needed, rules)
    scores = scored.only(plan.shown)
    if plan.class_of:
        cut = slice_scores(scores, "class", plan.class_of, plan.declared)
        scores = scores.cut_into(cut)
    if len(runs) < 2:
        return scores, None
    if scores.slices is None or scores.slices.composite:
        return scores, compare_scores(scored, plan.compared, plan.settings)
    return scores, compare_scores(
        scored, plan.compared, plan.settings, slices=plan.class_of, measures_of=plan.declared
    )


def look_at(
    right: Expectations,
    results: Mapping[str, Mapping[str, Sequence[str]]],
    failures: Mapping[str, Mapping[str, str]],
) -> tuple[EvaluatedQuery, ...]:
    """What each system found for each query. `results`: system -> query_id -> doc_ids, best first;
    `failures`: system -> query_id -> why it did not answer."""
    return tuple(_looked_at(right, results, failures))


def _looked_at(
    right: Expectations,
    results: Mapping[str, Mapping[str, Sequence[str]]],
    failures: Mapping[str, Mapping[str, str]],
) -> Iterator[EvaluatedQuery]:
    for query in right.queries:
        query_id = query.query_id
        found = {}
        for tag, lists in results.items():
            doc_ids = lists.get(query_id, ())
            grades = right.grades(query_id, doc_ids)
            ranks = (
                rank for rank, grade in enumerate(grades, 1) if grade is not None and grade > 0
            )
            found[tag] = Found(
                tuple(zip(doc_ids[:TOP], grades[:TOP], strict=True)),
                next(ranks, None),
                failures[tag].get(query_id, ""),
                tuple(doc_ids),
            )
        expected = [one for one in right.qrels.get(query_id, {}).items() if one[1] > 0]
        yield EvaluatedQuery(
            query_id,
            query.text,
            query.query_class,
            tuple(sorted(expected, key=lambda one: -one[1])),
            found,
        )


def _order(right: Expectations) -> dict[str, dict[str, OrderDemand]]:
    return {
        query_id: {
            name: Prefer(one.better, one.worse)
            if isinstance(one, PreferDemand)
            else Authority(one.patterns)
            for name, one in its.items()
        }
        for query_id, its in right.demands.of_query.items()
    }
