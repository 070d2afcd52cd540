"""The views of `judge-tui results`: from the campaign as it was asked for to a report each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judge_tui.analysis.basis import Basis, Question
from judge_tui.analysis.document_slices import kind_slices, length_slices, relevant_documents
from judge_tui.analysis.failures import failures, first_relevant, side_by_side
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.leaderboard import (
    intervals,
    leaderboard,
    mean_bounds,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.queries import deltas, most_divergent
from judge_tui.analysis.run_slices import query_slices
from judge_tui.analysis.warnings import of_query, of_results
from judge_tui.campaign import Campaign, open_campaign
from judge_tui.campaign.overview.facts import document_facts, query_facts
from judge_tui.campaign.overview.standing import RunsNow, results_now
from judge_tui.campaign.store.documents import DocumentName, document_names
from judge_tui.campaign.store.pool import pooled_documents
from judge_tui.errors import UsageError, unknown
from judge_tui.evaluation.slicing import CLASS, measures_by
from judge_tui.report import Report
from judge_tui.report.results import (
    deltas_report,
    divergent_report,
    document_slices_report,
    failures_report,
    histogram_report,
    leaderboard_report,
    query_slices_report,
    rankings_report,
)
from judge_tui.scoring import Measure

__all__ = ["view"]

_KIND, _LENGTH = "document.kind", "document.length"
_OF_DOCUMENTS = {_KIND: _KIND, _LENGTH: _LENGTH, "kind": _KIND, "length": _LENGTH}


def view(db: Path, asked: Question, name: str, names: Sequence[str]) -> Report:
    """The view `name` of the results as of one moment. `names`: of what it is about; runs among
    them join those that were asked for."""
    if asked.tags and name in ("failures", "delta", "query"):
        tags = (*asked.tags, *(names[1:] if name == "query" else names))
        asked = replace(asked, tags=tuple(dict.fromkeys(tags)))
    with open_campaign(db) as campaign, campaign.reading():
        found = results_now(campaign, asked)
        return _VIEWS[name](Seen(campaign, found.now, found.basis), *names)


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
        return dict(query_facts(self.campaign).texts)

    def names(self, documents: Iterable[int]) -> dict[int, DocumentName]:
        return document_names(self.campaign, documents)


def _leaderboard(seen: Seen) -> Report:
    judged, basis = seen.judged, seen.basis
    compared = verdicts(judged, tested_measures(basis), basis.baseline)
    warnings = of_results(judged, basis, comparisons=compared.comparisons)
    return leaderboard_report(
        leaderboard(judged, basis.measures, basis.shares),
        replace(basis, warnings=warnings),
        intervals=intervals(judged.scores(basis.measures), basis.seed),
        bounds=mean_bounds(judged, basis.measures, basis.scale),
        verdicts=compared,
    )


def _failures(seen: Seen, tag: str) -> Report:
    seen.basis.refuse_deep_top(tag)
    found = failures(seen.judged, tag, seen.basis.question.k)
    names = seen.names(document for row in found.rows for document in row.documents)
    return failures_report(found, seen.warned(tag), seen.texts(), names)


def _histogram(seen: Seen) -> Report:
    return histogram_report(first_relevant(seen.judged), seen.warned())


def _slices(seen: Seen, field: str) -> Report:
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
    seen.basis.refuse_deep_top()
    facts = document_facts(seen.campaign, relevant_documents(seen.judged))
    cut = kind_slices if field == _KIND else length_slices
    return document_slices_report(cut(seen.judged, facts, seen.basis.question.k), seen.warned())


def _delta(seen: Seen, baseline: str, tag: str) -> Report:
    found = deltas(seen.judged, seen.measure, baseline, tag)
    return deltas_report(found, seen.warned(baseline, tag), seen.texts())


def _query(seen: Seen, query_id: str, *tags: str) -> Report:
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


def _disagreements(seen: Seen) -> Report:
    seen.basis.refuse_deep_top()
    values = seen.judged.values(seen.measure)
    found = most_divergent(seen.judged.lists, values, seen.measure, seen.basis.question.k)
    return divergent_report(found, seen.warned(), seen.texts())


_VIEWS: dict[str, Callable[..., Report]] = {
    "leaderboard": _leaderboard,
    "failures": _failures,
    "histogram": _histogram,
    "by": _slices,
    "delta": _delta,
    "query": _query,
    "disagreements": _disagreements,
}
