"""Replays of pooling: held to a campaign that does the same, and to plain counting."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from scipy.stats import kendalltau

from judge_tui.analysis.replay import FullPool, ReplaySettings, judge_again, replay
from judge_tui.comparison.compare import compare_scores
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.pooling.pool import USUAL_AUDIT, Pool, build_pool
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.scoring import parse_measure
from tests.scored import score_runs

SHARES = (0.1, 0.25, 0.5, 0.8, 1.0)


def collection(seed=1, queries=12, runs=6, depth=15, documents=40):
    """Runs that differ in how well they know what is relevant, and all their results' grades."""
    draw = np.random.default_rng(seed)
    qrels, scores = {}, [{} for _ in range(runs)]
    for query in range(queries):
        query_id = f"q{query:02}"
        worth = draw.gamma(0.5, size=documents)
        for run, its in enumerate(scores):
            seen = worth + draw.normal(0, 0.2 + 0.25 * run, documents)
            top = np.argsort(-seen)[:depth]
            its[query_id] = {f"d{number:02}": float(seen[number]) for number in top.tolist()}
        found = sorted({doc_id for its in scores for doc_id in its[query_id]})
        qrels[query_id] = {doc: int(min(3, worth[int(doc[1:])] * 1.5)) for doc in found}
    return [Run(f"run{run}", its) for run, its in enumerate(scores)], qrels


RUNS, QRELS = collection()
FULL = FullPool.of(RUNS, QRELS)
LISTS = {run.tag: {q: [*docs] for q, docs in run.scores.items()} for run in RUNS}


WHOLE = [name for name, one in STRATEGIES.items() if not one.has_aim]
"""What comes to judge everything: others leave out what has no weight in what they decide."""


def replayed(full=FULL, measure="nDCG@10", strategies=tuple(WHOLE), shares=SHARES, **more):
    return replay(full, ReplaySettings(parse_measure(measure), strategies, shares, **more))


def pool_of(strategy, budget, seed=0):
    found = build_pool(LISTS, Pool(), strategy=strategy, depth=15, budget=budget, seed=seed)
    return {(query_id, one.doc_id) for query_id, its in found.added.items() for one in its}


def naive_tau_ap(order, reference):
    """Yilmaz, Aslam & Robertson (2008): of each but the first, the share of those above it that
    are above it in the reference."""
    ranked = sorted(order, key=order.get, reverse=True)
    shares = [
        fmean(reference[above] > reference[one] for above in ranked[:at])
        for at, one in enumerate(ranked)
        if at
    ]
    return 2 * fmean(shares) - 1


def verdicts(scores):
    """(run, other run) -> the verdict on them, as `compare --all-pairs` has it."""
    settings = ComparisonSettings(tests=("wilcoxon",), all_pairs=True)
    return {(one.baseline, one.tag): str(one.verdict) for one in compare_scores(scores, settings)}


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "P(rel=2)@5"])
@pytest.mark.parametrize("share", SHARES[1:])
def test_a_row_is_what_plain_counting_gives(measure, share):
    (row,) = replayed(measure=measure, strategies=["depth"], shares=[share]).rows
    known = parse_measure(measure)
    pairs = pool_of("depth", round(share * len(FULL)))
    some = {q: {d: g for d, g in its.items() if (q, d) in pairs} for q, its in QRELS.items()}
    now, true = (score_runs(grades, RUNS, [known]) for grades in (some, QRELS))
    means, true_means = ({r.tag: r.means[known.name] for r in one.runs} for one in (now, true))
    assert row.judged == len(pairs)
    assert row.tau == pytest.approx(kendalltau([*means.values()], [*true_means.values()])[0])
    both = (means, true_means), (true_means, means)
    assert row.tau_ap == pytest.approx(fmean(naive_tau_ap(*orders) for orders in both))
    assert row.bias == pytest.approx(fmean(means[tag] - true_means[tag] for tag in means))
    relevant = [(q, d) for q, its in QRELS.items() for d, g in its.items() if g >= known.rel]
    assert row.found == pytest.approx(len(pairs.intersection(relevant)) / len(relevant))
    told, truth = verdicts(now), verdicts(true)
    assert len(truth) == len([*combinations(RUNS, 2)])
    shown = {"better", "worse"}
    assert row.lost == sum(told[two] not in shown and truth[two] in shown for two in truth)
    assert row.new == sum(told[two] in shown and truth[two] not in shown for two in truth)
    assert row.flipped == sum({told[two], truth[two]} == shown for two in truth)


def test_something_is_lost_and_found_here():
    found = replayed(measure="P@5", strategies=["depth", "rrf"], shares=[0.1])
    assert found.verdicts > 0
    assert all(row.lost > 0 and row.bias < -0.1 for row in found.rows)


@pytest.mark.parametrize("unjudged", ["zero", "expected"])
@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RBP", "RR"])
def test_with_everything_judged_nothing_differs(measure, unjudged):
    found = replayed(measure=measure, shares=[1.0], unjudged=unjudged)
    assert [row.strategy for row in found.rows] == WHOLE
    for row in found.rows:
        assert row.judged == len(FULL) == found.pairs
        assert (row.tau, row.tau_ap, row.found) == (pytest.approx(1), pytest.approx(1), 1)
        assert (row.lost, row.new, row.flipped, row.bias) == (0, 0, 0, 0)


