"""Everything that the page for people who were not there says of a campaign, as of one moment."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.agreement.decide import Judgments
from judge_tui.agreement.ratings import Ratings
from judge_tui.analysis.basis import Question
from judge_tui.analysis.judge_influence import SystemOrders
from judge_tui.analysis.leaderboard import tested_measures
from judge_tui.analysis.model_judge import ModelStudy
from judge_tui.analysis.slices import DocumentFacts, relevant_documents
from judge_tui.analysis.unbiased import JudgedUnion
from judge_tui.analysis.with_model import ModelEstimate, model_estimates
from judge_tui.campaign.overview.agreement import orders_now, read_ratings
from judge_tui.campaign.overview.enough import EnoughNow, enough_now, sampled_union
from judge_tui.campaign.overview.facts import QueryFacts, document_facts, query_facts
from judge_tui.campaign.overview.grading import name_grades
from judge_tui.campaign.overview.model_grades import runs_of_model
from judge_tui.campaign.overview.model_study import studied_models
from judge_tui.campaign.overview.progress import Progress, progress
from judge_tui.campaign.overview.standing import ResultsNow, results_now
from judge_tui.campaign.store.adjudication import adjudications_by_lead
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import all_judges
from judge_tui.campaign.store.judgments import pairs_graded
from judge_tui.errors import UsageError
from judge_tui.formats.writing import qrels_bytes
from judge_tui.model import Scale
from judge_tui.scoring import Measure


@dataclass(frozen=True, slots=True)
class ReportData:
    """`results`: the runs in the light of the grades; `progress`: who did how much, with coverage
    at the k that was asked for.

    `measure`: the first of those asked for that measures quality; `orders`: what each judge makes
    of the systems by it; `models`: each model judge that has pairs in common with people, whether
    it counts or not; `estimates`: what the one that was asked for makes more exact; `enough`:
    whether enough is judged to tell them by it. `union`: as `sampled_union`. `graded`: the grades
    that count, and how many came from files. `settled`: lead -> pairs settled; `documents`: kinds
    and lengths of the relevant ones. `digest`: SHA-256 of what `export qrels` would write.
    """

    name: str
    scale: Scale
    show_ranks: bool
    results: ResultsNow
    measure: Measure
    agreement: Ratings
    orders: SystemOrders
    models: tuple[ModelStudy, ...]
    estimates: tuple[ModelEstimate, ...]
    union: JudgedUnion | None
    enough: EnoughNow
    progress: Progress
    graded: tuple[int, int]
    settled: Mapping[str, int]
    queries: QueryFacts
    documents: DocumentFacts
    digest: str


def report_data(campaign: Campaign, asked: Question) -> ReportData:
    """Read it. Raises `UsageError` as `results_now`, where no measure is one of quality, and for a
    model that makes nothing more exact, as `runs_of_model`."""
    with campaign.reading():
        results = results_now(campaign, asked)
        measure = _measure(results)
        grading, basis = results.now.grading, results.basis
        orders = orders_now(campaign, measure, basis.baseline, include_models=grading.models)
        return ReportData(
            name=campaign.settings.name,
            scale=campaign.settings.scale,
            show_ranks=campaign.settings.show_ranks,
            results=results,
            measure=measure,
            orders=orders,
            models=studied_models(campaign, measure, grading.policy),
            estimates=_estimates(campaign, results),
            union=sampled_union(campaign, grading),
            enough=enough_now(
                campaign,
                measure=measure.name if asked.measures else None,
                baseline=asked.baseline,
                policy=grading.policy,
                include_models=grading.models,
            ),
            agreement=read_ratings(campaign, include_models=grading.models),
            progress=progress(campaign, depth=asked.k, include_models=grading.models),
            graded=_graded(campaign, grading.judgments),
            settled=dict(sorted(adjudications_by_lead(campaign).items())),
            queries=query_facts(campaign),
            documents=document_facts(campaign, relevant_documents(results.now.judged)),
            digest=hashlib.sha256(qrels_bytes(name_grades(campaign, grading).qrels)).hexdigest(),
        )


def _estimates(campaign: Campaign, results: ResultsNow) -> tuple[ModelEstimate, ...]:
    basis, judged = results.basis, results.now.judged
    if not (name := basis.question.with_model):
        return ()
    measures = tested_measures(basis)
    by_model = runs_of_model(campaign, name, judged, results.now.grading, measures)
    return model_estimates(judged, by_model, measures, basis.baseline)


def _measure(results: ResultsNow) -> Measure:
    for measure in results.basis.measures:
        if measure.definition.quality:
            return measure
    raise UsageError(
        f"more of {results.basis.measures[0]} does not make a run better",
        "name a measure of quality with -m, such as nDCG@10",
    )


def _graded(campaign: Campaign, judgments: Judgments) -> tuple[int, int]:
    """All, and those that no screen was painted for."""
    graded = pairs_graded(campaign)
    keys = {judge.name: judge.key for judge in all_judges(campaign)}
    return (
        sum(len(pairs) for pairs, _ in judgments.values()),
        sum(graded[keys[name]][1] for name in judgments),
    )
