"""Inputs scored: by which measures, slice by slice, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from judge_tui.errors import UsageError
from judge_tui.evaluation.inputs import EvaluationInputs, refuse_other_texts
from judge_tui.evaluation.runs import TaggedRun
from judge_tui.evaluation.score_runs import score_runs, whole_runs
from judge_tui.model import Run
from judge_tui.scoring import (
    Measure,
    MeasureLike,
    Rules,
    Scores,
    by_grades,
    judged_beside,
    parse_measure,
    parse_measures,
)

if TYPE_CHECKING:
    from judge_tui.evaluation.shapes import SlicesSource
    from judge_tui.evaluation.slicing import Parse, Slicing
    from judge_tui.scoring.answers import Credit

__all__ = ["Measures", "ScoringQuestion", "possible_grades", "score_inputs"]

Measures: TypeAlias = Iterable[MeasureLike] | MeasureLike

_USUAL = Rules()

BY_MAPPING = "slice"
"""What slices are by, where the caller says which query is in which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringQuestion:
    """What is asked of inputs, in the parameters of `api.score`.

    `usual`: the measures where none are named. `needed`: what to score by for these measures,
    beside them, so that runs can be compared by them.
    """

    measures: Measures | None
    usual: Sequence[str]
    needed: Callable[[Sequence[Measure]], Sequence[Measure]] = tuple
    also: Measures = ()
    rel: int | None = None
    max_rel: int | None = None
    bounds: bool | Iterable[int] = False
    slices: SlicesSource | None = None
    by: str | None = None
    rules: Rules = _USUAL
    credit: Credit = "once"
    precision: Literal[64, 32] = 64
    jobs: int | None = 1
    use_latency: bool = True
    on_read: Callable[[int, int], None] | None = None


def score_inputs(inputs: EvaluationInputs, question: ScoringQuestion) -> Scores:
    """Read the runs and score them. The scores show the measures that are asked for; the Judged@k
    that belong beside them, and what is `also` measured, can be asked of the runs. Raises
    `UsageError` for what the inputs do not answer."""
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
        measures = parse(_usual(inputs, question.usual))
        if campaign is not None:
            measures, _ = campaign.kept.answerable(measures, rules, whole_lists=bounded)
    slicing = _slicing(inputs, question, parse)
    every = measures if slicing is None else slicing.every(measures)
    if not every:
        raise UsageError("no measure is named", "name one, or leave them out for the usual")
    beside = parse_measures(question.also)
    # Answers do not say what was judged, nor does a campaign of what lies deeper than it keeps.
    shares = judged_beside(every) if inputs.truths is None else ()
    if campaign is not None:
        asked = (*every, *beside)
        campaign.refuse_too_deep(asked, inputs.demands, rules, whole_lists=bounded)
        shares = tuple(one for one in shares if not campaign.kept.too_deep(one, rules))
    scored_by = dict.fromkeys((*question.needed(every), *beside, *shares))
    scores = _scored(inputs, tuple(scored_by), question).only(measures)
    if slicing is not None:
        scores = _sliced(scores, *slicing)
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
    max_rel = question.max_rel
    if max_rel is None and inputs.from_campaign is not None:
        max_rel = max(inputs.from_campaign.scale)
    return partial(
        parse_measures,
        rel=whole_number("rel", question.rel, 1),
        max_rel=whole_number("max_rel", max_rel, 1),
    )


def _of_values(values: Scores, inputs: EvaluationInputs, question: ScoringQuestion) -> Scores:
    """Return the scores that were measured elsewhere, by the measures that are asked for."""
    from judge_tui.evaluation.measured import among  # noqa: PLC0415 - few are

    if any(question.rules) or question.rel is not None or question.max_rel is not None:
        raise UsageError(
            "values that are there are compared as they are", "leave out how to score (complete)"
        )
    measures = among(values, question.measures, question.usual)
    question.needed(measures)  # which refuses those by which nothing can be compared
    scores = replace(values, measures=measures, slices=None, bounds=None)
    slicing = _slicing(inputs, question, parse_measures) or values.slices
    return scores if slicing is None else _sliced(scores, slicing.by, slicing.of_query, {})


def _sliced(
    scores: Scores,
    by: str,
    of_query: Mapping[str, str],
    measures: Mapping[str, Sequence[Measure]],
) -> Scores:
    """Return the scores slice by slice as well."""
    from judge_tui.scoring.slices import slice_scores  # noqa: PLC0415 - few are sliced

    slices = slice_scores(scores, by, of_query, measures)
    return replace(scores, measures=slices.measures, slices=slices)


