"""Runs against a baseline: paired, tested, corrected over the whole family, and judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from judge_tui.errors import UsageError, unknown
from judge_tui.model import Qrels, Run
from judge_tui.scoring import (
    DEFAULT_MEASURES,
    Measure,
    RunScores,
    mean,
    parse_measures,
    score_runs,
)
from judge_tui.scoring.measures.rr import RR
from judge_tui.significance.bootstrap import bootstrap_interval
from judge_tui.significance.cautions import cautions
from judge_tui.significance.changes import sort_changes
from judge_tui.significance.comparison import Comparison, Comparisons
from judge_tui.significance.corrections import CORRECTIONS, adjust
from judge_tui.significance.effect import detectable_effect, effect_size
from judge_tui.significance.grid import STEP, Floats, on_grid
from judge_tui.significance.paired import DEFAULT_TESTS, TESTS, PairedTest
from judge_tui.significance.result import ALTERNATIVES, Alternative, TestResult
from judge_tui.significance.verdict import give_verdict

__all__ = ["COMPARED_BY_DEFAULT", "compare_runs"]

COMPARED_BY_DEFAULT = tuple(name for name in DEFAULT_MEASURES if not name.startswith("Judged"))
"""How much of a list is judged says nothing of its quality, and would widen the family."""


def compare_runs(
    qrels: Qrels,
    runs: Sequence[Run],
    measures: Iterable[Measure | str] | Measure | str = COMPARED_BY_DEFAULT,
    *,
    baseline: str | None = None,
    tests: Sequence[str] = DEFAULT_TESTS,
    correction: str = "holm",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    seed: int = 0,
) -> Comparisons:
    """Compare each run with the baseline (the first run unless named) by each measure.

    Paired by query: a query counts where the qrels, the baseline and the run all have it. The
    verdict is that of the first test, by its p for the alternative, adjusted over every measure x
    run. Nothing is drawn but from `seed`. Raises `UsageError` for settings that do not exist, for
    fewer than two runs, and where two runs share no judged query.
    """
    tests = tuple(dict.fromkeys(tests)) or DEFAULT_TESTS
    names: dict[str, tuple[Iterable[str], Iterable[str]]] = {
        "test": (tests, TESTS),
        "correction": ((correction,), CORRECTIONS),
        "alternative": ((alternative,), ALTERNATIVES),
    }
    _check(runs, names, alpha, seed)
    measures = parse_measures(measures)
    # RR at the same depth is above 0 exactly where something relevant was found there.
    found = {measure: replace(measure, definition=RR, chosen=_rel(measure)) for measure in measures}
    scores = score_runs(qrels, runs, [*measures, *found.values()])
    tag = runs[0].tag if baseline is None else baseline
    try:
        before = scores[tag]
    except KeyError:
        raise unknown("run", tag, [run.tag for run in scores.runs]) from None
    others = [run for run in scores.runs if run.tag != tag]

    pairs = [_Pair(before, run, m, found[m]) for m in measures for run in others]
    results = [{name: _test(TESTS[name], pair, seed) for name in tests} for pair in pairs]
    adjusted = {
        name: adjust([result[name].p_of(alternative) for result in results], correction)
        for name in tests
    }
    comparisons = tuple(
        _compare(
            pair,
            result,
            {name: adjusted[name][place] for name in tests},
            alternative=alternative,
            alpha=alpha,
            seed=seed,
        )
        for place, (pair, result) in enumerate(zip(pairs, results, strict=True))
    )
    return Comparisons(
        tag,
        tests,
        correction,
        alternative,
        alpha,
        seed,
        comparisons,
        tuple(cautions(before, others, comparisons, alpha)),
    )


class _Pair:
    """The per-query values of two runs by one measure, aligned over the queries of both."""

    def __init__(
        self, before: RunScores, after: RunScores, measure: Measure, found: Measure
    ) -> None:
        self.measure, self.baseline, self.tag = str(measure), before.tag, after.tag
        both = set(before.query_ids) & set(after.query_ids)
        if not both:
            raise UsageError(
                f"runs {before.tag!r} and {after.tag!r} have no judged query in common",
                "compare runs that answer the same queries",
            )
        self.query_ids = tuple(query_id for query_id in before.query_ids if query_id in both)
        self.before = _values(before, self.measure, both)
        self.after = _values(after, self.measure, both)
        self.found_before = [value > 0 for value in _values(before, str(found), both)]
        self.found_now = [value > 0 for value in _values(after, str(found), both)]
        self.differences: Floats = np.array(self.after) - np.array(self.before)
        self.grid = on_grid(self.differences)


def _values(run: RunScores, measure: str, both: set[str]) -> list[float]:
    values = zip(run.query_ids, run.values[measure], strict=True)
    return [value for query_id, value in values if query_id in both]


def _test(test: PairedTest, pair: _Pair, seed: int) -> TestResult:
    nonzero = int(np.count_nonzero(pair.grid))
    if 0 < nonzero < test.least_nonzero:
        return TestResult(
            why=f"the runs differ for {nonzero} of {len(pair.grid)} queries only; "
            f"the test needs {test.least_nonzero}"
        )
    return test.test(pair.differences, seed)


def _compare(
    pair: _Pair,
    tests: Mapping[str, TestResult],
    p_adjusted: Mapping[str, float | None],
    *,
    alternative: Alternative,
    alpha: float,
    seed: int,
) -> Comparison:
    n = len(pair.query_ids)
    baseline_mean, own_mean = mean(pair.before), mean(pair.after)
    delta = own_mean - baseline_mean
    ci95 = bootstrap_interval(pair.differences, seed)
    effect = effect_size(pair.differences)
    detectable = detectable_effect(n, alpha, alternative)
    first = next(iter(tests))
    why = {}
    if ci95 is None:
        why["ci95"] = f"an interval needs at least 2 queries, here {n}"
    if effect is None:
        why["effect_size"] = (
            "a standard deviation needs at least 2 queries with unequal differences"
        )
    if detectable is None:
        why["detectable_effect"] = f"no power can be had from {n} queries at alpha {alpha}"
    return Comparison(
        measure=pair.measure,
        baseline=pair.baseline,
        tag=pair.tag,
        queries=n,
        baseline_mean=baseline_mean,
        mean=own_mean,
        delta=delta,
        ci95=ci95,
        wins=int((pair.grid > 0).sum()),
        ties=int((pair.grid == 0).sum()),
        losses=int((pair.grid < 0).sum()),
        tests=tests,
        p_adjusted=p_adjusted,
        effect_size=effect,
        detectable_effect=detectable,
        verdict=give_verdict(
            n,
            0.0 if abs(delta) < STEP else delta,
            tests[first],
            p_adjusted[first],
            alpha=alpha,
            alternative=alternative,
        ),
        changed=sort_changes(pair.query_ids, pair.differences, pair.found_before, pair.found_now),
        why=why,
    )


def _rel(measure: Measure) -> tuple[tuple[str, int], ...]:
    return () if measure.rel == 1 else (("rel", measure.rel),)


def _check(
    runs: Sequence[Run],
    names: Mapping[str, tuple[Iterable[str], Iterable[str]]],
    alpha: float,
    seed: int,
) -> None:
    if len(runs) < 2:
        raise UsageError(f"a comparison needs two runs, here {len(runs)}", "give another run")
    for kind, (given, known) in names.items():
        for name in given:
            if name not in known:
                raise unknown(kind, name, known)
    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1", "write .05")
    if seed < 0:
        raise UsageError(f"seed {seed} is negative", "give a whole number from 0")
