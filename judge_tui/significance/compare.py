"""Runs side by side: paired, tested, corrected over the whole family, and judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from judge_tui.model import Qrels, Run
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    Scores,
    mean,
    parse_measure,
    parse_measures,
    score_runs,
)
from judge_tui.significance.bootstrap import bootstrap_intervals
from judge_tui.significance.cautions import cautions
from judge_tui.significance.changes import sort_changes
from judge_tui.significance.comparison import Comparison, Comparisons
from judge_tui.significance.corrections import adjust
from judge_tui.significance.effect import effect_size
from judge_tui.significance.grid import STEP, on_grid
from judge_tui.significance.paired import DEFAULT_TESTS, TESTS, Samples
from judge_tui.significance.pairing import Pair, measures_needed, pair_up, who_with_whom
from judge_tui.significance.parts import parts_of
from judge_tui.significance.power import detectable_effect
from judge_tui.significance.result import Alternative, TestResult
from judge_tui.significance.settings import Settings
from judge_tui.significance.tukey import tukey_pairs
from judge_tui.significance.verdict import give_verdict

__all__ = ["COMPARED_BY_DEFAULT", "compare_runs", "compare_scores"]

COMPARED_BY_DEFAULT = tuple(
    name for name in DEFAULT_MEASURES if parse_measure(name).definition.quality
)
"""How much of a list is judged says nothing of its quality, and would widen the family."""

_VALUES = 4_000_000
"""Values tested at once: 32 MB of each side."""


def compare_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Iterable[Measure | str] | Measure | str = COMPARED_BY_DEFAULT,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    tests: Sequence[str] = DEFAULT_TESTS,
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    seed: int = 0,
    slices: Mapping[str, str] | None = None,
    tukey: bool = False,
) -> Comparisons:
    """Compare each run with the baseline (the first run unless named) by each measure.

    As `compare_scores`, of runs that are scored here; the settings are those of `Settings`. Raises
    `UsageError` for settings that do not exist, for fewer than two runs, and where two runs share
    no judged query.
    """
    settings = Settings(
        baseline=baseline,
        all_pairs=all_pairs,
        tests=tuple(tests),
        correction=correction,
        alternative=alternative,
        alpha=alpha,
        seed=seed,
        tukey=tukey,
    )
    measures = parse_measures(measures)
    scores = score_runs(qrels, runs, measures_needed(measures))
    return compare_scores(scores, measures, settings, slices=slices)


def compare_scores(
    scores: Scores,
    measures: Sequence[Measure],
    settings: Settings = Settings(),  # noqa: B008 - frozen
    *,
    slices: Mapping[str, str] | None = None,
    measures_of: Mapping[str, Sequence[Measure]] | None = None,
) -> Comparisons:
    """Compare runs that are scored already, by `measures_needed` of all measures at least.

    Paired by query: a query counts where the qrels and both runs have it. With `slices` (query_id
    -> name of its slice, "" for a query that is not in it) each slice is compared by itself, by
    those measures that `measures_of` has for its name, if any. The verdict is that of the first
    test, by its p for the alternative, adjusted over every measure x run (x slice). Nothing is
    drawn but from the seed.
    """
    paired = who_with_whom(scores, settings)
    parts = parts_of(scores, measures, slices, measures_of or {})
    pairs = list(pair_up(paired, parts))
    results: list[dict[str, TestResult]] = [{} for _ in pairs]
    intervals: list[tuple[float, float] | None] = [None] * len(pairs)
    for places in _batches(pairs):
        samples = Samples(
            np.stack([pairs[place].before for place in places]),
            np.stack([pairs[place].after for place in places]),
        )
        for name in settings.tests:
            for place, result in zip(places, _test(name, samples, settings.seed), strict=True):
                results[place][name] = result
        found = bootstrap_intervals(samples.differences, settings.seed)
        for place, interval in zip(places, found, strict=True):
            intervals[place] = interval
    adjusted = {
        name: adjust(
            [result[name].p_of(settings.alternative) for result in results], settings.correction
        )
        for name in settings.tests
    }
    comparisons = tuple(
        _compare(
            pair,
            results[place],
            {name: adjusted[name][place] for name in settings.tests},
            intervals[place],
            settings,
        )
        for place, pair in enumerate(pairs)
    )
    tukey = tuple(tukey_pairs(scores.runs, parts, settings.seed)) if settings.tukey else None
    warnings = list(cautions(paired, parts, comparisons, settings))
    if tukey == ():
        warnings.append("no query is answered by all runs: there is no Tukey HSD")
    return Comparisons(
        baseline=None if settings.all_pairs else paired[0][0].tag,
        settings=settings,
        sliced=slices is not None,
        complete=scores.complete,
        comparisons=comparisons,
        tukey=tukey,
        warnings=tuple(warnings),
    )


def _batches(pairs: Sequence[Pair]) -> Iterator[list[int]]:
    """Places of pairs of as many queries: what is drawn for one of them is drawn for all."""
    by_queries: dict[int, list[int]] = {}
    for place, pair in enumerate(pairs):
        by_queries.setdefault(len(pair.query_ids), []).append(place)
    for queries, places in by_queries.items():
        size = max(1, _VALUES // queries)
        for start in range(0, len(places), size):
            yield places[start : start + size]


def _test(name: str, samples: Samples, seed: int) -> Iterator[TestResult]:
    test = TESTS[name]
    grid = on_grid(samples.differences)
    nonzero = np.count_nonzero(grid, axis=1).tolist()
    for result, differing in zip(test.on(samples, seed), nonzero, strict=True):
        if result.p is not None and differing < test.least_nonzero:
            yield TestResult(
                why=f"the runs differ for {differing} of {grid.shape[1]} queries only; "
                f"the test needs {test.least_nonzero}"
            )
        else:
            yield result


def _compare(
    pair: Pair,
    tests: Mapping[str, TestResult],
    p_adjusted: Mapping[str, float | None],
    ci95: tuple[float, float] | None,
    settings: Settings,
) -> Comparison:
    n = len(pair.query_ids)
    differences = pair.after - pair.before
    grid = on_grid(differences)
    baseline_mean, own_mean = mean(pair.before.tolist()), mean(pair.after.tolist())
    delta = own_mean - baseline_mean
    effect = effect_size(differences)
    detectable = detectable_effect(n, settings.alpha, settings.alternative)
    first = settings.tests[0]
    why = {}
    if ci95 is None:
        why["ci95"] = f"an interval needs at least 2 queries, here {n}"
    if effect is None:
        why["effect_size"] = (
            "a standard deviation needs at least 2 queries with unequal differences"
        )
    if detectable is None:
        why["detectable_effect"] = f"no power can be had from {n} queries at alpha {settings.alpha}"
    return Comparison(
        measure=pair.measure,
        baseline=pair.baseline,
        tag=pair.tag,
        slice=pair.slice,
        queries=n,
        baseline_mean=baseline_mean,
        mean=own_mean,
        delta=delta,
        ci95=ci95,
        wins=int((grid > 0).sum()),
        ties=int((grid == 0).sum()),
        losses=int((grid < 0).sum()),
        tests=tests,
        p_adjusted=p_adjusted,
        effect_size=effect,
        detectable_effect=detectable,
        verdict=give_verdict(
            n,
            0.0 if abs(delta) < STEP else delta,
            tests[first],
            p_adjusted[first],
            alpha=settings.alpha,
            alternative=settings.alternative,
        ),
        changed=sort_changes(
            pair.query_ids,
            differences,
            (pair.found_before > 0).tolist(),
            (pair.found_now > 0).tolist(),
        ),
        why=why,
    )
