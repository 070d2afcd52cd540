"""The views of the results: a function for each, which returns what it found, for those who draw
it, and the report, as `judge-tui results` prints it and the app writes it.

To add a view: a function here, and a line in `VIEWS`; those of models are printed by
`judge-tui model report`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.analysis import misses, queries
from judge_tui.analysis.leaderboard import Ranking, rank_runs, tested_measures
from judge_tui.analysis.slices import SLICES_OF_DOCUMENTS, RunSlices, measures_by, query_slices
from judge_tui.analysis.warnings import (
    warn_of_estimates,
    warn_of_model,
    warn_of_query,
    warn_of_results,
)
from judge_tui.errors import UsageError, unknown
from judge_tui.report.layout import Report
from judge_tui.report.model_judge import model_tables, models_table, undefined_of
from judge_tui.report.results.by_query import deltas_report, divergent_report, own_values_report
from judge_tui.report.results.documents import histogram_report, misses_report, rankings_report
from judge_tui.report.results.leaderboard import leaderboard_report
from judge_tui.report.results.slices import slices_report
from judge_tui.report.results.view import view_report
from judge_tui.scoring.slices import CLASS

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.model_judge import ModelStudy
    from judge_tui.campaign.overview.findings import Findings
    from judge_tui.campaign.store.documents import DocumentName
    from judge_tui.scoring import Measure


def leaderboard(findings: Findings, *, whole: bool = True) -> tuple[Ranking, Report]:
    """The runs, best first, beside the baseline; not the `whole` of it: what is worked out now."""
    if whole:
        findings.work_out()
    known, measure = findings.verdicts, findings.measure
    worked_out: Any = {
        "intervals": findings.intervals,
        "bounds": findings.bounds,
        "verdicts": known,
    }
    compared = None if known is None else known.comparisons
    basis = findings.basis
    estimates = findings.with_model(tested_measures(basis), findings.baseline)
    warnings = (
        *warn_of_results(findings.judged, basis, comparisons=compared),
        *warn_of_estimates(estimates, basis.question.with_model),
    )
    basis = replace(basis, warnings=warnings)
    return (
        rank_runs(findings.scores, measure, measure, **worked_out),
        leaderboard_report(
            findings.scores,
            basis,
            by=measure,
            estimates=estimates,
            **worked_out,
        ),
    )


def failures(findings: Findings, tag: str) -> tuple[misses.Misses, Report]:
    """The queries for which a run has nothing relevant at the top, and what came instead."""
    findings.basis.refuse_deep_top(tag)
    found = misses.find_misses(findings.judged, tag, findings.basis.question.k)
    names = findings.names({document for row in found.rows for document in row.documents})
    return found, misses_report(found, _warned(findings, tag), findings.queries.texts, names)


def first_relevant(findings: Findings) -> tuple[misses.RankHistogram, Report]:
    """At which rank each run has its first relevant document."""
    found = misses.first_relevant(findings.judged)
    return found, histogram_report(found, _warned(findings))


def slices(
    findings: Findings, by: str, *, one_measure: bool = False
) -> tuple[tuple[RunSlices, ...], Report]:
    """The runs in each slice of a field of queries or documents: by the measures that were asked
    for, or by `one_measure`, and by those that slices declare."""
    basis, fields, of_documents = _warned(findings), findings.queries.fields, _of_documents(by)
    if by in fields:
        asked = basis.question.measures and not one_measure
        measures = basis.measures if asked else (findings.measure,)
        declared, basis = measures_by(by, findings.queries.queries, fields[by], basis)
        found = query_slices(findings.judged, measures, by, fields[by], declared)
    elif of_documents is not None:
        basis.refuse_deep_top()
        found = (of_documents(findings.judged, findings.documents, basis.question.k),)
    elif by == CLASS:
        raise UsageError(
            "no query has a class",
            'load queries with one, as {"query_id": "q1", "text": "…", "class": "lookup"},'
            " with --replace where they are loaded already",
        )
    else:
        raise unknown("field", by, (*fields, *SLICES_OF_DOCUMENTS))
    return found, slices_report(found, basis)


def _of_documents(by: str) -> Callable[..., RunSlices] | None:
    return SLICES_OF_DOCUMENTS.get(by) or SLICES_OF_DOCUMENTS.get(f"document.{by}")


class QuerySlice(NamedTuple):
    """Some of the queries: those that have a `value` of a field, and the measure for them."""

    field: str
    value: str
    query_ids: frozenset[str]
    measure: Measure

    def __str__(self) -> str:
        return f"{self.field}={self.value}"


def deltas(
    findings: Findings, baseline: str, tag: str, part: QuerySlice | None = None
) -> tuple[queries.Deltas, Report]:
    """A run beside another, query by query."""
    measure, among = (part.measure, part.query_ids) if part else (findings.measure, None)
    found = findings.deltas(baseline, tag, measure, among)
    basis = _warned(findings, baseline, tag, among=among)
    # What is estimated is of all queries.
    estimates = () if part else findings.with_model([measure], baseline, [baseline, tag])
    more = warn_of_estimates(estimates, basis.question.with_model)
    basis = replace(basis, warnings=(*basis.warnings, *more))
    return found, deltas_report(
        found, basis, findings.queries.texts, among=str(part or ""), estimates=estimates
    )


def own_values(
    findings: Findings, tag: str, part: QuerySlice | None = None
) -> tuple[queries.OwnValues, Report]:
    """A run alone, query by query."""
    measure, among = (part.measure, part.query_ids) if part else (findings.measure, None)
    found = queries.own_values(findings.judged, measure, tag, among)
    basis = _warned(findings, tag, among=among)
    return found, own_values_report(found, basis, findings.queries.texts, among=str(part or ""))


class Rankings(NamedTuple):
    """The ranking of a query (a key) in a run or in two; `names` of its documents, by key; those
    of the query in the pool."""

    query: int
    lists: misses.SideBySide
    names: Mapping[int, DocumentName]
    pooled: Collection[int]


def rankings(
    findings: Findings, query_id: str, *tags: str, whole: bool = False
) -> tuple[Rankings, Report]:
    """What one run or two have for a query: the top k, or the `whole` of it."""
    judged, basis = findings.judged, findings.basis
    place = judged.lists.index_of_query(query_id)
    depth = judged.lists.documents.shape[2] if whole else basis.question.k
    lists = misses.side_by_side(judged, place, *tags, depth=depth)
    names = findings.names({one.document for row in lists.rows for one in row if one is not None})
    query = int(findings.now.run_lists.queries[place])
    found = Rankings(query, lists, names, findings.pooled(query))
    report = rankings_report(
        lists,
        replace(basis, warnings=warn_of_query(judged, basis, query_id, tags)),
        findings.queries.texts,
        names,
        found.pooled,
        values={
            one.name: judged.values_of_query(one, place, tags)
            for one in (*basis.measures, *basis.shares)
        },
    )
    return found, report


def divergent(findings: Findings) -> tuple[queries.DivergentQueries, Report]:
    """The queries that divide the systems: on which their values are furthest apart."""
    findings.basis.refuse_deep_top()
    judged, measure, k = findings.judged, findings.measure, findings.basis.question.k
    found = queries.most_divergent(judged.lists, judged.values(measure), measure, k)
    return found, divergent_report(found, _warned(findings), findings.queries.texts)


def models(findings: Findings) -> tuple[tuple[ModelStudy, ...], Report]:
    """The models that are studied beside people, and what they do to the order of the systems."""
    found = findings.models or ()
    warnings = [f"{study.judge}: {text}" for study in found for text in warn_of_model(study)]
    reasons = [reason for study in found for reason in undefined_of(study)]
    basis = replace(findings.basis, warnings=tuple(warnings))
    return found, view_report(basis, [models_table(found)], reasons=reasons)


def one_model(findings: Findings, judge: str) -> tuple[ModelStudy, Report]:
    """One model, the places that systems gain by its grades first."""
    for study in findings.models or ():
        if study.judge == judge:
            tables = [*model_tables(study, findings.campaign.settings.scale)]
            tables.sort(key=lambda table: table.name != "places")
            basis = replace(findings.basis, warnings=warn_of_model(study))
            return study, view_report(basis, tables)
    raise UsageError(f"model {judge!r} has no pairs in common with people any more")


def _warned(findings: Findings, *tags: str, among: frozenset[str] | None = None) -> Basis:
    """What a view of all runs or of these rests on, with what a reader of it must know."""
    warnings = warn_of_results(findings.judged, findings.basis, tags or None, among=among)
    return replace(findings.basis, warnings=warnings)


@dataclass(frozen=True)
class ViewOption:
    """How `judge-tui results` is asked for the view that `make` makes: `--name` and some `words`,
    of which the last `runs` are tags. `takes_model`: a model may make it more exact."""

    make: Callable[..., tuple[Any, Report]]
    name: str
    words: str
    help: str
    runs: int = 0
    needs_one_measure: bool = False
    takes_model: bool = False


VIEWS = (
    ViewOption(
        leaderboard,
        "leaderboard",
        "",
        "The runs, best first, beside the baseline.",
        takes_model=True,
    ),
    ViewOption(
        failures,
        "failures",
        "TAG",
        "The queries with nothing relevant in the top k of TAG, and what came.",
        runs=1,
    ),
    ViewOption(first_relevant, "histogram", "", "The rank of the first relevant document."),
    ViewOption(
        slices,
        "by",
        "FIELD",
        "Each value of a field of the queries, such as class; document.kind and document.length"
        " slice the relevant documents.",
    ),
    ViewOption(
        deltas,
        "delta",
        "A B",
        "Run B beside run A, query by query.",
        runs=2,
        needs_one_measure=True,
        takes_model=True,
    ),
    ViewOption(rankings, "query", "QID A B", "Both runs' rankings of one query.", runs=2),
    ViewOption(
        divergent,
        "disagreements",
        "",
        "The queries that divide the systems: on which their values are furthest apart.",
        needs_one_measure=True,
    ),
)