def _usual(inputs: EvaluationInputs, usual: Sequence[str]) -> list[str]:
    names = list(usual)
    if inputs.truths is not None:
        credited = [name for name in usual if parse_measure(name).definition.credited]
        names = credited if inputs.truths else []  # answers may say an order alone
    if not inputs.demands:
        return names
    from judge_tui.scoring.order import demanded_measures  # noqa: PLC0415 - start-up is counted

    return [*names, *demanded_measures(inputs.demands)]


def _slicing(inputs: EvaluationInputs, question: ScoringQuestion, parse: Parse) -> Slicing | None:
    slices, by = question.slices, question.by
    if slices is None and by is None:
        return None
    from judge_tui.evaluation.slicing import (  # noqa: PLC0415 - few are sliced
        Slicing,
        slices_of,
        slicing_by,
    )

    if slices is not None and by is not None:
        raise UsageError("slices are given twice", "give slices, or by and queries")
    if by is not None and not inputs.queries:
        raise UsageError(f"slices by {by} need the queries", "give their file (--queries FILE)")
    slicing = (
        Slicing(BY_MAPPING, slices_of(slices), {})
        if slices is not None
        else slicing_by(str(by), inputs.queries, parse)
    )
    known = {*inputs.qrels, *inputs.demands, *(inputs.values.query_ids if inputs.values else ())}
    if slicing.of_query and known and slicing.of_query.keys().isdisjoint(known):
        raise UsageError(
            f"the queries and the {inputs.grounds} have no id in common:"
            f" {min(slicing.of_query)!r} there and {min(known)!r} here",
            "use the same query ids in both",
        )
    return slicing


def _scored(
    inputs: EvaluationInputs, measures: Sequence[Measure], question: ScoringQuestion
) -> Scores:
    """Read the runs, whole where that is needed, and score them by all of the measures."""
    rules, graded = question.rules, by_grades(measures)
    ordered = len(graded) < len(measures)
    demanding = [query_id for query_id, made in inputs.demands.items() if made] if ordered else []
    tagged, runs = inputs.runs, list[Run]()
    warnings: tuple[str, ...] = ()
    if ordered or inputs.truths is not None:
        runs, warnings = whole_runs(
            inputs.runs,
            precision=question.precision,
            use_latency=question.use_latency,
            ignore_self=rules.ignore_self,
        )
        tagged = [TaggedRun(None, run) for run in runs]
    if inputs.truths is None:
        bounded = question.bounds is not False
        scores = score_runs(
            inputs.qrels,
            tagged,
            graded,
            rules=rules,
            precision=question.precision,
            jobs=whole_number("jobs", question.jobs, 1),
            possible_grades=(
                possible_grades(question.bounds, question.max_rel, inputs) if bounded else None
            ),
            on_read=question.on_read,
            use_latency=question.use_latency,
            demanding=demanding,
        )
    else:
        from judge_tui.scoring.answers import score_by_answers  # noqa: PLC0415 - few have them

        scores = score_by_answers(
            inputs.truths, runs, graded, rules, credit=question.credit, demanding=demanding
        )
    scores = replace(scores, warnings=(*inputs.warnings, *scores.warnings, *warnings))
    if not ordered:
        return scores
    from judge_tui.scoring.order import with_order  # noqa: PLC0415 - as above

    return with_order(scores, runs, inputs.demands, measures)


def possible_grades(
    bounds: bool | Iterable[int], greatest: int | None, inputs: EvaluationInputs
) -> list[int]:
    """Return the grades that a document which nobody judged might get, ascending: these `bounds`,
    or with True those of the campaign's scale, or 0 to the `greatest` or that of the qrels."""
    from judge_tui.scoring.bounds import grades_up_to  # noqa: PLC0415 - few ask for bounds

    if not isinstance(bounds, bool):
        grades = [whole_number("a grade of the bounds", grade, 0) or 0 for grade in bounds]
        if not grades:
            raise UsageError("bounds [] are no scale", "give its grades, or True")
        return sorted(set(grades))
    if inputs.from_campaign is not None and greatest is None:
        return list(inputs.from_campaign.scale)
    return list(grades_up_to(greatest, inputs.qrels))


def whole_number(name: str, value: Any, least: int) -> int | None:
    """Return a number, which Python callers may give as anything. Raises `UsageError`."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or int(value) != value or value < least:
            raise ValueError
    except (TypeError, ValueError):
        raise UsageError(f"{name} is {value!r}", f"give a whole number from {least}") from None
    return int(value)
