"""Inputs scored: by which measures, slice by slice, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.analysis.warnings import warn_of_comparisons, warn_of_grades, warn_of_scores
from judge_tui.errors import UsageError, check_known, in_message
from judge_tui.evaluation.inputs import EvaluationInputs
from judge_tui.evaluation.runs import TaggedRun
from judge_tui.evaluation.score_runs import ScoringQuestion, score_runs, whole_runs
from judge_tui.model import STAND_INS, Query
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    Scores,
    by_grades,
    judged_beside,
    parse_measure,
    parse_measures,
)
from judge_tui.scoring.filled import refuse_unfilled

if TYPE_CHECKING:
    from judge_tui.comparison.comparison import Comparisons
    from judge_tui.comparison.settings import ComparisonSettings
    from judge_tui.scoring.slices import Parse

_MOST_AT_ONCE = 200
"""Runs that are compared where nobody says with which, and all pairs of which people read."""


def score_inputs(inputs: EvaluationInputs, question: ScoringQuestion) -> Scores:
    """Read the runs and score them, with warnings. The scores show the measures that are asked for;
    the Judged@k that belong beside them, and what is `also` measured, can be asked of the runs.
    Raises `UsageError` for what the inputs do not answer."""
    scores = _scores(inputs, question, DEFAULT_MEASURES, tuple)
    warnings = (*scores.warnings, *warn_of_scores(scores), *_grade_warnings(inputs))
    return replace(scores, warnings=warnings)


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
    runs = _count_runs(inputs)
    if runs > _MOST_AT_ONCE and settings.baseline is None and not settings.all_pairs:
        raise UsageError(
            f"{runs} runs are many to compare with the first of them",
            "name the baseline, or ask for all pairs",
        )
    scores = _scores(inputs, question, COMPARED_BY_DEFAULT, measures_needed)
    found = compare_scores(scores, settings)
    if inputs.from_campaign is not None:
        from judge_tui.analysis.unbiased import with_unbiased  # noqa: PLC0415 - few are campaigns

        found = with_unbiased(found, inputs.from_campaign.union)
    warnings = (*scores.warnings, *warn_of_comparisons(found), *_grade_warnings(inputs))
    return replace(found, warnings=tuple(dict.fromkeys(warnings)))


def refuse_many_pairs(inputs: EvaluationInputs) -> None:
    """Raise `UsageError` where all pairs of the runs are more than anybody reads, or keeps."""
    runs = _count_runs(inputs)
    if runs > _MOST_AT_ONCE:
        raise UsageError(
            f"{runs:,} runs have {comb(runs, 2):,} pairs: too many for tables and Tukey HSD",
            "write the pairs alone (-f csv), or name a baseline (--baseline TAG)",
        )


def _count_runs(inputs: EvaluationInputs) -> int:
    return len(inputs.runs if inputs.values is None else inputs.values)


def _grade_warnings(inputs: EvaluationInputs) -> tuple[str, ...]:
    """Return what readers must know of a campaign's grades."""
    return () if inputs.from_campaign is None else warn_of_grades(inputs.from_campaign.grades)


