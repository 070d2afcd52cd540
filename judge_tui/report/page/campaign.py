"""The page of a campaign: the answer, then the systems, their failures, the judges, the method."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.study import Agreement, study
from judge_tui.agreement.wording import shown_alpha, shown_span, verdict_of
from judge_tui.analysis.document_slices import kind_slices, length_slices
from judge_tui.analysis.leaderboard import (
    Ranking,
    intervals,
    mean_bounds,
    rank_runs,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.misses import find_misses, first_relevant
from judge_tui.analysis.queries import most_divergent
from judge_tui.analysis.run_slices import measures_by, query_slices
from judge_tui.analysis.warnings import MODELS_ALONE, first_few, of_agreement, of_results
from judge_tui.counts import counted
from judge_tui.report.basis import undefined_lines
from judge_tui.report.layout import Column, Table, short_number, word
from judge_tui.report.page.basis import explain_method, list_judges, show_collection, show_judges
from judge_tui.report.page.content import Block, Page, Part, Terms, blocks_of, sentence_of
from judge_tui.report.page.ranking import (
    choose,
    doubt,
    show_differences,
    show_queries,
    show_systems,
    support,
)
from judge_tui.report.results.by_query import divergent_table
from judge_tui.report.results.documents import misses_table, ranks_chart, ranks_table
from judge_tui.report.results.slices import slices_table
from judge_tui.scoring import Scores
from judge_tui.scoring.slices import CLASS

if TYPE_CHECKING:
    from judge_tui.campaign.overview.report_data import ReportData
    from judge_tui.campaign.store.documents import DocumentName

    NameDocuments: TypeAlias = Callable[[Collection[int]], Mapping[int, DocumentName]]

__all__ = ["report_page"]

_EXTREMES = 10


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
        *of_agreement(agreed, len(data.scale.grades)),
    ]
    models = [one for one in warnings if one == MODELS_ALONE]
    failed = [*_ranks(data, ranking), *_failures(data, ranking, name_documents)]
    who, differences = [*show_judges(data, agreed)], [*show_differences(ranking)]
    parts = [
        Part("differences", "The differences", "tests, and what changed", differences),
        Part("measures", "All measures", "", [_measures(scores, ranking)]),
        Part("queries", "Query by query", "where systems win and lose", [*_queries(data, ranking)]),
        Part("failures", "Failures", "of the best other system and the baseline", failed),
        Part("slices", "Kinds of queries and documents", "", [*_slices(data)]),
        Part("judges", "The judges", "who judged, and how far they agree", who),
        Part("collection", "What was judged", "", [*show_collection(data)]),
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
    orders, winner = data.orders, " and ".join(data.orders.winner)
    others: dict[str, list[str]] = {}
    for one in orders.winners:
        if one.changed:
            others.setdefault(first_few(one.tags), []).append(one.judge)
    for best, judges in others.items():
        yield (
            f"With the grades of {first_few(judges)} in place of the final ones, {best} is best,"
            f" not {winner}."
        )
    apart = [two for two in orders.between if two.verdicts_changed]
    for two in sorted(apart, key=lambda two: -two.queries)[:1]:
        more = f" {len(apart) - 1:,} more pairs of judges differ, too." if len(apart) > 1 else ""
        yield (
            f"On the {counted(two.queries, 'query', 'queries')} that both"
            f" {' and '.join(two.judges)} judged, their grades give different verdicts on"
            f" {first_few([one.tag for one in two.verdicts_changed])}: see The judges.{more}"
        )


def _measures(scores: Scores, ranking: Ranking) -> Table:
    columns = [word("", "system"), Column("", "queries")]
    columns += [Column("", one.name, short_number) for one in scores.measures]
    rows = [[one.tag, one.queries, *one.run.means.values()] for one in ranking.runs]
    return Table("Means over queries", columns, rows)


def _queries(data: ReportData, ranking: Ranking) -> Iterator[Block]:
    judged, measure, texts = data.results.now.judged, data.measure, data.queries.texts
    yield from show_queries(ranking, texts)
    found = most_divergent(
        judged.lists, judged.values(measure), measure, data.results.basis.question.k
    )
    apart = replace(found, rows=tuple(row for row in found.rows if not row.level)[:_EXTREMES])
    yield from blocks_of([divergent_table(apart, texts)])


def _failures(data: ReportData, ranking: Ranking, name_documents: NameDocuments) -> Iterator[Block]:
    """Of the best other system, and of the baseline."""
    best = [one.tag for one in ranking.compared[:1]]
    for tag in dict.fromkeys([*best, data.results.basis.baseline]):
        found = find_misses(data.results.now.judged, tag, data.results.basis.question.k)
        documents = {one for row in found.rows[:_EXTREMES] for one in row.documents}
        first = replace(found, rows=found.rows[:_EXTREMES])
        table = misses_table(first, data.queries.texts, name_documents(documents))
        yield from blocks_of([table])


def _ranks(data: ReportData, ranking: Ranking) -> Iterator[Block]:
    """How far down the first relevant document is."""
    found = first_relevant(data.results.now.judged)
    of = {run.tag: run for run in found.runs}
    ranked = replace(found, runs=tuple(of[one.tag] for one in ranking.runs))
    yield ranks_chart(ranked)
    yield from blocks_of([ranks_table(ranked)])


def _slices(data: ReportData) -> Iterator[Block]:
    judged, k = data.results.now.judged, data.results.basis.question.k
    tables = []
    if (of_query := data.queries.fields.get(CLASS)) is not None:
        declared, _ = measures_by(CLASS, data.queries.queries, of_query, data.results.basis)
        of_class = query_slices(judged, [data.measure], CLASS, of_query, declared)
        tables += [slices_table(one, f"{one.measure} by {one.by}") for one in of_class]
    for other in (kind_slices(judged, data.documents, k), length_slices(judged, data.documents, k)):
        if len(other.slices) > 1:
            by = other.by.removeprefix("document.")
            title = f"Share of relevant documents in the first {other.measure.k}, by {by}"
            tables.append(slices_table(other, title))
    yield from blocks_of(tables)
