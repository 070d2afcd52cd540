"""What runs are worth, made more exact by a model that judged more queries than people did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.filled_runs import ModelGrades
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.arrays import Floats
from judge_tui.comparison.prediction_powered import PredictionPowered, prediction_powered
from judge_tui.comparison.settings import FEWEST_QUERIES
from judge_tui.counts import counted
from judge_tui.errors import UsageError
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


def runs_by_model(judged: JudgedRuns, model: ModelGrades) -> JudgedRuns:
    """Return the same runs as if nobody but the model had judged.

    `judged` has the grades of people alone. Raises `UsageError` where both judged too few queries,
    and where the model judged none that people did not: then it makes nothing more exact.
    """
    by_model = JudgedRuns(
        judged.lists, judged.queries, judged.documents, model.grades, judged.greatest
    )
    people, its = judged.graded_queries, by_model.graded_queries
    if (both := int((people & its).sum())) < FEWEST_QUERIES:
        raise UsageError(
            f"people and {model.name!r} both judged {counted(both, 'query', 'queries')}, and"
            f" {FEWEST_QUERIES} are needed",
            "let the model judge the queries that people judged, too",
        )
    if not (its & ~people).any():
        raise UsageError(
            f"{model.name!r} judged no query that people did not, so it adds nothing",
            "let it judge more queries, from which people's are a random choice",
        )
    return by_model


def model_estimates(
    judged: JudgedRuns,
    by_model: JudgedRuns,
    measures: Sequence[Measure],
    baseline: str,
    tags: Sequence[str] | None = None,
) -> tuple[ModelEstimate, ...]:
    """Return the mean of each run of these `tags`, or of all, by each measure, and its difference
    from the baseline (`comparison.prediction_powered`).

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
        people, its = judged.values(measure), by_model.values(measure)
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