def _scores(
    inputs: EvaluationInputs,
    question: ScoringQuestion,
    defaults: Sequence[str],
    needed: Callable[[Sequence[Measure]], Sequence[Measure]],
) -> Scores:
    """Score by the measures that are asked for, or the `defaults`, and by all that is `needed` for
    these."""
    if inputs.values is not None:
        return _of_values(inputs, inputs.values, question, defaults, needed)
    inputs.refuse_other_texts()
    campaign, rules, bounds = inputs.from_campaign, question.rules, question.bounds
    _refuse_unjudged(inputs, question)
    if bounds and rules.judged_only:
        raise UsageError(
            "bounds are about unjudged documents, and judged-only takes them out of the lists",
            "give one of the two",
        )
    max_rel = inputs.max_rel if question.max_rel is None else question.max_rel
    parse = partial(parse_measures, rel=question.rel, max_rel=max_rel)
    if question.measures is not None:
        measures = parse(question.measures)
    else:
        measures = parse(_default_measures(inputs, defaults))
        if campaign is not None:
            measures, _ = campaign.kept_runs.answerable(measures, rules, whole_lists=bounds)
    slicing = _slice_queries(inputs, question, parse)
    declared = () if slicing is None else slicing.measures.values()
    every = tuple(dict.fromkeys([*measures, *(one for its in declared for one in its)]))
    if not every:
        raise UsageError("no measure is named", "name one, or leave them out for the usual")
    beside = parse_measures(question.also)
    if question.filled:
        refuse_unfilled((*every, *beside))
    # Answers do not say what was judged, nor does a campaign of what lies deeper than it keeps.
    shares = judged_beside(every) if inputs.answers is None else ()
    if campaign is not None:
        asked = (*every, *beside)
        campaign.refuse_too_deep(asked, inputs.order_demands, rules, whole_lists=bounds)
        shares = tuple(one for one in shares if not campaign.kept_runs.too_deep(one, rules))
    scored_by = dict.fromkeys((*needed(every), *beside, *shares))
    scores = _read_and_score(inputs, tuple(scored_by), question).only(measures)
    if slicing is not None:
        scores = _slice_scores(scores, slicing)
    if bounds and scores.unlike is not None:
        raise UsageError(
            "the classes declare different measures, so there is no mean to bound",
            "leave the bounds out",
        )
    return scores


def _refuse_unjudged(inputs: EvaluationInputs, question: ScoringQuestion) -> None:
    """Raise `UsageError` where what is asked for cannot stand for missing grades."""
    campaign = inputs.from_campaign
    if campaign is None or not campaign.model:
        check_known("value of unjudged", question.unjudged, STAND_INS)
    if question.filled and inputs.answers is not None:
        raise UsageError(
            "answers do not say which results were judged", "leave unjudged out, or give qrels"
        )
    if question.filled and question.rules.judged_only:
        raise UsageError(
            "judged-only takes unjudged documents out of the lists, so nothing is expected of them",
            "give judged-only or unjudged expected",
        )


def _of_values(
    inputs: EvaluationInputs,
    values: Scores,
    question: ScoringQuestion,
    defaults: Sequence[str],
    needed: Callable[[Sequence[Measure]], Sequence[Measure]],
) -> Scores:
    """Return the scores that were measured elsewhere, by the measures that are asked for."""
    from judge_tui.evaluation.values import choose_measures  # noqa: PLC0415 - few are

    asked = (*question.rules, question.rel is not None, question.max_rel is not None)
    if any(asked) or question.filled:
        raise UsageError(
            "values are compared as they are", "leave out how to score, such as complete"
        )
    measures = choose_measures(values, question.measures, defaults)
    needed(measures)  # which refuses those by which nothing can be compared
    scores = replace(values, measures=measures, slices=None, bounds=None)
    slicing = _slice_queries(inputs, question, parse_measures)
    if slicing is None and values.slices is not None:
        slicing = Slicing(values.slices.by, values.slices.of_query, {})
    return scores if slicing is None else _slice_scores(scores, slicing)


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


def _read_and_score(
    inputs: EvaluationInputs, measures: Sequence[Measure], question: ScoringQuestion
) -> Scores:
    """Read the runs, whole where that is needed, and score them by all of the measures."""
    graded = by_grades(measures)
    ordered = len(graded) < len(measures)
    demanding = [q for q, made in inputs.order_demands.items() if made] if ordered else []
    settings: dict[str, Any] = {"score_precision": question.precision}
    whole = bool(ordered or question.filled or inputs.answers is not None)
    if whole and question.cluster is not None:
        raise UsageError(
            "answers, orders and unjudged expected need the runs whole, on this machine",
            "leave the cluster out",
        )
    runs = whole_runs(inputs, question) if whole else []
    if inputs.answers is None:
        if runs:
            inputs = replace(inputs, runs=[TaggedRun(None, run) for run in runs])
        grades = _possible_grades(question, inputs) if question.bounds else None
        scores = score_runs(inputs, graded, question, possible_grades=grades, demanding=demanding)
        settings |= inputs.settings if grades is None else {**inputs.settings, "grades": grades}
        if question.filled:
            from judge_tui.evaluation.filled import fill_scores  # noqa: PLC0415 - few are filled

            scores = fill_scores(scores, runs, inputs.qrels, inputs.from_campaign)
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
    scores = replace(scores, settings={**settings, **scores.settings})
    if not ordered:
        return scores
    from judge_tui.scoring.order import with_order  # noqa: PLC0415 - as above

    return with_order(scores, runs, inputs.order_demands, measures)


