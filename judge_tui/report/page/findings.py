"""What the page tells, worked out once: every section reads from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from judge_tui.agreement import AgreementStudy, study
from judge_tui.analysis.bounds import LooseEnds, loose_ends
from judge_tui.analysis.deltas import Deltas, deltas
from judge_tui.analysis.divided import Divided, divided
from judge_tui.analysis.document_kinds import DocumentSlices, kind_slices, length_slices
from judge_tui.analysis.failures import Failures, failures
from judge_tui.analysis.first_relevant import RankHistogram, first_relevant
from judge_tui.analysis.leaderboard import (
    Intervals,
    Leaderboard,
    RunRow,
    Verdicts,
    intervals,
    leaderboard,
    verdicts,
)
from judge_tui.analysis.query_counts import QueryCounts, query_counts
from judge_tui.analysis.slices import QuerySlices, query_slices
from judge_tui.analysis.standing import Standing
from judge_tui.analysis.warnings import of_agreement, of_results
from judge_tui.model import Warning  # noqa: A004 - the noun of the product
from judge_tui.scoring import Measure
from judge_tui.significance import Comparison, Settings, compare_scores, measures_needed

if TYPE_CHECKING:
    from judge_tui.campaign.report_data import ReportData

__all__ = ["CAME_SHOWN", "FAILURES_SHOWN", "RUNS_SHOWN", "Findings", "Named", "findings_of"]

RUNS_SHOWN = 12
"""So many runs stand in tables and pictures of details: those of the greatest means."""

DELTAS_SHOWN = 4
"""So many runs are shown query by query."""

FAILURES_SHOWN = 10
CAME_SHOWN = 3
"""Failures in detail, and results shown of each."""


class Named(Protocol):
    """How a document is called; the title is empty where it has none."""

    @property
    def doc_id(self) -> str:
        """Its id."""

    @property
    def title(self) -> str:
        """Its title."""


@dataclass(frozen=True, slots=True)
class Findings:
    """`ranked`: the runs, greatest mean first; `shown`: the tags of those that details are shown
    of, the baseline among them. `empty_tops`: tag -> judged queries without a relevant document in
    the top k, of as many as are `counted` for it. `failed`: the failures of the best other run and
    of the baseline. `classes` is None where the queries have none. `top`: the best run beside the
    second best, a comparison of its own; None where one of them is the baseline, as the verdicts
    have it then."""

    data: ReportData
    queries: QueryCounts
    board: Leaderboard
    intervals: Intervals
    bounds: LooseEnds
    verdicts: Verdicts
    top: Comparison | None
    study: AgreementStudy
    ranked: tuple[RunRow, ...]
    shown: tuple[str, ...]
    deltas: tuple[Deltas, ...]
    empty_tops: Mapping[str, int]
    counted: Mapping[str, int]
    failed: tuple[Failures, ...]
    first: RankHistogram
    classes: QuerySlices | None
    kinds: DocumentSlices
    lengths: DocumentSlices
    divided: Divided

    @property
    def measure(self) -> Measure:
        """The one that the page goes by."""
        return self.data.measure

    @property
    def baseline(self) -> str:
        """The tag of the run that the others are compared with."""
        return self.data.results.basis.baseline

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """What a reader of the page must know."""
        results, comparisons = self.data.results, self.verdicts.comparisons
        return (
            *of_results(results.now.standing, results.basis, comparisons=comparisons),
            *of_agreement(self.study, len(self.data.scale.grades)),
        )

    @property
    def others(self) -> tuple[RunRow, ...]:
        """The runs but the baseline, greatest mean first."""
        return tuple(row for row in self.ranked if row.tag != self.baseline)

    @property
    def tested(self) -> bool:
        """Whether any verdict rests on a p."""
        family = self.verdicts.comparisons
        return family is not None and any(
            one.p_adjusted[family.settings.tests[0]] is not None for one in family
        )

    def comparison(self, tag: str) -> Comparison | None:
        """The run beside the baseline by the measure of the page."""
        return self.verdicts.of.get((tag, self.measure.name))

    @property
    def documents(self) -> set[int]:
        """The documents that are named on the page, by their keys."""
        named: set[int] = set()
        for one in self.failed:
            for row in one.rows[:FAILURES_SHOWN]:
                named.update(came.document for came in row.came[:CAME_SHOWN])
                named.update(missed.document for missed in row.missed[:1])
        return named


def findings_of(data: ReportData) -> Findings:
    """Work everything out."""
    standing, basis = data.results.now.standing, data.results.basis
    asked = basis.asked
    measure = data.measure
    board = leaderboard(standing, basis.measures, basis.shares)
    ranked = board.by(measure)
    shown = tuple(dict.fromkeys([*(row.tag for row in ranked[: RUNS_SHOWN - 1]), basis.baseline]))
    shown = tuple(row.tag for row in ranked if row.tag in shown)
    # By the seed of `compare` and `results`, which print the same digits.
    compared = verdicts(standing, basis.measures, basis.baseline, Settings())
    others = [
        row.tag for row in ranked if row.tag != basis.baseline and row.tag not in compared.why
    ]
    empty = standing.wanted & ~(standing.seen[:, :, : asked.k] >= asked.rel).any(axis=2)
    tags = standing.rankings.tags
    scored = {row.tag for row in ranked if row.queries}
    classes = data.queries.fields.get("class")
    return Findings(
        data=data,
        queries=query_counts(standing, basis.baseline),
        board=board,
        intervals=intervals(standing, basis.measures, basis.seed),
        bounds=loose_ends(standing, basis.measures, basis.grades),
        verdicts=compared,
        top=_top(standing, measure, ranked, basis.baseline),
        study=study(data.agreement, seed=basis.seed),
        ranked=ranked,
        shown=shown,
        deltas=tuple(
            deltas(standing, measure, basis.baseline, tag)
            for tag in others[:DELTAS_SHOWN]
            if basis.baseline in scored
        ),
        empty_tops=dict(zip(tags, empty.sum(axis=1).tolist(), strict=True)),
        counted=dict(zip(tags, standing.wanted.sum(axis=1).tolist(), strict=True)),
        failed=tuple(
            failures(standing, tag, asked.k, asked.rel) for tag in [*others[:1], basis.baseline]
        ),
        first=first_relevant(standing, asked.rel),
        classes=None if classes is None else query_slices(standing, measure, "class", classes),
        kinds=kind_slices(standing, data.documents, asked.k, asked.rel),
        lengths=length_slices(standing, data.documents, asked.k, asked.rel),
        divided=divided(standing, measure, asked.k),
    )


def _top(
    standing: Standing, measure: Measure, ranked: Sequence[RunRow], baseline: str
) -> Comparison | None:
    scored = [row.tag for row in ranked if row.queries][:2]
    if len(scored) < 2 or baseline in scored:
        return None
    best, second = map(standing.rankings.tags.index, scored)
    if not (standing.scored[best] & standing.scored[second]).any():
        return None
    scores = standing.scores(measures_needed([measure]))
    runs = tuple(run for run in scores.runs if run.tag in scored)
    settings = Settings(baseline=scored[1])
    return next(iter(compare_scores(replace(scores, runs=runs), [measure], settings)))
