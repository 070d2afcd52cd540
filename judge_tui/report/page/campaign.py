"""The page of a campaign: the answer, then the systems, their failures, the judges, the method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.agreement.estimates import shown_alpha, shown_span, verdict_of
from judge_tui.agreement.study import Agreement, study
from judge_tui.analysis.document_slices import document_slices
from judge_tui.analysis.leaderboard import (
    intervals,
    mean_bounds,
    rank_runs,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.run_slices import measures_by, query_slices
from judge_tui.analysis.warnings import MODELS_ALONE, first_few, of_agreement, of_results
from judge_tui.counts import counted
from judge_tui.report.layout import Table, undefined_lines
from judge_tui.report.page.about import explain_method, list_judges, show_collection, show_judges
from judge_tui.report.page.content import Page, Part, Terms, sentence_of
from judge_tui.report.page.parts import NameDocuments, result_parts, show_failures
from judge_tui.report.page.ranking import choose, doubt, show_systems, support
from judge_tui.report.results.slices import slices_table
from judge_tui.scoring.slices import CLASS

if TYPE_CHECKING:
    from judge_tui.campaign.overview.report_data import ReportData

_ABOUT_FAILURES = (
    "Of the best other system and of the baseline; judge-tui results --failures TAG has others."
)


def report_page(data: ReportData, name_documents: NameDocuments) -> Page:
    """Everything that is said of a campaign. `name_documents`: keys of documents -> their names."""
    judged, basis, state = data.results.now.judged, data.results.basis, data.progress
    scores = judged.scores([*basis.measures, *basis.shares])
    compared = verdicts(judged, tested_measures(basis), basis.baseline)
    ranking = rank_runs(
        scores,
        data.measure,
        data.measure,
        intervals=intervals(scores.only([data.measure]), basis.seed),
        bounds=mean_bounds(judged, [data.measure], basis.scale),
        verdicts=compared,
    )
    agreed = study(data.agreement, seed=basis.seed)
    warnings = [
        *of_results(judged, basis, comparisons=compared.comparisons),
        *of_agreement(agreed),
    ]
    models = [one for one in warnings if one == MODELS_ALONE]
    tags = dict.fromkeys([*(one.tag for one in ranking.compared[:1]), basis.baseline])
    texts, k = data.queries.texts, basis.question.k
    failures = [*show_failures(judged, tags, texts, name_documents, k), _ABOUT_FAILURES]
    who, where = [*show_judges(data, agreed)], [*show_collection(data)]
    parts = [
        *result_parts(ranking, judged, texts, failures, _slices(data)),
        Part("judges", "The judges", "who judged, and how far they agree", who),
        Part("collection", "What was judged", "", where),
        Part("method", "How the numbers were made", "", [Terms([*explain_method(data)])]),
    ]
    about = [
        counted(state.runs, "search system"),
        counted(state.queries, "query", "queries"),
        f"{counted(data.graded[0], 'grade')} by {counted(len(list_judges(data)), 'judge')}",
    ]
    return Page(
        title=data.name or "A campaign",
        about=", ".join(about),
        answer=[*choose(ranking), *map(sentence_of, models)],
        sure=[*support(ranking), *_agreed(agreed.agreement)],
        doubts=[
            *(sentence_of(one) for one in warnings if one not in models),
            *(f"Not compared: {one}." for one in undefined_lines(compared.why.items())),
            *doubt(ranking),
            *_disputed(data),
        ],
        systems=[*show_systems(ranking)],
        parts=[one for one in parts if one.blocks],
    )


def _agreed(agreement: Agreement) -> Iterator[str]:
    alpha = agreement.alpha["ordinal"]
    if alpha.value is not None:
        ends = "" if alpha.ci95 is None else f" (95 % interval {shown_span(alpha.ci95)})"
        yield (
            f"Agreement of {counted(len(agreement.judges), 'judge')} over"
            f" {counted(agreement.pairs_shared, 'pair')} that two or more graded: ordinal alpha"
            f" {shown_alpha(alpha.value)}{ends}, {verdict_of(alpha, agreement.pairs_shared)}."
        )


def _disputed(data: ReportData) -> Iterator[str]:
    """What other judges would have said."""
    apart = [two for two in data.orders.between if two.verdicts_changed]
    for two in sorted(apart, key=lambda two: -two.queries)[:1]:
        more = f" {len(apart) - 1:,} more pairs of judges differ, too." if len(apart) > 1 else ""
        yield (
            f"On the {counted(two.queries, 'query', 'queries')} that both"
            f" {' and '.join(two.judges)} judged, their grades give different verdicts on"
            f" {first_few([one.tag for one in two.verdicts_changed])}: see The judges.{more}"
        )


def _slices(data: ReportData) -> Iterator[Table]:
    judged, k = data.results.now.judged, data.results.basis.question.k
    if (of_query := data.queries.fields.get(CLASS)) is not None:
        declared, _ = measures_by(CLASS, data.queries.queries, of_query, data.results.basis)
        yield from map(
            slices_table, query_slices(judged, [data.measure], CLASS, of_query, declared)
        )
    yield from map(slices_table, document_slices(judged, data.documents, k))
