"""Runs side by side: paired by query, tested, corrected over the whole family, and judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import nan
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.comparison import Changes, Comparison, Comparisons, RunPair
from judge_tui.comparison.family import PairResult, in_batches, run_tests
from judge_tui.comparison.paired_tests import effect_size, on_grid
from judge_tui.comparison.power import detectable_effect
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.comparison.tukey import ScoreGroup, tukey_pairs
from judge_tui.errors import UsageError, check_known
from judge_tui.scoring import MEASURES, Measure, RunScores, Scores

COMPARED_BY_DEFAULT = ("nDCG@10",)
"""Whatever else were compared, though nobody asked for it, would widen the family."""


def usual_measures(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return those of the measures that runs are compared by where nobody chose: nDCG@10, or the
    first of which more is better."""
    quality = _of_quality(measures)
    return tuple(one for one in quality if one.name in COMPARED_BY_DEFAULT) or quality[:1]


def measures_needed(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return what to score by: the measures, and those that tell whether anything was found.

    Raises `UsageError` for a measure of which more is not better: by it, nothing can be said.
    """
    for measure in measures:
        if not measure.definition.quality:
            raise UsageError(
                f"runs cannot be compared by {measure}: more of it is not better",
                "leave it out, or see it with score",
            )
    return tuple(dict.fromkeys([*measures, *map(found_by, measures)]))


def found_by(measure: Measure) -> Measure:
    """Return the measure that is above 0 exactly where something relevant was found as deep as this
    one looks; a measure of order itself, which is 1 where its demand is met."""
    if measure.definition.own_depth or measure.definition.of_order:
        return measure
    rel = () if measure.rel == 1 else (("rel", measure.rel),)
    return replace(measure, definition=MEASURES["RR"], chosen=rel)


def compare_scores(scores: Scores, settings: ComparisonSettings) -> Comparisons:
    """Compare runs by the measures of their scores, which hold the values of `measures_needed`.

    Paired by query: a query counts where the qrels and both runs have it. Where the scores are cut
    into slices, each is compared by itself, by its own measures. The verdict is that of the first
    test, by its p for the alternative, adjusted over every measure x run (x slice). Nothing is
    drawn but from the seed. Raises `UsageError` for fewer than two runs, for a baseline that is
    none of them, and for two runs that share no query with a value of both.
    """
    paired = _who_with_whom(scores, settings)
    compared = compare_paired(paired, scores, settings)
    there = {(one.baseline, one.tag) for one in compared}
    for baseline, run in paired:
        if (baseline.tag, run.tag) not in there:
            raise UsageError(
                f"runs {baseline.tag!r} and {run.tag!r} have no judged query in common",
                "compare runs that answer the same queries",
            )
    return replace(
        compared,
        baseline=None if settings.all_pairs else paired[0][0].tag,
        tukey=tuple(tukey_pairs(_parts(scores), settings.seed)) if settings.tukey else None,
    )


def _who_with_whom(scores: Scores, settings: ComparisonSettings) -> list[RunPair]:
    """Pair each run with the baseline, or with each later run, in the order of the scores."""
    runs = scores.runs
    if len(runs) < 2:
        raise UsageError(f"a comparison needs two runs, here {len(runs)}", "give another run")
    if settings.all_pairs:
        return list(combinations(runs, 2))
    tag = runs[0].tag if settings.baseline is None else settings.baseline
    check_known("run", tag, scores)
    return [(scores[tag], run) for run in runs if run.tag != tag]


def compare_paired(
    paired: Sequence[RunPair], scores: Scores, settings: ComparisonSettings
) -> Comparisons:
    """Compare the second run of each pair, which is one of `scores`, with the first, as
    `compare_scores` does; the comparisons have no one baseline."""
    pairs = list(_pair_up(paired, _parts(scores), scores))
    sides = [(pair.before, pair.after) for pair in pairs]
    results = run_tests(sides, settings)
    intervals = in_batches(
        sides, lambda before, after: bootstrap_intervals(after - before, settings.seed)
    )
    return Comparisons(
        baseline=None,
        settings=settings,
        comparisons=tuple(
            _comparison(*one, settings) for one in zip(pairs, results, intervals, strict=True)
        ),
        tukey=None,
        paired=tuple(paired),
        scores=scores,
    )


def _parts(scores: Scores) -> list[ScoreGroup]:
    """Return the slices that hold a query that counts, or all queries as one part, with those of
    their measures of which more is better."""
    if scores.slices is None:
        return [ScoreGroup(None, _of_quality(scores.measures), scores)]
    return [
        ScoreGroup(one.name, _of_quality(one.measures), one.scores)
        for one in scores.slices.slices
        if one.scores.counted.any()
    ]


def _of_quality(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    return tuple(measure for measure in measures if measure.definition.quality)


class _Pair(NamedTuple):
    """Two runs by one measure, over the queries of a part that have a value of both: one entry a
    query, `query_ids` ascending. `found_before`, `found_now`: above 0 where anything relevant was
    found within the measure's depth."""

    measure: Measure
    slice: str | None
    runs: RunPair
    query_ids: list[str]
    before: Floats
    after: Floats
    found_before: Floats
    found_now: Floats


def _pair_up(
    paired: Sequence[RunPair], parts: Sequence[ScoreGroup], scores: Scores
) -> Iterator[_Pair]:
    """Pair the values of two runs, measure by measure, part by part. A part in which two runs share
    no query has no pair."""
    for measure in dict.fromkeys(m for part in parts for m in part.measures):
        found = found_by(measure)
        if any(str(found) not in run.scores.by_measure for runs in paired for run in runs):
            found = measure  # a saved result has the measures that were asked for
        for name, measures, part in parts:
            for runs in paired if measure in measures else ():
                values = [
                    _values(run, one, part, scores, known=known)
                    for one, known in ((measure, False), (found, True))
                    for run in runs
                ]
                at = np.flatnonzero(~np.isnan(values[0] + values[1]))
                if len(at):
                    query_ids = [part.query_ids[place] for place in at.tolist()]
                    yield _Pair(measure, name, runs, query_ids, *(row[at] for row in values))


def _values(
    run: RunScores, measure: Measure, part: Scores, scores: Scores, *, known: bool
) -> Floats:
    """Return the values of a run for the queries of a part, float64[queries]; NaN where the run,
    which may be of other scores, has none. `known`: those that tell what was found."""
    its = part if run.scores is scores else run.scores
    by_measure = {**its.by_measure, **its.found} if known else its.by_measure
    values: Floats = by_measure[str(measure)][run.row]
    if its is part:
        return values
    there = dict(zip(its.query_ids, values.tolist(), strict=True))
    return np.array([there.get(query_id, nan) for query_id in part.query_ids], dtype=np.float64)


def _comparison(
    pair: _Pair,
    result: PairResult,
    ci95: tuple[float, float] | None,
    settings: ComparisonSettings,
) -> Comparison:
    n, differences = len(pair.query_ids), pair.after - pair.before
    steps, effect = on_grid(differences).tolist(), effect_size(differences)
    found = (pair.found_before > 0).tolist(), (pair.found_now > 0).tolist()
    detectable = detectable_effect(n, settings.alpha, settings.alternative)
    why = {} if ci95 is not None else {"ci95": why_no_interval(n)}
    if effect is None:
        why["effect_size"] = (
            "a standard deviation needs at least 2 queries with unequal differences"
        )
    if detectable is None:
        why["detectable_effect"] = f"too few queries ({n}) for any power at alpha {settings.alpha}"
    return Comparison(
        measure=str(pair.measure),
        baseline=pair.runs[0].tag,
        tag=pair.runs[1].tag,
        slice=pair.slice,
        queries=n,
        baseline_mean=result.baseline_mean,
        mean=result.mean,
        delta=result.delta,
        ci95=ci95,
        wins=sum(step > 0 for step in steps),
        ties=steps.count(0),
        losses=sum(step < 0 for step in steps),
        tests=result.tests,
        p_adjusted=result.p_adjusted,
        effect_size=effect,
        detectable_effect=detectable,
        verdict=result.verdict,
        changed=Changes.of(zip(pair.query_ids, steps, *found, strict=True)),
        why=why,
        before=pair.before,
        after=pair.after,
    )
