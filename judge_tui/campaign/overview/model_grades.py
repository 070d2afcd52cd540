"""The grades of one judge of kind model beside the final grades of people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from judge_tui.analysis.filled_runs import ModelGrades
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.with_model import runs_by_model
from judge_tui.campaign.overview.grading import Grading, grades_beside, grades_of_judge
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import Judge, all_judges, find_judge
from judge_tui.counts import counted
from judge_tui.errors import UsageError, unknown
from judge_tui.model import STAND_INS
from judge_tui.pooling.calibrated_grades import FEWEST_SHARED
from judge_tui.scoring import Measure


def all_models(campaign: Campaign) -> list[Judge]:
    """The judges of kind model, in the order in which they came."""
    return [one for one in all_judges(campaign) if one.kind == "model"]


def find_model(campaign: Campaign, name: str, known: tuple[str, ...] = ()) -> Judge:
    """Return the judge of kind model of that name. Raises `UsageError` where there is none; `known`
    are other words that could have been meant."""
    judge, models = find_judge(campaign, name), [one.name for one in all_models(campaign)]
    if judge is None:
        raise unknown("model", name, [*known, *models])
    if judge.kind != "model":
        raise UsageError(
            f"judge {judge.name!r} is a person",
            f"name a model: {', '.join(map(repr, models))}"
            if models
            else "load grades of a model with load qrels FILE --judge NAME --kind model",
        )
    return judge


def model_against(
    campaign: Campaign, name: str | None, *, include_models: bool | None
) -> Judge | None:
    """Return the model of that name that people are put beside; None where none is named. Raises
    `UsageError` as `find_model`, and where models are asked to count, too."""
    if name is None:
        return None
    if include_models:
        raise UsageError(
            "--against puts people alone beside a model",
            "leave --include-models out",
        )
    return find_model(campaign, name)


def grades_of_model(campaign: Campaign, judge: Judge, grading: Grading) -> ModelGrades:
    """Return what the judge graded of the pool. Read inside `reading`. Raises `UsageError` where
    grades of models count as those of people, and for a grade off the scale."""
    if grading.models:
        raise UsageError(
            f"the raw grades of models count here, those of {judge.name!r} among them",
            "leave them out with --no-include-models",
        )
    grades = grades_beside(grading.pool, grades_of_judge(campaign, judge))
    return ModelGrades(judge.name, grades, tuple(campaign.settings.scale.grades))


def filling_model(campaign: Campaign, name: str, grading: Grading) -> ModelGrades:
    """Return the grades of a model that can stand for those that are missing. Raises `UsageError`
    as `find_model` and `grades_of_model`, and where people judged too few of its pairs."""
    found = grades_of_model(campaign, find_model(campaign, name, STAND_INS), grading)
    shared, graded = _shared(found, grading), int((found.grades >= 0).sum())
    if shared < FEWEST_SHARED:
        more = f"judge {FEWEST_SHARED - shared} more of them"
        raise UsageError(
            f"people judged {shared:,} of the {counted(graded, 'pair')} that {found.name!r} graded,"
            f" and {FEWEST_SHARED} are needed to calibrate it",
            f"{more if graded >= FEWEST_SHARED else 'let it judge more'}, or take --unjudged"
            " expected",
        )
    return found


def all_model_grades(campaign: Campaign, grading: Grading) -> tuple[ModelGrades, ...]:
    """Return what each model graded of the pool; nothing where grades of models count."""
    if grading.models:
        return ()
    return tuple(grades_of_model(campaign, judge, grading) for judge in all_models(campaign))


def filling_models(models: Iterable[ModelGrades], grading: Grading) -> tuple[str, ...]:
    """Return the names of those of the models that `filling_model` would take."""
    return tuple(one.name for one in models if _shared(one, grading) >= FEWEST_SHARED)


def runs_of_model(
    campaign: Campaign,
    name: str,
    judged: JudgedRuns,
    grading: Grading,
    measures: Sequence[Measure],
) -> JudgedRuns:
    """Return the `judged` runs as if nobody but the model of that name had judged. Raises
    `UsageError` as `find_model`, `grades_of_model` and `runs_by_model`."""
    its = grades_of_model(campaign, find_model(campaign, name), grading)
    return runs_by_model(judged, its, measures)


def estimating_models(
    models: Iterable[ModelGrades], judged: JudgedRuns, measures: Sequence[Measure]
) -> tuple[str, ...]:
    """Return the names of those of the models that `runs_of_model` would take."""
    found = []
    for model in models:
        with suppress(UsageError):
            runs_by_model(judged, model, measures)
            found.append(model.name)
    return tuple(found)


def _shared(model: ModelGrades, grading: Grading) -> int:
    """Return how many pairs with a final grade the model graded, too."""
    decided = grading.pool.places_of(grading.decided.pairs)
    return int((model.grades[decided] >= 0).sum())
