"""The page of a campaign: the answer, then the systems, their failures, the judges, the method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.agreement.estimates import shown_alpha, shown_span, verdict_of
from judge_tui.agreement.policies import RULES
from judge_tui.agreement.study import Agreement, AgreementStudy, study
from judge_tui.analysis.basis import Basis
from judge_tui.analysis.enough import ALPHA
from judge_tui.analysis.leaderboard import (
    BY_WILCOXON,
    intervals,
    mean_bounds,
    rank_runs,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.slices import document_slices, measures_by, query_slices
from judge_tui.analysis.warnings import (
    first_few,
    warn_of_agreement,
    warn_of_estimates,
    warn_of_model,
    warn_of_models,
    warn_of_results,
)
from judge_tui.comparison.resampling import RESAMPLES
from judge_tui.counts import counted
from judge_tui.report.agreement import agreement_report
from judge_tui.report.campaign import coverage_table, judges_table
from judge_tui.report.enough import enough_tables
from judge_tui.report.layout import Cell, Column, Table, undefined_lines, undefined_table, word
from judge_tui.report.model_judge import model_tables
from judge_tui.report.page.content import Block, Page, Part, Terms, blocks_of, sentence_of
from judge_tui.report.page.ranking import (
    NameDocuments,
    choose,
    doubt,
    result_parts,
    settled_or_open,
    show_failures,
    show_systems,
    support,
)
from judge_tui.report.results.slices import slices_table
from judge_tui.report.results.with_model import with_model_table, without_model
from judge_tui.scoring.slices import CLASS
from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.campaign.overview.progress import JudgeProgress
    from judge_tui.campaign.overview.report_data import ReportData

_ABOUT_FAILURES = (
    "Of the best other system and of the baseline; judge-tui results --failures TAG has others."
)


def report_page(data: ReportData, name_documents: NameDocuments) -> Page:
    """Everything that is said of a campaign. `name_documents`: keys of documents -> their names."""
    judged, basis, state = data.results.now.judged, data.results.basis, data.progress
    scores = judged.scores([*basis.measures, *basis.shares])
    compared = verdicts(judged, tested_measures(basis), basis.baseline, data.union)
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
        *warn_of_results(judged, basis, comparisons=compared.comparisons),
        *warn_of_agreement(agreed),
    ]
    # The latest round may ask something else than the page.
    asked = (basis.baseline, str(data.measure))
    enough = [one for one in data.enough.answers if (one.baseline, one.measure) == asked]
    models = warn_of_models(basis.grades) if basis.grades.only_models else ()
    tags = dict.fromkeys([*(one.tag for one in ranking.compared[:1]), basis.baseline])
    texts, k, model = data.queries.texts, basis.question.k, basis.question.with_model
    failures = [*show_failures(judged, tags, texts, name_documents, k), _ABOUT_FAILURES]
    who, where = [*_show_judges(data, agreed)], [*_show_collection(data)]
    parts = [
        *result_parts(ranking, judged, texts, failures, _slices(data)),
        Part("judges", "The judges", "who judged, and how far they agree", who),
        Part("models", "Models as judges", "how far they agree with people", [*_show_models(data)]),
        Part(
            "with-model", "Means with a model", f"more exact by {model}", [*_show_estimates(data)]
        ),
        Part("collection", "What was judged", "", where),
        Part("enough", "Was enough judged?", "what more could change", [*_show_enough(data)]),
        Part("method", "How the numbers were made", "", [Terms([*_explain_method(data)])]),
    ]
    about = [
        counted(state.runs, "search system"),
        counted(state.queries, "query", "queries"),
        f"{counted(data.graded[0], 'grade')} by {counted(_grading(data, basis), 'judge')}",
        *([f"filled {_filled_by(basis)}"] if basis.filled else []),
    ]
    return Page(
        title=data.name or "A campaign",
        about=", ".join(about),
        answer=[*choose(ranking, enough), *map(sentence_of, models)],
        sure=[*support(ranking), *_agreed(agreed.agreement)],
        doubts=[
            *settled_or_open(ranking, enough),
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


def _list_judges(data: ReportData) -> list[JudgeProgress]:
    """List the judges, but not who has nothing to do and has done nothing, such as a lead who
    undid it."""
    there = {*data.settled, *(judge.name for judge in data.progress.people)}
    return [
        judge
        for judge in data.progress.judges
        if judge.name in there or judge.graded + judge.skipped + judge.cannot
    ]


def _filled_by(basis: Basis) -> str:
    return "with expected gains" if basis.filled == "expected" else f"by {basis.filled}, a model"


def _grading(data: ReportData, basis: Basis) -> int:
    """Count the judges whose grades count."""
    return sum(basis.grades.models or one.kind != "model" for one in _list_judges(data))


def _show_judges(data: ReportData, agreed: AgreementStudy) -> Iterator[Block]:
    """Show who judged how much, how their grades became one, and how far they agree."""
    yield from blocks_of(
        [judges_table(_list_judges(data), data.settled, title="Who judged how much")]
    )
    rules = data.results.now.grading.decided.rules
    yield Table(
        "How pairs came to their final grade",
        [word("", "by"), Column("", "pairs")],
        [[RULES[rule], pairs] for rule, pairs in rules.items()],
    )
    yield from blocks_of(agreement_report(agreed, data.scale, orders=data.orders).tables)


def _show_models(data: ReportData) -> Iterator[Block]:
    """Show each model judge beside people, whether its grades count or not."""
    for model in data.models:
        yield from blocks_of(model_tables(model, data.scale))
        yield from map(sentence_of, warn_of_model(model))
    if data.models:
        counted_or_not = "count" if data.results.basis.grades.models else "do not count"
        yield f"Grades of models {counted_or_not} in the numbers of this page."


def _show_estimates(data: ReportData) -> Iterator[Block]:
    """Show what a model that judged more queries makes more exact."""
    if data.estimates:
        model = data.results.basis.question.with_model
        table = with_model_table(data.estimates, model)
        yield from blocks_of([table, undefined_table(without_model(data.estimates))])
        yield from map(sentence_of, warn_of_estimates(data.estimates, model))


def _show_collection(data: ReportData) -> Iterator[Block]:
    """Show how much there was to judge, and how much of it is judged."""
    state = data.progress
    every, loaded = data.graded
    numbers: list[list[Cell]] = [
        ["queries", state.queries],
        ["systems", state.runs],
        ["documents", state.documents],
        ["pairs in the pool", state.pairs],
        ["grades", every],
        ["… loaded from files", loaded],
    ]
    yield Table("The campaign", [word("", "of"), Column("", "number")], numbers)
    title = f"Coverage: the top {state.depth} of each system"
    yield from blocks_of([coverage_table(state)._replace(title=title)])
    if cut := [f"{tag} {depth:,}" for tag, depth in data.results.basis.kept_runs.cut.items()]:
        yield f"Results a query that are kept of longer lists: {first_few(cut)}."
    yield f"The scale: {data.scale}. Judges saw ranks: {'yes' if data.show_ranks else 'no'}."
    for name, why in data.results.basis.left_out.items():
        yield f"{name} is left out: it looks {why}."


def _show_enough(data: ReportData) -> Iterator[Block]:
    """Show whether more judgments could change the order of the systems."""
    if data.enough.answers:
        yield from blocks_of(enough_tables(data.enough))
        yield (
            "Settled: no grades for what is not judged can change the order. Likely settled: the"
            " interval leaves out 0; it holds at every look, and the systems share an error of"
            f" {ALPHA:.0%}. Open: not known yet; a number says how many random pairs more would"
            " show a difference as large as the one seen. Too few queries: even with all judged"
            " they would probably not show one."
        )


def _explain_method(data: ReportData) -> Iterator[tuple[str, str]]:
    """Explain the measures, the tests and the seeds, a term each."""
    used = BY_WILCOXON
    basis = data.results.basis
    for one in (*basis.measures, *basis.shares):
        yield one.name, one.definition.summary
    yield (
        "Order and queries",
        "Results are ordered by score, ties by document id, as trec_eval does; means are over the"
        " judged queries that a system answers or is known to have been asked. Unjudged documents"
        f" count as {'what is expected of them' if basis.filled else 'not relevant'}.",
    )
    if basis.filled not in ("", "expected"):
        yield (
            f"Grades of {basis.filled}",
            "An unjudged document counts as what people may be expected to give it, after the grade"
            f" of {basis.filled}: by the pairs that both graded, of other queries alone. What"
            " neither graded counts as not relevant. Differences alone are to be read; in the"
            " orders by single judges unjudged documents count as not relevant.",
        )
    elif basis.filled:
        yield (
            "Expected gains",
            "What judged documents of other queries gain on average in the same eighth of their"
            " fused lists. They fill the measures, so differences alone are to be read; in the"
            " orders by single judges unjudged documents count as not relevant.",
        )
    yield (
        "Intervals",
        f"95 %, percentile bootstrap over queries, {RESAMPLES:,} resamples; those of alpha over"
        " pairs; those of kappa are of large samples.",
    )
    yield (
        "Tests",
        f"Paired by query: {used.verdict_by}, {used.alternative}, at {used.alpha:g} after"
        f" {used.correction.capitalize()}.",
    )
    if data.union is not None:
        yield (
            "Unbiased differences",
            "What is not judged counts as expected, by judged documents of other queries; the pairs"
            " that were drawn at random show how far that is off, and the estimate is corrected by"
            " it. The interval is Student's over queries. The ideal of nDCG holds expected gains,"
            " too. Relevant documents that nobody has seen: Horvitz and Thompson, with the gamma"
            " limits of Fay and Feuer.",
        )
    if data.estimates:
        yield (
            f"With {basis.question.with_model}",
            "Prediction-powered means and differences (Angelopoulos, Duchi and Zrnic 2023): what"
            " people say, corrected by what the model says of queries that it alone judged, as far"
            " as it goes along with people. By the model a query is worth what it would be if"
            " nobody else had judged. The interval is Student's over queries.",
        )
    yield (
        "Low and high",
        "The least and the greatest mean over all grades that the unjudged results of the system"
        " itself could have been given, the best possible ranking worked out anew for each.",
    )
    yield "Grades", basis.about
    yield "SHA-256 of these grades, as TREC qrels", data.digest
    yield (
        "Seeds",
        f"{basis.seed} for intervals of means and of agreement; {used.seed} for comparisons",
    )
    yield "Program", f"judge_tui {__version__}"
