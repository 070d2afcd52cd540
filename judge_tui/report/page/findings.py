"""What the page of a campaign tells, worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judge_tui.agreement.study import AgreementStudy, study
from judge_tui.analysis.document_slices import kind_slices, length_slices
from judge_tui.analysis.failures import Failures, RankHistogram, failures, first_relevant
from judge_tui.analysis.leaderboard import (
    Intervals,
    Leaderboard,
    MeanBounds,
    RunRow,
    Verdicts,
    intervals,
    leaderboard,
    mean_bounds,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.queries import DivergentQueries, most_divergent
from judge_tui.analysis.run_slices import RunSlices, ShareFound, query_slices
from judge_tui.analysis.warnings import of_agreement, of_results
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.evaluation.slicing import CLASS, measures_by
from judge_tui.scoring import Measure

if TYPE_CHECKING:
    from judge_tui.campaign.overview.report_data import ReportData

__all__ = ["Findings", "findings_of"]

_FAILURES = 10
"""So many failures of a system are named."""


@dataclass(frozen=True, slots=True)
class Findings:
    """`ranked`: the runs, greatest mean first. `empty_tops`: tag -> queries without a relevant
    document in the top k, and of how many. `failed`: the first failures of the best other run and
    of the baseline. `classes`: by each of their measures; nothing where the queries have no class.
    """

    data: ReportData
    board: Leaderboard
    intervals: Intervals
    bounds: MeanBounds
    verdicts: Verdicts
    study: AgreementStudy
    warnings: tuple[str, ...]
    ranked: tuple[RunRow, ...]
    empty_tops: Mapping[str, tuple[int, int]]
    failed: tuple[Failures, ...]
    first: RankHistogram
    classes: tuple[RunSlices[Measure], ...]
    kinds: RunSlices[ShareFound]
    lengths: RunSlices[ShareFound]
    divergent: DivergentQueries

    @property
    def documents(self) -> set[int]:
        """The documents that are named on the page, by their keys."""
        rows = (row for its in self.failed for row in its.rows)
        return {document for row in rows for document in row.documents}


def findings_of(data: ReportData) -> Findings:
    """Work everything out."""
    judged, basis, measure = data.results.now.judged, data.results.basis, data.measure
    asked, baseline = basis.question, basis.baseline
    board = leaderboard(judged, basis.measures, basis.shares)
    ranked = board.by(measure)
    # By the seed of `compare` and `results`, which print the same digits.
    compared = verdicts(judged, tested_measures(basis), baseline, ComparisonSettings())
    others = [row.tag for row in ranked if (row.tag, measure.name) in compared.of]
    empty = judged.graded_queries & ~(judged.grade_by_rank[:, :, : asked.k] > 0).any(axis=2)
    queries = int(judged.graded_queries.sum())
    counts = ((count, queries) for count in empty.sum(axis=1).tolist())
    agreement = study(data.agreement, seed=basis.seed)
    of_runs = of_results(judged, basis, comparisons=compared.comparisons)
    return Findings(
        data=data,
        board=board,
        intervals=intervals(judged, basis.measures, basis.seed),
        bounds=mean_bounds(judged, basis.measures, basis.scale),
        verdicts=compared,
        study=agreement,
        warnings=(*of_runs, *of_agreement(agreement, len(data.scale.grades))),
        ranked=ranked,
        empty_tops=dict(zip(judged.lists.tags, counts, strict=True)),
        failed=tuple(
            replace(one, rows=one.rows[:_FAILURES])
            for one in (failures(judged, tag, asked.k) for tag in [*others[:1], baseline])
        ),
        first=first_relevant(judged),
        classes=_classes(data),
        kinds=kind_slices(judged, data.documents, asked.k),
        lengths=length_slices(judged, data.documents, asked.k),
        divergent=most_divergent(judged.lists, judged.values(measure), measure, asked.k),
    )


def _classes(data: ReportData) -> tuple[RunSlices[Measure], ...]:
    of_query = data.queries.fields.get(CLASS)
    if of_query is None:
        return ()
    declared, _ = measures_by(CLASS, data.queries.queries, of_query, data.results.basis)
    return query_slices(data.results.now.judged, [data.measure], CLASS, of_query, declared)
