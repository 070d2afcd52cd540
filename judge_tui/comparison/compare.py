"""Runs side by side: paired by query, tested, corrected over the whole family, and judged."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isnan, nan
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.comparison import Changes, Comparison, Comparisons, RunPair
from judge_tui.comparison.family import (
    PairResult,
    Sides,
    apply_tests,
    in_batches,
    pair_results,
)
from judge_tui.comparison.paired_tests import ResultTable, effect_sizes, on_grid
from judge_tui.comparison.pairs import (
    Pair,
    PairMaker,
    found_by,
    of_quality,
    score_groups,
    share_queries,
)
from judge_tui.comparison.power import detectable_effect
from judge_tui.comparison.resampling import bootstrap_intervals, why_no_interval
from judge_tui.comparison.settings import ComparisonSettings, adjust
from judge_tui.comparison.tukey import tukey_pairs
from judge_tui.errors import UsageError, check_known
from judge_tui.on_demand import OnDemand, every_two
from judge_tui.scoring import Measure, Scores

COMPARED_BY_DEFAULT = ("nDCG@10",)
"""Whatever else were compared, though nobody asked for it, would widen the family."""


def usual_measures(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return those of the measures that runs are compared by where nobody chose: nDCG@10, or the
    first of which more is better."""
    quality = of_quality(measures)
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


def compare_scores(scores: Scores, settings: ComparisonSettings) -> Comparisons:
    """Compare runs by the measures of their scores, which hold the values of `measures_needed`.

    Paired by query: a query counts where the qrels and both runs have it. Where the scores are cut
    into slices, each is compared by itself, by its own measures. The verdict is that of the first
    test, by its p for the alternative, adjusted over every measure x run (x slice). Nothing is
    drawn but from the seed. Raises `UsageError` for fewer than two runs, for a baseline that is
    none of them, and for two runs that share no query with a value of both.
    """
    paired = _who_with_whom(scores, settings)
    share = share_queries(scores)
    for baseline, run in paired:
        if not share[baseline.row, run.row]:
            raise UsageError(
                f"runs {baseline.tag!r} and {run.tag!r} have no judged query in common",
                "compare runs that answer the same queries",
            )
    return replace(
        compare_paired(paired, scores, settings),
        baseline=None if settings.all_pairs else paired[0][0].tag,
        tukey=tuple(tukey_pairs(score_groups(scores), settings.seed)) if settings.tukey else None,
    )


def _who_with_whom(scores: Scores, settings: ComparisonSettings) -> Sequence[RunPair]:
    """Pair each run with the baseline, or with each later run, in the order of the scores."""
    runs = scores.runs
    if len(runs) < 2:
        raise UsageError(f"a comparison needs two runs, here {len(runs)}", "give another run")
    if settings.all_pairs:
        return every_two(runs)
    tag = runs[0].tag if settings.baseline is None else settings.baseline
    check_known("run", tag, scores)
    return [(scores[tag], run) for run in runs if run.tag != tag]


def compare_paired(
    paired: Sequence[RunPair], scores: Scores, settings: ComparisonSettings
) -> Comparisons:
    """Compare the second run of each pair, which is one of `scores`, with the first, as
    `compare_scores` does; the comparisons have no one baseline."""
    maker = PairMaker.of(paired, scores)
    starts = range(0, len(maker), _PAIRS)
    places = range(len(maker))
    blocks = [_test(maker, places[start : start + _PAIRS], settings) for start in starts]
    fewest: dict[str, int] = {}
    for block in blocks:
        for measure, queries in block.fewest.items():
            fewest[measure] = min(queries, fewest.get(measure, queries))
    return Comparisons(
        baseline=None,
        settings=settings,
        comparisons=_compare(maker, blocks, settings),
        fewest=fewest,
        tukey=None,
        paired=paired,
        scores=scores,
    )


_PAIRS = 4_096
"""Pairs at once: about 40 MB for 50 queries."""


class _Block(NamedTuple):
    """What is kept of pairs that were tested together: their places, the results of each test by
    its name, and the ends of their intervals, float64[pairs, 2], NaN where there is none. `fewest`:
    measure -> the fewest queries of a pair."""

    places: range
    tables: Mapping[str, ResultTable]
    ends: Floats
    fewest: Mapping[str, int]


def _compare(
    maker: PairMaker, blocks: Sequence[_Block], settings: ComparisonSettings
) -> OnDemand[Comparison]:
    """Correct the results of all blocks, and return the comparisons, of which one block is kept."""
    ends: list[int] = np.cumsum([0, *(len(block.ends) for block in blocks)]).tolist()
    adjusted = {}
    for name in settings.tests:
        p = [block.tables[name].p_of(settings.alternative) for block in blocks]
        adjusted[name] = adjust(np.concatenate([np.empty(0), *p]), settings.correction)

    @lru_cache(maxsize=1)
    def build(number: int) -> list[Comparison]:
        block, its = blocks[number], slice(ends[number], ends[number + 1])
        pairs = list(maker.make(block.places))
        corrected = {name: p[its] for name, p in adjusted.items()}
        sides = _sides(pairs)
        results = pair_results(sides, block.tables, corrected, settings)
        effects = in_batches(sides, lambda before, after: effect_sizes(after - before))
        return [
            _comparison(*one, settings)
            for one in zip(pairs, results, block.ends.tolist(), effects, strict=True)
        ]

    def comparison(index: int) -> Comparison:
        number = bisect_right(ends, index) - 1
        found: Comparison = build(number)[index - ends[number]]
        return found

    return OnDemand(ends[-1], comparison)


def _test(maker: PairMaker, places: range, settings: ComparisonSettings) -> _Block:
    pairs = list(maker.make(places))
    fewest: dict[str, int] = {}
    for pair in pairs:
        name, queries = str(pair.measure), len(pair.query_ids)
        fewest[name] = min(queries, fewest.get(name, queries))
    sides = _sides(pairs)
    intervals = in_batches(
        sides, lambda before, after: bootstrap_intervals(after - before, settings.seed)
    )
    ends = np.array([one or (nan, nan) for one in intervals]).reshape(-1, 2)
    return _Block(places, apply_tests(sides, settings), ends, fewest)


def _sides(pairs: Iterable[Pair]) -> list[Sides]:
    return [(pair.before, pair.after) for pair in pairs]


def _comparison(
    pair: Pair,
    result: PairResult,
    ends: tuple[float, float],
    effect: float | None,
    settings: ComparisonSettings,
) -> Comparison:
    ci95 = None if isnan(ends[0]) else (ends[0], ends[1])
    n, differences = len(pair.query_ids), pair.after - pair.before
    steps = on_grid(differences).tolist()
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
