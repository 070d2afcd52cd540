"""What the numbers of a campaign rest on: its judges, what was judged, and the method."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from judge_tui.agreement.policies import RULES
from judge_tui.agreement.study import AgreementStudy
from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.analysis.warnings import first_few
from judge_tui.comparison.resampling import RESAMPLES
from judge_tui.pooling.strategies import STRATA
from judge_tui.report.agreement import agreement_report
from judge_tui.report.campaign import coverage_table, judges_table
from judge_tui.report.layout import Cell, Column, Table, word
from judge_tui.report.page.content import Block, blocks_of
from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.campaign.overview.progress import JudgeProgress
    from judge_tui.campaign.overview.report_data import ReportData


def list_judges(data: ReportData) -> list[JudgeProgress]:
    """List the judges, but not who has nothing to do and has done nothing, such as a lead who
    undid it."""
    there = {*data.settled, *(judge.name for judge in data.progress.people)}
    return [
        judge
        for judge in data.progress.judges
        if judge.name in there or judge.graded + judge.skipped + judge.cannot
    ]


def show_judges(data: ReportData, agreed: AgreementStudy) -> Iterator[Block]:
    """Show who judged how much, how their grades became one, and how far they agree."""
    yield from blocks_of(
        [judges_table(list_judges(data), data.settled, title="Who judged how much")]
    )
    rules = data.results.now.grading.decided.rules
    yield Table(
        "How pairs came to their final grade",
        [word("", "by"), Column("", "pairs")],
        [[RULES[rule], pairs] for rule, pairs in rules.items()],
    )
    yield from blocks_of(agreement_report(agreed, data.scale, orders=data.orders).tables)


def show_collection(data: ReportData) -> Iterator[Block]:
    """Show how much there was to judge, and how much of it is judged."""
    state, pool = data.progress, data.pool
    every, loaded = data.graded
    strata: list[list[Cell]] = [
        [f"… {STRATA.get(name, name)}", size] for name, size in sorted(pool.by_stratum.items())
    ]
    numbers: list[list[Cell]] = [
        ["queries", state.queries],
        ["systems", state.runs],
        ["documents", state.documents],
        ["documents with their text", state.documents_with_text],
        ["pairs in the pool", pool.pairs],
        *strata,
        ["grades", every],
        ["… loaded from files", loaded],
        ["pairs settled by somebody who had graded them", data.settled_own],
        ["pooled documents without a text", len(state.missing)],
    ]
    yield Table("The campaign", [word("", "of"), Column("", "number")], numbers)
    scale = data.scale.labels.items()
    yield Table(
        "The scale",
        [Column("", "grade"), word("", "label")],
        [[grade, label] for grade, label in scale],
    )
    title = f"Coverage: the top {state.depth} of each system"
    yield from blocks_of([coverage_table(state)._replace(title=title)])
    if cut := [f"{tag} {depth:,}" for tag, depth in data.results.basis.kept.cut.items()]:
        yield f"Results a query that are kept of longer lists: {first_few(cut)}."
    yield f"Judges saw ranks: {'yes' if data.show_ranks else 'no'}."
    for name, why in data.results.basis.left_out.items():
        yield f"{name} is left out: it looks {why}."


def explain_method(data: ReportData) -> Iterator[tuple[str, str]]:
    """Explain the measures, the tests and the seeds, a term each."""
    used = BY_WILCOXON
    basis = data.results.basis
    for one in (*basis.measures, *basis.shares):
        yield one.name, one.definition.summary
    yield (
        "Order and queries",
        "Results are ordered by score, ties by document id, as trec_eval does; means are over the"
        " judged queries that a system answers or is known to have been asked. Unjudged documents"
        " count as not relevant.",
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