@pytest.mark.parametrize("audit", [None, 0.0, 0.3])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_budget_is_what_is_judged_and_what_is_judged_stays(strategy, audit):
    settings = ReplaySettings(parse_measure("nDCG@10"), [strategy], SHARES, audit=audit)
    before = np.zeros(len(FULL), dtype=bool)
    default = USUAL_AUDIT if STRATEGIES[strategy].uses_judgments else 0
    for share, part in judge_again(FULL, strategy, settings):
        judged, budget = part.judged, round(share * len(FULL))
        assert judged[before].all()
        assert not (part.chosen & part.drawn).any()
        if strategy in WHOLE:
            assert judged.sum() == budget
            drawn = (default if audit is None else audit) * budget
            assert part.drawn.sum() == pytest.approx(drawn, abs=10)  # a round, half a pair
        else:
            assert before.sum() <= judged.sum() <= budget
        before = judged


@pytest.mark.parametrize("measure", ["P@5", "RBP@5"])
def test_what_has_no_weight_changes_no_difference(measure):
    """With all that weighs judged, runs differ by what they do by all grades."""
    found = replayed(measure=measure, strategies=["settle"], shares=[1.0], audit=0.0)
    (row,) = found.rows
    assert row.judged < len(FULL)
    assert (row.tau, row.lost, row.new, row.flipped) == (pytest.approx(1), 0, 0, 0)


def test_a_strategy_that_uses_judgments_learns_between_budgets():
    """Its rounds are the campaign's: none holds more than a twentieth of the pool."""
    learning = [name for name, one in STRATEGIES.items() if one.uses_judgments]
    assert learning
    settings = ReplaySettings(parse_measure("nDCG@10"), learning, [0.5])
    for strategy in learning:
        ((_, part),) = judge_again(FULL, strategy, settings)
        pool = Pool()
        for number in range(1, 11):
            budget = round(0.5 * len(FULL)) * number // 10
            options = {"depth": 15, "judged": QRELS, "aim": settings.aim(15)}
            pool = pool.after(build_pool(LISTS, pool, strategy=strategy, budget=budget, **options))
        places = {(q, d): place for q, of in FULL.places.items() for d, place in of.items()}
        assert {places[pair] for pair in pool.chosen} == {*np.flatnonzero(part.chosen)}
        assert {places[pair] for pair in pool.drawn} == {*np.flatnonzero(part.drawn)}


def test_what_has_no_grade_is_not_judged_and_gains_nothing():
    runs = [
        Run("a", {"q1": {"x": 3, "y": 2, "z": 1}, "q2": {"x": 1}, "q3": {"x": 1}}),
        Run("b", {"q1": {"y": 3, "w": 2, "x": 1}, "q2": {"u": 1}}),
    ]
    # z of q1 was never pooled, w only that; q2 has no grade of a result, q3 none at all.
    qrels = {"q1": {"x": 1, "y": 0, "w": -1, "v": 2}, "q2": {"s": 1}}
    whole, top = (FullPool.of(runs, qrels, depth) for depth in (None, 1))
    assert whole.places == {"q1": {"x": 0, "y": 1}}
    assert whole.lists == {"a": {"q1": ["x", "y"]}, "b": {"q1": ["y", "x"]}}
    assert top.lists == {"a": {"q1": ["x"]}, "b": {"q1": ["y"]}}
    for unjudged in ("zero", "expected"):
        # The ideal list is that of the full pool, which v is not in: a has 1, b a third.
        found = replayed(top, "RR", ["depth"], [0.5, 1.0], unjudged=unjudged)
        assert (found.runs, found.queries, found.pairs, found.relevant) == (2, 1, 2, 1)
        assert [row.judged for row in found.rows] == [1, 2]
        assert found.rows[1].bias == 0


def test_expected_gains_stand_for_what_will_be_judged_alone():
    """Of the two results without a grade, which another query would expect to be relevant."""
    runs = [
        Run("a", {"q1": {"x": 3, "u": 2, "y": 1}, "q2": {"v": 3, "y": 2, "x": 1}}),
        Run("b", {"q1": {"y": 3, "x": 2}, "q2": {"x": 3, "y": 2}}),
    ]
    full = FullPool.of(runs, {"q1": {"x": 1, "y": 1}, "q2": {"x": 1, "y": 1}})
    (row,) = replayed(full, "P@3", ["depth"], [1.0], unjudged="expected").rows
    assert (row.judged, row.bias) == (4, 0)


def test_a_run_that_found_nothing_for_a_query_it_was_asked_is_among_the_runs():
    runs = [Run("a", {"q1": {"x": 2, "y": 1}}), Run("b", {"q1": {"y": 2, "x": 1}})]
    qrels = {"q1": {"x": 1, "y": 1}}
    biases = []
    for asked in ({"q1"}, set()):
        full = FullPool.of([*runs, Run("c", {}, frozenset(asked))], qrels)
        (row,) = replayed(full, "P@2", ["depth"], [0.5]).rows
        biases.append(row.bias)
    # The two runs lose 1/2 each; a third one, which found nothing, has 0 either way.
    assert biases[0] == pytest.approx(2 / 3 * biases[1])
    assert biases[1] == -0.5


def test_what_cannot_be_replayed_is_refused():
    with pytest.raises(UsageError, match="no result of the runs has a grade"):
        FullPool.of(RUNS, {"other": {"d00": 1}})
    with pytest.raises(UsageError, match="infAP has no value"):
        replayed(measure="infAP", unjudged="expected")
    with pytest.raises(UsageError, match="no pooling strategy 'magic'"):
        replayed(strategies=["magic"])
    with pytest.raises(UsageError, match="AP is no sum over the ranks"):
        replayed(measure="AP", strategies=["settle"])
