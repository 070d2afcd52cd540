"""Runs scored with grades: from judged lists to `Scores`.

Values of lists become values of runs in one place, `values_of_queries`, and those become means in
one, `Measure.mean`: for runs that are read now and for those of a campaign.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Bools, Floats
from judge_tui.errors import UsageError
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.scores import Rules, Scores


class RunToScore(NamedTuple):
    """One run in the light of the grades. `lists`: one for each judged query that it answers;
    `in_vain`: the judged queries that count without results, further ones; `missing_qrels`: those
    of its queries that the grades do not know, ascending."""

    tag: str
    lists: JudgedLists
    in_vain: Collection[str]
    missing_qrels: tuple[str, ...]


def run_to_score(
    tag: str,
    lists: JudgedLists,
    others: Collection[str],
    asked: Collection[str],
    *,
    reference: str = "qrels",
    demanding: Collection[str] = (),
) -> RunToScore:
    """Return the run with these `lists`, one for each judged query that it answers.

    `others`: the queries that it answers and the grades do not know (any that they do know make no
    difference). `asked`: what the system was asked, as far as anybody knows. `demanding`: queries
    that are measured by what they demand, and so are missing from no qrels; a run that has these
    alone has no query that counts.

    Raises `UsageError` where no query is in both.
    """
    known = lists.queries.row_of
    strange = {query_id for query_id in (*others, *asked) if query_id not in known}
    missing = tuple(sorted(strange.difference(demanding)))
    in_vain = [query_id for query_id in asked if query_id in known]
    if not len(lists) and not in_vain and len(missing) == len(strange):
        raise _nothing_in_common(lists.queries.query_ids or demanding, tag, missing, reference)
    return RunToScore(tag, lists, in_vain, missing)


def score_judged(
    runs: Sequence[RunToScore],
    known: JudgedQueries,
    measures: Sequence[Measure],
    rules: Rules,
    *,
    reference: str = "qrels",
    possible_grades: Sequence[int] | None = None,
    values: Mapping[Measure, Floats] | None = None,
) -> Scores:
    """Score all runs at once. `possible_grades`: those that an unjudged document might get, for the
    bounds. `values`: float64[lists] of all runs, where something else than grades gives them."""
    lists = JudgedLists.joined([run.lists for run in runs], known).first(rules.depth or sys.maxsize)
    row = np.repeat(np.arange(len(runs)), [len(run.lists) for run in runs])
    answered = np.zeros((len(runs), len(known)), dtype=bool)
    answered[row, lists.query] = True
    counted = answered | rules.complete
    for place, run in enumerate(runs):
        counted[place, [known.row_of[query_id] for query_id in run.in_vain]] = True

    def table(measure: Measure, of_lists: Floats) -> Floats:
        """Return float64[runs, queries]."""
        found = np.zeros(counted.shape)
        found[row, lists.query] = of_lists
        return values_of_queries(measure, found, known, answered=answered, counted=counted)

    bounds: dict[str, Floats] | None = None
    if possible_grades is not None:
        from judge_tui.scoring.bounds import bounds_of_means  # noqa: PLC0415 - start-up is counted

        bounds = {}
        for measure in measures:
            both = bounds_of_means(lists, measure, possible_grades, partial(table, measure))
            if both is not None:
                bounds[measure.name] = both
    if values is None:
        condensed = lists.condensed if rules.judged_only else lists
        values = {
            measure: measure.value(condensed if measure.definition.condenses else lists)
            for measure in measures
        }
    return Scores(
        tuple(measures),
        tuple(run.tag for run in runs),
        known.query_ids,
        {measure.name: table(measure, values[measure]) for measure in measures},
        counted,
        answered,
        tuple(run.missing_qrels for run in runs),
        rules,
        bounds=bounds,
        reference=reference,
    )


def values_of_queries(
    measure: Measure, found: Floats, known: JudgedQueries, *, answered: Bools, counted: Bools
) -> Floats:
    """Return float64[runs, queries], what each run is worth for each query: NaN where the query is
    not `counted`, and 0 where the run has no results, but for measures that look at none.

    `found`: float64[runs, queries], the measure of each list that is `answered` (there anything may
    stand in the others). `known`: what was judged of the queries.
    """
    without: Floats | float = 0.0
    if not measure.definition.looks_at_results:
        without = measure.value(JudgedLists.without_results(np.arange(len(known)), known))
    values: Floats = np.where(answered, found, without)
    values[~counted] = np.nan
    return values


_PLACED = "an answer without an id is q001, q002, … by its place"


def _nothing_in_common(
    known: Collection[str], tag: str, answered: Sequence[str], reference: str
) -> UsageError:
    if not known:
        return UsageError("the qrels hold no judgment", "judge some documents first")
    if not answered:
        return UsageError(f"run {tag!r} holds no result", "give a run that answers queries")
    return UsageError(
        f"run {tag!r} and the {reference} have no query in common: the run has {min(answered)!r}, "
        f"the {reference} have {min(known)!r}",
        "use the same query ids in both files" + (f"; {_PLACED}" if reference == "answers" else ""),
    )
