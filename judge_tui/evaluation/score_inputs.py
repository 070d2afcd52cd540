"""Inputs scored: by which measures, slice by slice, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from judge_tui.analysis.warnings import of_comparisons, of_grades, of_scores
from judge_tui.errors import UsageError
from judge_tui.evaluation.inputs import EvaluationInputs, refuse_other_texts
from judge_tui.evaluation.question import Measures, ScoringQuestion, whole_number
from judge_tui.evaluation.runs import TaggedRun
from judge_tui.evaluation.score_runs import score_runs, whole_runs
from judge_tui.model import Run
from judge_tui.scoring import (
    Measure,
    Scores,
    by_grades,
    judged_beside,
    parse_measure,
    parse_measures,
)

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.comparison.settings import ComparisonSettings
    from judge_tui.evaluation.slicing import Slicing
    from judge_tui.scoring.slices import Parse


def score_inputs(inputs: EvaluationInputs, question: ScoringQuestion) -> Scores:
    """Read the runs and score them, with warnings. The scores show the measures that are asked for;
    the Judged@k that belong beside them, and what is `also` measured, can be asked of the runs.
    Raises `UsageError` for what the inputs do not answer."""
    scores = _scores(inputs, question)
    return replace(
        scores, warnings=(*scores.warnings, *of_scores(scores), *_grade_warnings(inputs))
    )


def compare_inputs(
    inputs: EvaluationInputs, question: ScoringQuestion, settings: ComparisonSettings
) -> Comparisons:
    """Score the runs and compare them, with warnings; a campaign has a baseline of its own. Raises
    `UsageError` for what cannot be compared."""
    from judge_tui.comparison.compare import (  # noqa: PLC0415 - scoring alone needs none of it
        COMPARED_BY_DEFAULT,
        compare_scores,
        measures_needed,
    )

    if settings.baseline is None and not settings.all_pairs and inputs.from_campaign is not None:
        settings = replace(settings, baseline=inputs.from_campaign.baseline)
    question = replace(question, default_measures=COMPARED_BY_DEFAULT, needed=measures_needed)
    scores = _scores(inputs, question)
    found = compare_scores(scores, settings)
    warnings = (*scores.warnings, *of_comparisons(found), *_grade_warnings(inputs))
    return replace(found, warnings=tuple(dict.fromkeys(warnings)))


def _grade_warnings(inputs: EvaluationInputs) -> tuple[str, ...]:
    """Return what readers must know of a campaign's grades."""
    return () if inputs.from_campaign is None else of_grades(inputs.from_campaign.grades)


def _scores(inputs: EvaluationInputs, question: ScoringQuestion) -> Scores:
    if inputs.values is not None:
        return _of_values(inputs.values, inputs, question)
    refuse_other_texts(inputs)
    campaign, rules, bounded = inputs.from_campaign, question.rules, question.bounds is not False
    if bounded and rules.judged_only:
        raise UsageError(
            "bounds are about unjudged documents, and judged-only takes them out of the lists",
            "give one of the two",
        )
    parse = _names_of(inputs, question)
    if question.measures is not None:
        measures = parse(question.measures)
    else:
        measures = parse(_default_measures(inputs, question.default_measures))
        if campaign is not None:
            measures, _ = campaign.kept.answerable(measures, rules, whole_lists=bounded)
    slicing = _slicing(inputs, question, parse)
    every = measures if slicing is None else slicing.every(measures)
    if not every:
        raise UsageError("no measure is named", "name one, or leave them out for the usual")
    beside = parse_measures(question.also)
    # Answers do not say what was judged, nor does a campaign of what lies deeper than it keeps.
    shares = judged_beside(every) if inputs.answers is None else ()
    if campaign is not None:
        asked = (*every, *beside)
        campaign.refuse_too_deep(asked, inputs.order_demands, rules, whole_lists=bounded)
        shares = tuple(one for one in shares if not campaign.kept.too_deep(one, rules))
    scored_by = dict.fromkeys((*question.needed(every), *beside, *shares))
    scores = _read_and_score(inputs, tuple(scored_by), question).only(measures)
    if slicing is not None:
        scores = _sliced(scores, slicing.by, slicing.of_query, slicing.measures)
    if bounded and scores.unlike is not None:
        raise UsageError(
            "the classes are scored by different measures, so that there is no value over all"
            " queries to bound",
            "leave the bounds out",
        )
    return scores


def _names_of(
    inputs: EvaluationInputs, question: ScoringQuestion
) -> Callable[[Measures], tuple[Measure, ...]]:
    """Return what reads the names of measures, with the grades that count."""
    max_rel = inputs.max_rel if question.max_rel is None else question.max_rel
    return partial(
        parse_measures,
        rel=whole_number("rel", question.rel, 1),
        max_rel=whole_number("max_rel", max_rel, 1),
    )


