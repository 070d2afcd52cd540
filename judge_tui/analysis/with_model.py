"""What runs are worth, made more exact by a model that judged more queries than people did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.filled_runs import ModelGrades
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.warnings import LEAST_JUDGED
from judge_tui.arrays import Bools, Floats
from judge_tui.comparison.prediction_powered import PredictionPowered, prediction_powered
from judge_tui.comparison.settings import FEWEST_QUERIES
from judge_tui.counts import counted
from judge_tui.errors import UsageError
from judge_tui.percent import percent
from judge_tui.scoring import Measure, mean


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """The mean of a run by a `measure`, or how much better it is than the `baseline`, "" for none.

    `people`: what people say over the queries that both judged, None where these are none.
    `powered`: what is more exact, None where nothing is, and `why` says the reason.
    """

    tag: str
    measure: str
    baseline: str
    people: float | None
    powered: PredictionPowered | None
    why: str = ""

    @property
    def of(self) -> str:
        """What is estimated."""
        return "delta" if self.baseline else "mean"


def judged_alike(judged: JudgedRuns, by_model: JudgedRuns, measure: Measure) -> Bools:
    """bool[queries]: those that people judged as the model did: of the results that it graded in
    the top of the runs, as deep as the measure looks, people graded at least `LEAST_JUDGED`. What
    nobody judged counts as 0, so a query of which people judged a sample is none of theirs."""
    top = slice(min(measure.depth, judged.lists.documents.shape[2]))
    its = by_model.grade_by_rank[:, :, top] >= 0
    both = its & (judged.grade_by_rank[:, :, top] >= 0)
    graded, shared = its.sum(axis=(0, 2)), both.sum(axis=(0, 2))
    alike: Bools = (graded > 0) & (np.round(shared - LEAST_JUDGED * graded, 6) >= 0)
    return alike


def runs_by_model(
    judged: JudgedRuns, model: ModelGrades, measures: Sequence[Measure]
) -> JudgedRuns:
    """Return the same runs as if nobody but the model had judged.

    `judged` has the grades of people alone, whose queries are those of `judged_alike`. Raises
    `UsageError` where by each of the measures both judged too few queries, or the model judged none
    that people did not: then it makes nothing more exact.
    """
    by_model = judged.with_grades(model.grades)
    its = by_model.graded_queries
    refusals = [_why_not(judged_alike(judged, by_model, one), its, model.name) for one in measures]
    if refusals and all(refusals):
        raise next(filter(None, refusals))
    return by_model


def _why_not(people: Bools, its: Bools, name: str) -> UsageError | None:
    """Why a model that judged `its` queries makes nothing more exact."""
    if (both := int((people & its).sum())) < FEWEST_QUERIES:
        return UsageError(
            f"people and {name!r} both judged {counted(both, 'query', 'queries')}, and"
            f" {FEWEST_QUERIES} are needed",
            f"a query counts where people judged {percent(LEAST_JUDGED)} of what the model graded"
            " in the top of the runs: let both judge the same queries whole",
        )
    if not (its & ~people).any():
        return UsageError(
            f"{name!r} judged no query that people did not, so it adds nothing",
            "let it judge more queries, from which people's are a random choice",
        )
    return None


def model_estimates(
    judged: JudgedRuns,
    by_model: JudgedRuns,
    measures: Sequence[Measure],
    baseline: str,
    tags: Sequence[str] | None = None,
) -> tuple[ModelEstimate, ...]:
    """Return the mean of each run of these `tags`, or of all, by each measure, and its difference
    from the baseline (`comparison.prediction_powered`). People's queries are those of
    `judged_alike`.

    `judged`: by the grades of people alone; `by_model`: what `runs_by_model` makes of these.
    """
    shown = judged.lists.tags if tags is None else tuple(tags)
    return tuple(_estimates(judged, by_model, measures, baseline, shown))


def _estimates(
    judged: JudgedRuns,
    by_model: JudgedRuns,
    measures: Sequence[Measure],
    baseline: str,
    tags: Sequence[str],
) -> Iterator[ModelEstimate]:
    before = judged.lists.index_of_run(baseline)
    for measure in measures:
        alike, its = judged_alike(judged, by_model, measure), by_model.values(measure)
        people = np.where(alike, judged.values(measure), np.nan)
        for tag in tags:
            run = judged.lists.index_of_run(tag)
            yield _estimate(measure, tag, "", people[run], its[run])
            if run != before:
                differences = people[run] - people[before], its[run] - its[before]
                yield _estimate(measure, tag, baseline, *differences)


def _estimate(
    measure: Measure, tag: str, baseline: str, people: Floats, its: Floats
) -> ModelEstimate:
    """`people`, `its`: float64[queries], what both say, NaN for nothing."""
    both, alone = ~np.isnan(people) & ~np.isnan(its), np.isnan(people) & ~np.isnan(its)
    known = float(people[both].mean()) if both.any() else None
    if measure.definition.average is not mean:
        why = f"{measure} is no arithmetic mean over queries"
        return ModelEstimate(tag, measure.name, baseline, None, None, why)
    found = prediction_powered(people[both], its[both], its[alone])
    if isinstance(found, str):
        return ModelEstimate(tag, measure.name, baseline, known, None, found)
    return ModelEstimate(tag, measure.name, baseline, known, found)
