"""The views of `judge-tui results`: from the campaign as it was asked for to a report each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge_tui.analysis.warnings import of_query, of_results

if TYPE_CHECKING:
    from judge_tui.analysis.basis import Basis
    from judge_tui.analysis.judged_runs import JudgedRuns
    from judge_tui.campaign import Campaign
    from judge_tui.campaign.overview.standing import RunsNow
    from judge_tui.campaign.store.documents import DocumentName
    from judge_tui.report import Report
    from judge_tui.scoring import Measure

__all__ = [
    "Seen",
    "deltas_view",
    "disagreements_view",
    "failures_view",
    "histogram_view",
    "leaderboard_view",
    "rankings_view",
    "slices_view",
]

_KIND, _LENGTH = "document.kind", "document.length"
_OF_DOCUMENTS = {_KIND: _KIND, _LENGTH: _LENGTH, "kind": _KIND, "length": _LENGTH}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a view is made of: the runs, what they rest on, and the campaign behind it."""

    campaign: Campaign
    now: RunsNow
    basis: Basis

    @property
    def judged(self) -> JudgedRuns:
        return self.now.judged

    @property
    def measure(self) -> Measure:
        return self.basis.measures[0]

    def warned(self, *tags: str) -> Basis:
        """What a view of all runs, or of these, rests on, with what a reader of it must know."""
        warnings = of_results(self.judged, self.basis, tags or None)
        return replace(self.basis, warnings=warnings)

    def texts(self) -> dict[str, str]:
        from judge_tui.campaign.overview.facts import query_facts

        return dict(query_facts(self.campaign).texts)

    def names(self, documents: Iterable[int]) -> dict[int, DocumentName]:
        from judge_tui.campaign.store.documents import document_names

        return document_names(self.campaign, documents)


def leaderboard_view(seen: Seen) -> Report:
    from judge_tui.analysis.leaderboard import (
        intervals,
        leaderboard,
        mean_bounds,
        tested_measures,
        verdicts,
    )
    from judge_tui.report.results import leaderboard_report

    judged, basis = seen.judged, seen.basis
    compared = verdicts(judged, tested_measures(basis), basis.baseline)
    warnings = of_results(judged, basis, comparisons=compared.comparisons)
    return leaderboard_report(
        leaderboard(judged, basis.measures, basis.shares),
        replace(basis, warnings=warnings),
        intervals=intervals(judged, basis.measures, basis.seed),
        bounds=mean_bounds(judged, basis.measures, basis.scale),
        verdicts=compared,
    )


def failures_view(seen: Seen, tag: str) -> Report:
    from judge_tui.analysis.failures import failures
    from judge_tui.report.results import failures_report

    seen.basis.refuse_deep_top(tag)
    found = failures(seen.judged, tag, seen.basis.question.k)
    names = seen.names(document for row in found.rows for document in row.documents)
    return failures_report(found, seen.warned(tag), seen.texts(), names)


def histogram_view(seen: Seen) -> Report:
    from judge_tui.analysis.failures import first_relevant
    from judge_tui.report.results import histogram_report

    return histogram_report(first_relevant(seen.judged), seen.warned())


def slices_view(seen: Seen, field: str) -> Report:
    from judge_tui.analysis.run_slices import query_slices
    from judge_tui.campaign.overview.facts import query_facts
    from judge_tui.errors import UsageError, unknown
    from judge_tui.evaluation.slicing import CLASS, measures_by
    from judge_tui.report.results import query_slices_report

    facts = query_facts(seen.campaign)
    fields = facts.fields
    # Unless the queries themselves have a field of that name.
    if field not in fields:
        if field == CLASS:
            raise UsageError(
                "no query has a class",
                'load queries with one, as {"query_id": "q1", "text": "…", "class": "lookup"},'
                " with --replace where they are loaded already",
            )
        if field not in _OF_DOCUMENTS:
            raise unknown("field", field, (*fields, _KIND, _LENGTH))
        return _document_slices(seen, _OF_DOCUMENTS[field])
    basis = seen.basis
    measures = basis.measures if basis.question.measures else basis.measures[:1]
    declared, basis = measures_by(field, facts.queries, fields[field], seen.warned())
    found = query_slices(seen.judged, measures, field, fields[field], declared)
    return query_slices_report(found, basis)


def _document_slices(seen: Seen, field: str) -> Report:
    from judge_tui.analysis.document_slices import kind_slices, length_slices, relevant_documents
    from judge_tui.campaign.overview.facts import document_facts
    from judge_tui.report.results import document_slices_report

    k = seen.basis.question.k
    seen.basis.refuse_deep_top()
    facts = document_facts(seen.campaign, relevant_documents(seen.judged))
    cut = kind_slices if field == _KIND else length_slices
    return document_slices_report(cut(seen.judged, facts, k), seen.warned())


def deltas_view(seen: Seen, baseline: str, tag: str) -> Report:
    from judge_tui.analysis.queries import deltas
    from judge_tui.report.results import deltas_report

    found = deltas(seen.judged, seen.measure, baseline, tag)
    return deltas_report(found, seen.warned(baseline, tag), seen.texts())


def rankings_view(seen: Seen, query_id: str, *tags: str) -> Report:
    from judge_tui.analysis.failures import side_by_side
    from judge_tui.campaign.store.pool import pooled_documents
    from judge_tui.report.results import rankings_report

    judged, basis = seen.judged, seen.basis
    query = judged.lists.index_of_query(query_id)
    found = side_by_side(judged, query, *tags, depth=basis.question.k)
    return rankings_report(
        found,
        replace(basis, warnings=of_query(judged, basis, query_id, tags)),
        seen.texts(),
        seen.names(one.document for row in found.rows for one in row if one is not None),
        pooled_documents(seen.campaign, int(seen.now.loaded.queries[query])),
        values={
            one.name: judged.values_of_query(one, query, tags)
            for one in (*basis.measures, *basis.shares)
        },
    )


def disagreements_view(seen: Seen) -> Report:
    from judge_tui.analysis.queries import most_divergent
    from judge_tui.report.results import divergent_report

    seen.basis.refuse_deep_top()
    values = seen.judged.values(seen.measure)
    found = most_divergent(seen.judged.lists, values, seen.measure, seen.basis.question.k)
    return divergent_report(found, seen.warned(), seen.texts())
