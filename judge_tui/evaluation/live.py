"""Live systems: what they are scored and compared by, and how each of their answers fares."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median_low
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.live_systems import (
    BANDED,
    TOP,
    SystemLists,
    document_facts,
    system_lists,
)
from judge_tui.analysis.slices import RunSlices, document_slices
from judge_tui.analysis.warnings import warn_of_comparisons, warn_of_earlier_answers
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.comparison import Comparisons
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError, check_known
from judge_tui.evaluation.gates import Gate, GateResult, check_gates, refuse_gates
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.evaluation.runs import tagged_runs
from judge_tui.evaluation.score_inputs import score_inputs
from judge_tui.evaluation.score_runs import ScoringQuestion
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.source import fitting
from judge_tui.model import Document, Qrels, Query, Run, rank
from judge_tui.scoring import Measure, Rules, Scores, by_grades, judged_beside, parse_measures
from judge_tui.scoring.answers import Credit, refuse_unanswerable
from judge_tui.scoring.order import demanded_measures
from judge_tui.scoring.slices import CLASS, declared_measures, scores_by

if TYPE_CHECKING:
    from judge_tui.collect import CollectedRun, CollectRequest

USUAL = ("nDCG@10", "RR@10", "P@5", "R@10", "AP")
"""What systems are scored by where no measure is named, with grades by Judged@10, too; the first is
what they are compared by: what nobody has asked for would widen the family."""


Candidates: TypeAlias = Mapping[str, Sequence[Document]]
"""query_id -> the documents of a benchmark that there are to choose from."""


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """How systems will be scored.

    `inputs`: the queries and what is right; `credit`: how hits are credited where that is answers.
    Measures: `shown` of every system; `compared` between systems; `needed`, not shown, for classes
    with measures of their own and for gates. `classes`: score by class of queries, too, since there
    are several or one declares measures.
    """

    inputs: EvaluationInputs
    credit: Credit
    shown: tuple[Measure, ...]
    compared: tuple[Measure, ...]
    needed: tuple[Measure, ...]
    classes: bool
    gates: Sequence[Gate]
    settings: ComparisonSettings


@dataclass(frozen=True, slots=True)
class AskedSystem:
    """A system as it was asked: what it says of itself, and how many of its queries failed, found
    nothing (those that failed among them), and had an answer already."""

    tag: str
    kind: str
    identity: str
    queries: int
    failed: int
    nothing_found: int
    there_already: int

    @property
    def failed_too_often(self) -> bool:
        """At more than a tenth of its queries, so that nothing is decided on it."""
        return self.failed * 10 > self.queries


@dataclass(frozen=True)
class Evaluation:
    """All that is known of an evaluation.

    `lists`: what the systems found, in the light of what is `right` for each of the `queries`.
    `main`: what they are compared by first, where classes of queries declare nothing else.
    `comparisons`: None where there is one system. `slices`: by kind and by length of documents.
    `failures`: what failed, in words; `files`: what was read, by what it is. `credit`: of answers.
    """

    systems: Sequence[AskedSystem]
    queries: Sequence[Query]
    right: Qrels
    lists: SystemLists
    scores: Scores
    main: Measure
    comparisons: Comparisons | None
    gates: Sequence[GateResult]
    failures: Sequence[str]
    warnings: Sequence[str]
    depth: int
    files: Mapping[str, str]
    credit: str | None = None
    slices: Sequence[RunSlices] = ()

    @property
    def judged(self) -> JudgedRuns:
        """The lists as those of a campaign."""
        return self.lists.judged

    @property
    def texts(self) -> Mapping[str, str]:
        """query_id -> text."""
        return {query.query_id: query.text for query in self.queries}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """query_id -> its place in the lists."""
        return {query_id: at for at, query_id in enumerate(self.judged.lists.query_ids)}

    @property
    def unlike(self) -> bool:
        """Whether classes declare different measures, so that there is no mean over all."""
        return self.scores.unlike is not None

    @property
    def hidden(self) -> Sequence[str]:
        """Columns that say nothing with answers, which do not tell what else was judged."""
        return () if self.credit is None else ("unjudged", "open")

    def name_documents(self, documents: Collection[int]) -> Mapping[int, Document]:
        """Numbers of documents -> what they are called."""
        return {at: Document(self.lists.doc_ids[at]) for at in documents}


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
            f"none of the queries has {inputs.reference}", "give other ones with --queries"
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
    credit: Credit = "once",
) -> EvaluationPlan:
    """Refuse what can be refused before systems are asked for hours, and plan the rest. Raises
    `UsageError`."""
    gates = list(gates)
    if baseline is not None:
        check_known("system", baseline, names)
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
    of_gates = [gate.measure for gate in gates if gate.measure is not None]
    needed = parse_measures([*measures_needed([*compared, *of_classes]), *of_gates])
    if inputs.answers is not None:
        refuse_unanswerable(by_grades([*shown, *needed]), Rules(complete=True))
    return EvaluationPlan(inputs, credit, shown, compared, needed, sliced, gates, settings)


def evaluate_systems(
    plan: EvaluationPlan,
    request: CollectRequest,
    runs: Sequence[CollectedRun],
    *,
    failures: Sequence[str] = (),
    files: Mapping[str, str],
) -> Evaluation:
    """Score and compare what was collected, and look at each list. `failures`: what failed, in
    words; `files`: what was read, by what it is."""
    inputs = plan.inputs
    found = [one.run() for one in runs]
    scores, comparisons = _score(plan, found)
    lists = _look_at(
        inputs,
        found,
        {one.tag: {reply.query_id: reply.failure for reply in one.failed} for one in runs},
    )
    systems, candidates = request.systems, request.candidates
    ranked = any(one.candidates for one in systems.embeddings)
    counts = [len(documents) for documents in candidates.values()] if ranked else []
    facts = document_facts(lists, _find_documents(inputs, request))
    compared = warn_of_comparisons(comparisons) if comparisons else ()
    days = [reply.asked for one in runs for reply in one.earlier]
    earlier = warn_of_earlier_answers(days, sum(len(one.replies) for one in runs))
    return Evaluation(
        systems=[
            AskedSystem(
                one.tag,
                systems.systems[one.tag].kind,
                one.identity,
                len(one.replies),
                len(one.failed),
                len(one.failed) + len(one.empty),
                len(one.earlier),
            )
            for one in runs
        ],
        queries=inputs.queries,
        right=inputs.qrels,
        lists=lists,
        scores=scores,
        main=plan.compared[0],
        comparisons=comparisons,
        gates=check_gates(plan.gates, scores, comparisons),
        failures=failures,
        warnings=[*dict.fromkeys((*earlier, *scores.warnings, *compared))],
        depth=request.depth,
        files=files,
        credit=None if inputs.answers is None else plan.credit,
        slices=[*document_slices(lists.judged, facts, _telling_depth(counts))],
    )


def _score(plan: EvaluationPlan, runs: Sequence[Run]) -> tuple[Scores, Comparisons | None]:
    """The scores of all systems, and beside the baseline, class by class where these declare
    different measures. All of it is one family."""
    question = ScoringQuestion(
        measures=plan.shown,
        by=CLASS if plan.classes else None,
        rules=Rules(complete=True),
        credit=plan.credit,
        also=plan.needed,
    )
    scores = score_inputs(replace(plan.inputs, runs=tagged_runs(runs)), question)
    if len(runs) < 2:
        return scores, None
    alike = replace(scores, slices=None) if scores.unlike is None else scores
    return scores, compare_scores(scores_by(alike, plan.compared), plan.settings)


def _telling_depth(counts: Sequence[int]) -> int:
    """Return how many results a share of relevant documents is sought in. `counts`: how many there
    are to choose from; among the first ten of ten all are found, whatever their order."""
    typical = median_low(counts) if counts else TOP + 1
    return next((depth for depth in (TOP, 5, 3) if depth < typical), 1)


def _find_documents(inputs: EvaluationInputs, request: CollectRequest) -> Mapping[str, Document]:
    """What is known of the documents that are graded."""
    if candidates := request.candidates:
        return {one.doc_id: one for documents in candidates.values() for one in documents}
    if inputs.answers is not None:
        return {}
    graded = {doc_id for by_doc in inputs.qrels.values() for doc_id in by_doc}
    found: dict[str, Document] = {}
    for file in dict.fromkeys(request.systems.files):
        layout = request.layout and fitting(file, request.layout)
        for _, document in iter_documents(file, format=layout):
            if document.doc_id in graded:
                found.setdefault(document.doc_id, document)
    return found


def _look_at(
    inputs: EvaluationInputs, runs: Iterable[Run], failures: Mapping[str, Mapping[str, str]]
) -> SystemLists:
    """What each system found for each query. `failures`: tag -> query_id -> why it failed."""
    query_ids = sorted(query.query_id for query in inputs.queries)
    lists = {
        run.tag: {query_id: rank(run.scores.get(query_id, {})) for query_id in query_ids}
        for run in runs
    }
    right = {}
    for query_id in query_ids:
        found = {doc_id for its in lists.values() for doc_id in its[query_id]}
        right[query_id] = _grades_of(inputs, query_id, sorted(found))
    return system_lists(query_ids, lists, right, failures)


def _grades_of(inputs: EvaluationInputs, query_id: str, found: Sequence[str]) -> dict[str, int]:
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
