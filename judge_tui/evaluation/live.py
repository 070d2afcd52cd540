"""Live systems: what they are scored and compared by, and how each of their answers fares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from judge_tui.analysis.live_systems import BANDED, SystemLists, system_lists
from judge_tui.comparison.compare import measures_needed
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError, unknown
from judge_tui.evaluation.gates import Gate, refuse_gates
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.model import Run, rank
from judge_tui.scoring import Measure, Rules, by_grades, judged_beside, parse_measures
from judge_tui.scoring.answers import refuse_unanswerable
from judge_tui.scoring.order import demanded_measures
from judge_tui.scoring.slices import declared_measures

__all__ = ["USUAL", "EvaluationPlan", "look_at", "plan_evaluation", "restrict_to_asked"]

USUAL = ("nDCG@10", "RR@10", "P@5", "R@10", "AP")
"""What systems are scored by where no measure is named, with grades by Judged@10, too; the first is
what they are compared by: what nobody has asked for would widen the family."""


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """What is `shown` of all systems, what they are `compared` by, and all that is `needed` beside,
    for classes with measures of their own and for gates; `classes`: whether there are several, or
    one that declares measures."""

    shown: tuple[Measure, ...]
    compared: tuple[Measure, ...]
    needed: tuple[Measure, ...]
    classes: bool
    settings: ComparisonSettings


def restrict_to_asked(inputs: EvaluationInputs) -> EvaluationInputs:
    """Return the queries of which something is known to be right, and what that is: other queries
    are not asked, and count for nothing. Raises `UsageError` where there are none, and for a query
    without a text."""
    asked = {
        query.query_id: query
        for query in inputs.queries
        if query.query_id in inputs.qrels or query.query_id in inputs.order_demands
    }
    if not asked:
        raise UsageError(
            f"the {inputs.reference} are of none of the queries",
            "give the queries that they are of with --queries",
        )
    for query in asked.values():
        if not query.text:
            raise UsageError(
                f"query {query.query_id!r} has no text", "write it, or give it with --queries"
            )
    truths = inputs.answers
    return replace(
        inputs,
        queries=[*asked.values()],
        qrels={query_id: its for query_id, its in inputs.qrels.items() if query_id in asked},
        answers=truths and {query_id: its for query_id, its in truths.items() if query_id in asked},
    )


def plan_evaluation(
    inputs: EvaluationInputs,
    names: Sequence[str],
    measures: Iterable[str] = (),
    gates: Iterable[Gate] = (),
    baseline: str | None = None,
) -> EvaluationPlan:
    """Refuse what can be refused before systems are asked for hours, and plan the rest. Raises
    `UsageError`."""
    gates = list(gates)
    if baseline is not None and baseline not in names:
        raise unknown("system", baseline, names)
    asked = parse_measures(measures)
    class_of = {query.query_id: query.query_class for query in inputs.queries}
    declared = declared_measures(inputs.queries, class_of, parse_measures)
    classes = {*class_of.values()}
    sliced = len(classes) > 1 or bool(declared)
    settings = ComparisonSettings(baseline=baseline or names[0])
    refuse_gates(
        gates,
        names,
        classes if sliced else (),
        [tag for tag in names if tag != settings.baseline],
    )
    compared = tuple(one for one in asked if one.definition.quality) or parse_measures(USUAL[:1])
    beside = judged_beside(asked or [BANDED]) if inputs.answers is None else ()
    order = demanded_measures(inputs.order_demands)
    shown = parse_measures([*(asked or USUAL), BANDED, *order, *beside])
    of_classes = [one for its in declared.values() for one in its]
    of_gates = [measure for gate in gates for measure in gate.measures]
    needed = parse_measures([*measures_needed([*compared, *of_classes]), *of_gates])
    if inputs.answers is not None:
        refuse_unanswerable(by_grades([*shown, *needed]), Rules(complete=True))
    return EvaluationPlan(shown, compared, needed, sliced, settings)


def look_at(
    inputs: EvaluationInputs, runs: Iterable[Run], failures: Mapping[str, Mapping[str, str]]
) -> SystemLists:
    """Return what each system found for each query. `failures`: tag -> query_id -> why it
    failed."""
    query_ids = sorted(query.query_id for query in inputs.queries)
    lists = {
        run.tag: {query_id: rank(run.scores.get(query_id, {})) for query_id in query_ids}
        for run in runs
    }
    right = {}
    for query_id in query_ids:
        found = {doc_id for its in lists.values() for doc_id in its[query_id]}
        right[query_id] = _graded(inputs, query_id, sorted(found))
    return system_lists(query_ids, lists, right, failures)


def _graded(inputs: EvaluationInputs, query_id: str, found: Sequence[str]) -> dict[str, int]:
    """Return the grades that are known of a query: of answers those of the documents that were
    `found` and are right, and of what none of them is right by."""
    if inputs.answers is None:
        its = inputs.qrels.get(query_id, {}).items()
        return {doc_id: grade for doc_id, grade in its if grade >= 0}
    grades: dict[str, int] = {}
    for truth in inputs.answers.get(query_id, ()):
        hits = [doc_id for doc_id in found if truth.matches(doc_id)]
        for doc_id in hits or [truth.key]:
            grades[doc_id] = max(grades.get(doc_id, 0), truth.grade)
    return grades
