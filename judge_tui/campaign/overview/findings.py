"""What is known of a campaign's results: what views are made of, each part read or worked out when
the first view needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from judge_tui.analysis.basis import Basis, Question
from judge_tui.analysis.filled_runs import ModelGrades
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.leaderboard import (
    MeanBounds,
    MeanIntervals,
    Verdicts,
    intervals,
    mean_bounds,
    tested_measures,
    verdicts,
)
from judge_tui.analysis.model_judge import ModelStudy
from judge_tui.analysis.queries import Deltas, deltas
from judge_tui.analysis.slices import DocumentFacts, relevant_documents
from judge_tui.analysis.unbiased import JudgedUnion
from judge_tui.analysis.with_model import ModelEstimate, model_estimates
from judge_tui.campaign.overview.enough import sampled_union
from judge_tui.campaign.overview.facts import QueryFacts, document_facts, query_facts
from judge_tui.campaign.overview.model_grades import (
    all_model_grades,
    estimating_models,
    filling_models,
    runs_of_model,
)
from judge_tui.campaign.overview.model_study import studied_models
from judge_tui.campaign.overview.standing import RunsNow, results_now
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import DocumentName, document_names
from judge_tui.campaign.store.pool import pooled_documents
from judge_tui.scoring import Measure, Scores


@dataclass
class Findings:
    """The runs in the light of the grades of one moment, looked at by one `measure`, beside the
    baseline of the `basis`. `intervals`, `bounds` and `verdicts` are None as long as they are not
    worked out."""

    campaign: Campaign
    now: RunsNow
    basis: Basis
    measure: Measure
    intervals: MeanIntervals | None = None
    bounds: MeanBounds | None = None
    _verdicts: dict[tuple[str, str], Verdicts] = field(default_factory=dict)
    _deltas: dict[tuple[object, ...], Deltas] = field(default_factory=dict)
    _models: dict[str, tuple[ModelStudy, ...]] = field(default_factory=dict)

    @property
    def judged(self) -> JudgedRuns:
        """The runs and grades that all views are made of."""
        return self.now.judged

    @property
    def tags(self) -> tuple[str, ...]:
        """The runs, as they were loaded."""
        return self.judged.lists.tags

    @property
    def baseline(self) -> str:
        """The run that the others are compared with."""
        return self.basis.baseline

    @cached_property
    def scores(self) -> Scores:
        """The runs by all measures of the basis."""
        return self.judged.scores(dict.fromkeys([*self.basis.measures, *self.basis.shares]))

    @cached_property
    def union(self) -> JudgedUnion | None:
        """What `sampled_union` has."""
        return sampled_union(self.campaign, self.now.grading)

    @cached_property
    def filling_models(self) -> tuple[str, ...]:
        """The models whose grades can stand for those that are missing."""
        return filling_models(self._model_grades, self.now.grading)

    @cached_property
    def estimating_models(self) -> tuple[str, ...]:
        """The models that make means and differences more exact."""
        return estimating_models(self._model_grades, self.judged, self.basis.measures)

    @cached_property
    def _model_grades(self) -> tuple[ModelGrades, ...]:
        return all_model_grades(self.campaign, self.now.grading)

    @property
    def models(self) -> tuple[ModelStudy, ...] | None:
        """Each model that has pairs in common with people, beside them, by the measure; None while
        they are not studied."""
        return self._models.get(self.measure.name)

    def study_models(self, reader: Campaign) -> None:
        """Study the models by the measure, which takes longer. `reader`: the campaign, as the
        thread that does it reads it."""
        measure = self.measure
        self._models[measure.name] = studied_models(reader, measure, self.now.grading.policy)

    @cached_property
    def queries(self) -> QueryFacts:
        """The texts and fields of all queries."""
        return query_facts(self.campaign)

    @cached_property
    def documents(self) -> DocumentFacts:
        """Kinds and lengths of all relevant documents."""
        return document_facts(self.campaign, relevant_documents(self.judged))

    def names(self, documents: Iterable[int]) -> dict[int, DocumentName]:
        """Ids and titles of documents, by their keys."""
        return document_names(self.campaign, documents)

    def pooled(self, query: int) -> frozenset[int]:
        """The documents (keys) in the pool of a query (a key)."""
        return pooled_documents(self.campaign, query)

    @cached_property
    def by_model(self) -> JudgedRuns | None:
        """The runs as if nobody but the model that was asked for had judged, None where none was.
        Raises as `runs_of_model`."""
        name = self.basis.question.with_model
        if not name:
            return None
        judged, grading = self.judged, self.now.grading
        return runs_of_model(self.campaign, name, judged, grading, self.basis.measures)

    def with_model(
        self, measures: Sequence[Measure], baseline: str, tags: Sequence[str] | None = None
    ) -> tuple[ModelEstimate, ...]:
        """What that model makes more exact, nothing without one. Raises as `by_model`."""
        if self.by_model is None:
            return ()
        return model_estimates(self.judged, self.by_model, measures, baseline, tags)

    @property
    def verdicts(self) -> Verdicts | None:
        """The runs beside the baseline by the measure, None while they are not worked out."""
        return self._verdicts.get((self.baseline, self.measure.name))

    def compare_with(self, baseline: str) -> None:
        """Look at the runs beside another one from now on."""
        self.basis = replace(self.basis, baseline=baseline)

    def work_out(self) -> None:
        """Work out what takes longer and is missing."""
        if self.intervals is None:
            self.intervals = intervals(self.judged.scores(self.basis.measures), self.basis.seed)
        baseline, measure = self.baseline, self.measure
        if (baseline, measure.name) not in self._verdicts:
            # What is tested unless another measure is looked at is corrected together.
            family = tested_measures(self.basis)
            if measure.definition.quality and measure not in family:
                family = (measure,)
            found = verdicts(self.judged, family, baseline, self.union)
            self._verdicts[baseline, measure.name] = found
        if self.bounds is None:
            self.bounds = mean_bounds(self.judged, self.basis.measures, self.basis.scale)

    def deltas(
        self, baseline: str, tag: str, measure: Measure, among: frozenset[str] | None
    ) -> Deltas:
        """A run beside another query by query; each two are resampled once."""
        key = (baseline, tag, measure.name, among)
        if key not in self._deltas:
            union = None if among else self.union
            self._deltas[key] = deltas(self.judged, measure, baseline, tag, among, union)
        return self._deltas[key]

    def unresolved(self, query: int) -> frozenset[int]:
        """The documents (keys) of a query (a key) that were judged and have no final grade."""
        pool = self.now.grading.pool
        at = pool.places_of(self.now.grading.decided.unresolved)
        return frozenset(pool.documents[at[pool.queries[at] == query]].tolist())


def findings_now(campaign: Campaign, question: Question) -> Findings:
    """Read the runs and grades of this moment; put it, with the views made of it, inside
    `campaign.reading()`. The measure is the first. Raises as `results_now`."""
    found = results_now(campaign, question)
    return Findings(campaign, found.now, found.basis, found.basis.measures[0])
