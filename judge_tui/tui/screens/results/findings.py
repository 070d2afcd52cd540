"""What is known of a campaign's results: the means first, then what takes longer."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from judge_tui.agreement.policies import checked_policy
from judge_tui.analysis.basis import Basis, Question
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
from judge_tui.analysis.queries import Deltas, deltas
from judge_tui.analysis.slices import DocumentFacts, relevant_documents
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.facts import QueryFacts, document_facts, query_facts
from judge_tui.campaign.overview.standing import RunsNow, results_now
from judge_tui.campaign.store.runs import all_runs
from judge_tui.errors import check_known
from judge_tui.scoring import DEFAULT_MEASURES, Measure, Scores, parse_measures


@dataclass
class Findings:
    """The runs in the light of the grades of one moment, looked at by one `measure`, beside the
    baseline of the `basis`; the rest is None as long as it is not worked out."""

    campaign: Campaign
    now: RunsNow
    basis: Basis
    queries: QueryFacts
    documents: DocumentFacts
    scores: Scores
    measure: Measure
    intervals: MeanIntervals | None = None
    bounds: MeanBounds | None = None
    _verdicts: dict[tuple[str, str], Verdicts] = field(default_factory=dict)
    _deltas: dict[tuple[object, ...], Deltas] = field(default_factory=dict)

    @property
    def judged(self) -> JudgedRuns:
        """The runs and grades that all views are made of."""
        return self.now.judged

    @property
    def tags(self) -> tuple[str, ...]:
        """The runs, as they were loaded."""
        return self.scores.tags

    @property
    def baseline(self) -> str:
        """The run that the others are compared with."""
        return self.basis.baseline

    @property
    def verdicts(self) -> Verdicts | None:
        """The runs beside the baseline by the measure, None while they are not worked out."""
        return self._verdicts.get((self.baseline, self.measure.name))

    def compare_with(self, baseline: str) -> None:
        """Look at the runs beside another one from now on."""
        self.basis = replace(self.basis, baseline=baseline)

    def work_out(self) -> None:
        """Work out what takes longer and is missing. For a thread of its own."""
        if self.intervals is None:
            self.intervals = intervals(self.judged.scores(self.basis.measures), self.basis.seed)
        baseline, measure = self.baseline, self.measure
        if (baseline, measure.name) not in self._verdicts:
            # Those that the command tests are corrected together, as it has them.
            tested = tested_measures(self.basis)
            family = tested if measure in tested else (measure,)
            self._verdicts[baseline, measure.name] = verdicts(self.judged, family, baseline)
        if self.bounds is None:
            self.bounds = mean_bounds(self.judged, self.basis.measures, self.basis.scale)

    def deltas(self, tag: str, measure: Measure, among: frozenset[str] | None) -> Deltas:
        """A run beside the baseline query by query; each is resampled once."""
        key = (self.baseline, tag, measure.name, among)
        if key not in self._deltas:
            self._deltas[key] = deltas(self.judged, measure, self.baseline, tag, among)
        return self._deltas[key]

    def unresolved(self, query: int) -> frozenset[int]:
        """The documents (keys) of a query (a key) that were judged and have no final grade."""
        pool = self.now.grading.pool
        at = pool.places_of(self.now.grading.decided.unresolved)
        return frozenset(pool.documents[at[pool.queries[at] == query]].tolist())


def read_findings(
    campaign: Campaign, reader: Campaign, question: Question, before: Findings | None
) -> Findings:
    """Read what is quickly known, all of one moment, by the `reader`, a second connection to the
    campaign. Measure and baseline are those from `before`, where they are there still.

    Raises `UsageError` where nobody has judged, and for what is asked and not there.
    """
    with reader.reading():
        found = results_now(reader, question)
        now, basis = found.now, found.basis
        scores = now.judged.scores(dict.fromkeys([*basis.measures, *basis.shares]))
        measures = {one.name: one for one in basis.measures}
        good = (one for one in basis.measures if one.definition.quality)
        measure = next(good, basis.measures[0])
        if before is not None:
            measure = measures.get(before.measure.name, measure)
            if before.baseline in scores.tags:
                basis = replace(basis, baseline=before.baseline)
        documents = document_facts(reader, relevant_documents(now.judged))
        return Findings(campaign, now, basis, query_facts(reader), documents, scores, measure)


def refuse_unknown(campaign: Campaign, question: Question) -> None:
    """Raise `UsageError` for a run, a measure or a policy that is not there; where there is no run
    at all, the screen says what to do."""
    checked_policy(question.policy)
    greatest = max(campaign.settings.scale.grades)
    parse_measures(question.measures or DEFAULT_MEASURES, max_rel=greatest)
    known = [record.tag for record in all_runs(campaign)]
    for tag in (*question.tags, *([question.baseline] if question.baseline is not None else [])):
        if known:
            check_known("run", tag, known)
