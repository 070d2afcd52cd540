"""The page of a campaign: the answer, then the views of its results, its judges, and the method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from judge_tui.agreement.policies import RULES
from judge_tui.agreement.wording import verdict_of
from judge_tui.comparison.resampling import RESAMPLES
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.comparison.verdict import Verdict
from judge_tui.percent import percent
from judge_tui.pooling.strata import STRATA
from judge_tui.report.agreement import agreement_report, alpha_number
from judge_tui.report.comparisons import comparison_tables
from judge_tui.report.grids import Cell, Column, Grid, as_grid, number
from judge_tui.report.layout import Report
from judge_tui.report.page.content import (
    Block,
    Figure,
    Page,
    Paragraph,
    Points,
    Section,
    Table,
    Terms,
    tables,
)
from judge_tui.report.page.findings import FAILURES_SHOWN, Findings
from judge_tui.report.plots import Interval, Intervals
from judge_tui.report.results import (
    deltas_report,
    divergent_report,
    document_slices_report,
    failures_report,
    histogram_report,
    leaderboard_report,
    query_slices_report,
)
from judge_tui.report.results.view import kept_tables
from judge_tui.report.verdicts import tone_of
from judge_tui.version import __version__

if TYPE_CHECKING:
    from judge_tui.campaign.store.documents import DocumentName

__all__ = ["report_page"]

_ROWS = 60
"""Of longer tables the first and the last rows are shown."""

_EXTREMES = 10
_DIVERGENT = 10

_VERDICTS = {
    Verdict.BETTER: "better",
    Verdict.WORSE: "worse",
    Verdict.NOTHING_SHOWN: "no difference shown",
    Verdict.TOO_FEW: "too few queries to tell",
}


def report_page(found: Findings, names: Mapping[int, DocumentName]) -> Page:
    """Everything that is said. `names`: how the documents are called that `found` names."""
    sections = [
        Section("systems", "The systems", list(_systems(found))),
        Section("differences", "The differences", list(_differences(found))),
        Section("queries", "Query by query", list(_queries(found))),
        Section("failures", "Where nothing was found", list(_failures(found, names))),
        Section("slices", "Kinds of queries and documents", list(_slices(found))),
        Section("judges", "The judges and their agreement", list(_judges(found))),
        Section("collection", "What was judged", list(_collection(found))),
        Section("method", "How the numbers were made", [Terms(list(_method(found)))]),
    ]
    return Page(
        title=found.data.name or "A campaign",
        answer=list(_answer(found)),
        sections=[one for one in sections if one.blocks],
    )


def _answer(found: Findings) -> Iterator[Block]:
    """Which system, and how sure."""
    name, basis = found.data.measure.name, found.data.results.basis
    best = found.ranked[0]
    mean = best.means[name]
    within = found.intervals.of.get(name, {}).get(best.tag)
    span = "no interval" if within is None else f"95 % {number(within[0])} to {number(within[1])}"
    first = "No system is scored."
    if mean is not None:
        first = f"First by {name}: {best.tag}, {number(mean)} ({span})."
    by: dict[Verdict, list[str]] = {}
    for row in found.ranked:
        if (one := found.verdicts.of.get((row.tag, name))) is not None:
            by.setdefault(one.verdict, []).append(row.tag)
    told = "; ".join(f"{_VERDICTS[one]}: {', '.join(by[one])}" for one in Verdict if one in by)
    beside = f" Beside {basis.baseline}, {told or 'nothing can be compared'}."
    yield Paragraph(first + beside, strong=True)
    agreement = found.study.agreement
    alpha = agreement.alpha["ordinal"]
    if alpha.value is not None:
        strength = verdict_of(alpha, agreement.pairs_shared)
        shown = alpha_number(alpha.value)
        told = f"Agreement of {len(agreement.judges)} judges: ordinal alpha {shown}, {strength}."
        yield Paragraph(told)
    if found.warnings:
        yield Points([f"{one[:1].upper()}{one[1:]}." for one in found.warnings])


def _systems(found: Findings) -> Iterator[Block]:
    report = leaderboard_report(
        found.board,
        found.data.results.basis,
        intervals=found.intervals,
        bounds=found.bounds,
        verdicts=found.verdicts,
        by=found.data.measure,
    )
    yield from _view(report)


def _differences(found: Findings) -> Iterator[Block]:
    family = found.verdicts.comparisons
    if family is None:
        return
    name = found.data.measure.name
    order = [row.tag for row in found.ranked]
    of_measure = sorted(
        (one for one in family if one.measure == name), key=lambda one: order.index(one.tag)
    )
    yield Figure(
        Intervals(
            f"Difference from {found.verdicts.baseline}",
            f"{name}, system minus {found.verdicts.baseline}",
            [
                Interval(
                    one.tag,
                    one.delta,
                    low=None if one.ci95 is None else one.ci95[0],
                    high=None if one.ci95 is None else one.ci95[1],
                    words=str(one.verdict),
                    tone=tone_of(one.verdict),
                )
                for one in of_measure
            ],
            mark=0.0,
            note="Mean difference over the queries of both, with its 95 % bootstrap interval.",
        )
    )
    rest = [one for one in family if one.measure != name]
    whole = replace(family, comparisons=(*of_measure, *rest))
    yield from tables(map(as_grid, comparison_tables(whole)), _ROWS)


def _queries(found: Findings) -> Iterator[Block]:
    basis, texts = found.data.results.basis, found.data.queries.texts
    for one in found.deltas:
        if one.rows:
            yield from _view(deltas_report(one, basis, texts), 2 * _EXTREMES)
    report = divergent_report(found.divergent, basis, texts)
    yield from tables(grid._replace(rows=grid.rows[:_DIVERGENT]) for grid in report.grids)


def _failures(found: Findings, names: Mapping[int, DocumentName]) -> Iterator[Block]:
    basis, texts = found.data.results.basis, found.data.queries.texts
    rows = [(row.tag, *found.empty_tops[row.tag]) for row in found.ranked]
    yield Table(
        Grid(
            f"Queries with nothing relevant in the first {basis.question.k}",
            [Column("system", right=False), *map(Column, ("queries", "of", "share"))],
            [(tag, none, of, percent(none / of) if of else None) for tag, none, of in rows],
        )
    )
    for one in found.failed:
        if one.rows:
            few = replace(one, rows=one.rows[:FAILURES_SHOWN])
            yield from _view(failures_report(few, basis, texts, names))
    yield from _view(histogram_report(found.first, basis))


def _slices(found: Findings) -> Iterator[Block]:
    basis = found.data.results.basis
    if found.classes:
        yield from _view(query_slices_report(found.classes, basis), charts=False)
    for one in (found.kinds, found.lengths):
        if len(one.slices) > 1:
            yield from _view(document_slices_report(one, basis), charts=False)


def _judges(found: Findings) -> Iterator[Block]:
    data = found.data
    yield Terms([(str(grade), label or "no label") for grade, label in data.scale.labels.items()])
    # Who has nothing to do and has done nothing, such as a lead who undid it, is no judge here.
    there = {*data.settled, *(judge.name for judge in data.progress.people)}
    columns = ("graded", "of these repeats", "skipped", "cannot be judged", "left", "settled")
    work: list[tuple[Cell, ...]] = [
        (
            *(judge.name, "person" if judge.kind == "human" else judge.kind),
            *(judge.graded, judge.repeats_graded, judge.skipped, judge.cannot, judge.left),
            data.settled.get(judge.name, 0),
        )
        for judge in data.progress.judges
        if judge.name in there or judge.graded + judge.skipped + judge.cannot
    ]
    names = [Column("judge", right=False), Column("kind", right=False), *map(Column, columns)]
    yield Table(Grid("Who judged how much", names, work))
    decided = [
        (RULES[rule], pairs) for rule, pairs in data.results.now.grading.decided.rules.items()
    ]
    yield Table(
        Grid(
            "How pairs came to their final grade",
            [Column("by", right=False), Column("pairs")],
            decided,
        )
    )
    report = agreement_report(found.study, data.scale, orders=data.orders)
    yield from tables(report.grids, _ROWS)


def _collection(found: Findings) -> Iterator[Block]:
    state, pool = found.data.progress, found.data.pool
    every, loaded = found.data.graded
    counts = [
        ("queries", state.queries),
        ("systems", state.runs),
        ("documents", state.documents),
        ("documents with their text", state.documents_with_text),
        ("pairs in the pool", pool.pairs),
        *((f"… {STRATA.get(name, name)}", size) for name, size in sorted(pool.by_stratum.items())),
        ("grades", every),
        ("… loaded from files", loaded),
        ("pairs settled by somebody who had graded them", found.data.settled_own),
        ("pooled documents without a text", len(state.missing)),
    ]
    yield Table(Grid("The campaign", [Column("", right=False), Column("number")], counts))
    columns = ("pairs in the pool", "results", "of these pooled", "of these judged", "share judged")
    yield from tables(map(as_grid, kept_tables(found.data.results.basis)), _ROWS)
    yield Table(
        Grid(
            f"Each system's first {state.depth:,} results",
            [Column("system", right=False), *map(Column, columns)],
            [
                (
                    *(one.tag, pool.by_run.get(one.tag, 0), one.results, one.pooled, one.judged),
                    percent(one.judged / one.results) if one.results else None,
                )
                for one in state.coverage
            ],
        ),
        f"Judges saw ranks: {'yes' if found.data.show_ranks else 'no'}.",
    )


def _method(found: Findings) -> Iterator[tuple[str, str]]:
    data, usual = found.data, ComparisonSettings()
    basis = data.results.basis
    for one in (*found.board.measures, *found.board.shares):
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
        f"Paired by query, {usual.alternative}: {' and '.join(usual.tests)}; the first gives the"
        f" verdict, at {usual.alpha:g}, after {usual.correction.capitalize()}.",
    )
    yield (
        "Least and greatest",
        "Of each query over all grades that the unjudged results of the system itself could have"
        " been given, the best possible ranking worked out anew for each.",
    )
    yield "Grades", basis.about
    yield "SHA-256 of these grades, as TREC qrels", data.digest
    yield (
        "Seeds",
        f"{basis.seed} for intervals of means and of agreement; {usual.seed} for comparisons",
    )
    yield "Program", f"judge_tui {__version__}"


def _view(report: Report, most: int = _ROWS, *, charts: bool = True) -> Iterator[Block]:
    """A view of the results."""
    if charts:
        yield from map(Figure, report.pictures)
    yield from tables(report.grids, most)