def _possible_grades(question: ScoringQuestion, inputs: EvaluationInputs) -> list[int]:
    """Return the grades that a document which nobody judged might get, ascending: those of the
    campaign's scale, or 0 to `max_rel` or the greatest of the qrels."""
    from judge_tui.scoring.bounds import grades_up_to  # noqa: PLC0415 - few ask for bounds

    if inputs.from_campaign is not None and question.max_rel is None:
        return list(inputs.from_campaign.scale)
    return list(grades_up_to(question.max_rel, inputs.qrels))


# Slices


class Slicing(NamedTuple):
    """`of_query`: query_id -> its value of the field `by`, "" where it has none. `measures`: what
    the queries of a class declare, in place of what is asked for."""

    by: str
    of_query: Mapping[str, str]
    measures: Mapping[str, tuple[Measure, ...]]


def _slice_scores(scores: Scores, slicing: Slicing) -> Scores:
    """Return the scores slice by slice as well."""
    from judge_tui.scoring.slices import slice_scores  # noqa: PLC0415 - few are sliced

    slices = slice_scores(scores, *slicing)
    return replace(scores, measures=slices.measures, slices=slices)


def _slice_queries(
    inputs: EvaluationInputs, question: ScoringQuestion, parse: Parse
) -> Slicing | None:
    """Return how the queries are sliced; `parse` reads names of measures. Raises `UsageError` for a
    field that no query has, for classes that declare no one list of measures, and for slices of
    other queries."""
    by = question.by
    if question.slices is None and by is None:
        return None
    from judge_tui.scoring.slices import CLASS, declared_measures  # noqa: PLC0415 - few are sliced

    if question.slices is not None and by is not None:
        raise UsageError("slices are given twice", "give slices, or by and queries")
    if by is None:
        slicing = Slicing("slice", _by_mapping(question.slices), {})
    elif not inputs.queries:
        raise UsageError(f"slices by {by} need the queries", "give their file (--queries FILE)")
    else:
        of_query = _by_field(inputs.queries, by)
        declared = declared_measures(inputs.queries, of_query, parse) if by == CLASS else {}
        slicing = Slicing(by, of_query, declared)
    values = () if inputs.values is None else inputs.values.query_ids
    known = {*inputs.qrels, *inputs.order_demands, *values}
    if slicing.of_query and known and slicing.of_query.keys().isdisjoint(known):
        raise UsageError(
            f"the queries and the {inputs.reference} have no id in common:"
            f" {min(slicing.of_query)!r} there and {min(known)!r} here",
            "use the same query ids in both",
        )
    return slicing


def _by_field(queries: Iterable[Query], field: str) -> Mapping[str, str]:
    """Return query_id -> value of `class`, or of anything else that the queries file holds beside
    the text, "" where a query has none."""
    from judge_tui.scoring.slices import fields_of  # noqa: PLC0415 - few are sliced

    fields = fields_of(queries)
    if not fields:
        raise UsageError(
            f"the queries have no field {field!r}: they have an id and a text alone",
            "give a file with fields, as JSONL and CSV have them (--queries FILE)",
        )
    check_known("field of the queries", field, fields)
    return fields[field]


def _by_mapping(slices: Any) -> dict[str, str]:
    """Return query_id -> name of its slice, "" for None and NaN, of a mapping or a series of
    pandas: what has items."""
    from judge_tui.evaluation.memory import id_of, is_null  # noqa: PLC0415 - few are sliced

    if not hasattr(slices, "items"):
        what = f"{in_message(slices)} cannot be read as slices"
        raise UsageError(what, "give query_id -> name, in a mapping or a series")
    found: dict[str, str] = {}
    for query, name in slices.items():
        query_id = id_of(query, "a query id of the slices")
        if query_id in found:
            raise UsageError(f"query {query_id!r} is twice in the slices", "give it once")
        found[query_id] = "" if is_null(name) else str(name).strip()
    return found