def _of_values(values: Scores, inputs: EvaluationInputs, question: ScoringQuestion) -> Scores:
    """Return the scores that were measured elsewhere, by the measures that are asked for."""
    from judge_tui.evaluation.values import choose_measures  # noqa: PLC0415 - few are

    if any(question.rules) or question.rel is not None or question.max_rel is not None:
        raise UsageError(
            "values that are there are compared as they are", "leave out how to score (complete)"
        )
    measures = choose_measures(values, question.measures, question.default_measures)
    question.needed(measures)  # which refuses those by which nothing can be compared
    scores = replace(values, measures=measures, slices=None, bounds=None)
    slicing = _slicing(inputs, question, parse_measures) or values.slices
    return scores if slicing is None else _sliced(scores, slicing.by, slicing.of_query)


def _sliced(
    scores: Scores,
    by: str,
    of_query: Mapping[str, str],
    measures: Mapping[str, Sequence[Measure]] | None = None,
) -> Scores:
    """Return the scores slice by slice as well."""
    from judge_tui.scoring.slices import slice_scores  # noqa: PLC0415 - few are sliced

    slices = slice_scores(scores, by, of_query, measures)
    return replace(scores, measures=slices.measures, slices=slices)


def _default_measures(inputs: EvaluationInputs, measures: Sequence[str]) -> list[str]:
    """Return the names of these as far as what is right tells them, and those of its order."""
    names = list(measures)
    if inputs.answers is not None:
        credited = [name for name in names if parse_measure(name).definition.credited]
        names = credited if inputs.answers else []  # answers may say an order alone
    if not inputs.order_demands:
        return names
    from judge_tui.scoring.order import demanded_measures  # noqa: PLC0415 - start-up is counted

    return [*names, *demanded_measures(inputs.order_demands)]


def _slicing(inputs: EvaluationInputs, question: ScoringQuestion, parse: Parse) -> Slicing | None:
    if question.slices is None and question.by is None:
        return None
    from judge_tui.evaluation.slicing import slice_queries  # noqa: PLC0415 - few are sliced

    return slice_queries(inputs, question.slices, question.by, parse)


def _read_and_score(
    inputs: EvaluationInputs, measures: Sequence[Measure], question: ScoringQuestion
) -> Scores:
    """Read the runs, whole where that is needed, and score them by all of the measures."""
    graded = by_grades(measures)
    ordered = len(graded) < len(measures)
    demanding = (
        [query_id for query_id, made in inputs.order_demands.items() if made] if ordered else []
    )
    runs: list[Run] = []
    warnings: tuple[str, ...] = ()
    if ordered or inputs.answers is not None:
        runs, warnings = whole_runs(inputs, question)
        inputs = replace(inputs, runs=[TaggedRun(None, run) for run in runs])
    settings: dict[str, Any] = {"score_precision": question.precision}
    if inputs.answers is None:
        grades = _possible_grades(question, inputs)
        scores = score_runs(inputs, graded, question, possible_grades=grades, demanding=demanding)
        settings |= inputs.settings if grades is None else {**inputs.settings, "grades": grades}
    else:
        from judge_tui.scoring.answers import score_by_answers  # noqa: PLC0415 - few have them

        scores = score_by_answers(
            inputs.answers,
            runs,
            graded,
            question.rules,
            credit=question.credit,
            demanding=demanding,
        )
        settings["credit"] = question.credit
    scores = replace(
        scores, settings=settings, warnings=(*inputs.warnings, *scores.warnings, *warnings)
    )
    if not ordered:
        return scores
    from judge_tui.scoring.order import with_order  # noqa: PLC0415 - as above

    return with_order(scores, runs, inputs.order_demands, measures)


def _possible_grades(question: ScoringQuestion, inputs: EvaluationInputs) -> list[int] | None:
    """Return the grades that a document which nobody judged might get, ascending: those of the
    `bounds`, or with True those of the campaign's scale, or 0 to `max_rel` or the greatest of the
    qrels; None where bounds are not asked for."""
    if question.bounds is False:
        return None
    from judge_tui.scoring.bounds import grades_up_to  # noqa: PLC0415 - few ask for bounds

    if not isinstance(question.bounds, bool):
        grades = [whole_number("a grade of the bounds", one, 0) or 0 for one in question.bounds]
        if not grades:
            raise UsageError("bounds [] are no scale", "give its grades, or True")
        return sorted(set(grades))
    if inputs.from_campaign is not None and question.max_rel is None:
        return list(inputs.from_campaign.scale)
    return list(grades_up_to(question.max_rel, inputs.qrels))
