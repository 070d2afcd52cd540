"""The order of systems under a model's grades, against a plain reading and SciPy."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau, rankdata

from judge_tui.analysis.judge_influence import order_of
from judge_tui.analysis.judged_runs import JudgedRuns, RankedLists
from judge_tui.analysis.leaderboard import BY_WILCOXON
from judge_tui.analysis.model_order import TOP_SYSTEMS, model_order, places_of
from judge_tui.comparison.family import Verdict, run_tests
from judge_tui.scoring import UNJUDGED, parse_measure

MEASURE = parse_measure("nDCG@5")
QUERIES, DOCUMENTS, DEPTH, GREATEST = 12, 15, 8, 3


def drawn(seed, runs=14, queries=QUERIES):
    """Runs over pairs with people's grades, the same with the model's, and both as arrays."""
    random = np.random.default_rng(seed)
    of_query = np.repeat(np.arange(queries), DOCUMENTS)
    documents = np.tile(np.arange(DOCUMENTS), queries)
    people = random.integers(0, GREATEST + 1, len(of_query))
    model = np.where(random.random(len(people)) < 0.5, random.integers(0, 4, len(people)), people)
    people = np.where(random.random(len(people)) < 0.2, UNJUDGED, people)
    model = np.where(random.random(len(people)) < 0.1, UNJUDGED, model)
    quality = np.linspace(0, 4, runs)
    table = np.empty((runs, queries, DEPTH), dtype=np.int64)
    for run, query in np.ndindex(runs, queries):
        worth = people[of_query == query] * quality[run] + 4 * random.random(DOCUMENTS)
        table[run, query] = np.argsort(-worth)[:DEPTH]
    tags, ids = (tuple(f"{a}{at:02}" for at in range(n)) for a, n in (("r", runs), ("q", queries)))
    lists = RankedLists(tags, ids, table)
    return (lambda grades: JudgedRuns(lists, of_query, documents, grades, GREATEST)), people, model


def verdicts_of(values):
    """Every two runs -> the verdict on the later one: Wilcoxon, Holm."""
    pairs = list(combinations(range(len(values)), 2))
    tests = run_tests([(values[one], values[other]) for one, other in pairs], BY_WILCOXON)
    return [one.verdict for one in tests]


@pytest.mark.parametrize("seed", range(4))
def test_both_orders_are_made_from_the_pairs_that_both_graded(seed):
    judged, people, model = drawn(seed)
    kin = ("r00", "r13")
    found = model_order(judged(people), model, people, MEASURE, kin)
    shared = (people >= 0) & (model >= 0)
    values = [judged(np.where(shared, its, UNJUDGED)).values(MEASURE) for its in (people, model)]
    means = [one.mean(axis=1) for one in values]
    assert (found.pairs, found.queries, found.systems) == (shared.sum(), QUERIES, 14)
    assert found.tau == pytest.approx(kendalltau(*means).statistic)
    top = np.argsort(-means[0])[:TOP_SYSTEMS]
    assert found.tau_top == pytest.approx(kendalltau(means[0][top], means[1][top]).statistic)

    true, other = map(verdicts_of, values)
    nothing, better, worse = Verdict.NOTHING_SHOWN, Verdict.BETTER, Verdict.WORSE
    both = list(zip(true, other, strict=True))
    assert found.compared == len(both)
    assert found.verdicts == sum(one is not nothing for one in true)
    assert found.lost == sum(one is not nothing and two is nothing for one, two in both)
    assert found.new == sum(one is nothing and two is not nothing for one, two in both)
    assert found.flipped == sum({one, two} == {better, worse} for one, two in both)

    places = [rankdata(-one) for one in means]
    gained = dict(zip(judged(people).lists.tags, places[0] - places[1], strict=True))
    assert {one.tag: one.gained for one in found.places} == gained
    assert sum(gained.values()) == 0
    assert {one.tag for one in found.places if one.kin} == {*kin}
    assert found.kin_gain == pytest.approx(np.mean([gained[tag] for tag in kin]))
    others = [gain for tag, gain in gained.items() if tag not in kin]
    assert found.other_gain == pytest.approx(np.mean(others))
    assert found.why == {}


def test_the_same_grades_change_nothing():
    judged, people, _ = drawn(0)
    found = model_order(judged(people), people, people, MEASURE)
    assert (found.tau, found.tau_ap, found.tau_top) == (1, 1, 1)
    assert (found.lost, found.new, found.flipped) == (0, 0, 0)
    assert {one.gained for one in found.places} == {0}
    assert (found.kin_gain, found.other_gain) == (None, None)


def test_the_order_turned_round_flips_verdicts():
    judged, people, _ = drawn(1)
    turned = np.where(people >= 0, GREATEST - people, UNJUDGED)
    found = model_order(judged(people), turned, people, MEASURE)
    assert found.tau < 0
    assert found.flipped > 0


@pytest.mark.parametrize(
    ("runs", "queries", "lacks"),
    [(1, QUERIES, "order"), (3, 5, "verdicts")],
    ids=["one run", "few queries"],
)
def test_what_is_undefined_has_its_reason(runs, queries, lacks):
    judged, people, model = drawn(2, runs, queries)
    found = model_order(judged(people), model, people, MEASURE)
    assert lacks in found.why
    assert found.lost is None
    assert (found.tau is None) == (lacks == "order")


def test_no_pair_in_common():
    judged, people, _ = drawn(3)
    found = model_order(judged(people), np.full_like(people, UNJUDGED), people, MEASURE)
    assert (found.pairs, found.tau, [*found.why]) == (0, None, ["order"])


def test_systems_that_are_all_equal_have_no_tau():
    judged, people, _ = drawn(3)
    nothing = np.where(people >= 0, 0, UNJUDGED)
    found = model_order(judged(people), nothing, people, MEASURE, ["r00"])
    assert (found.tau, found.tau_ap, found.tau_top) == (None, None, None)
    assert {"tau", "tau_ap", "tau_top"} <= {*found.why}
    assert {one.model_place for one in found.places} == {7.5}


def test_kin_that_are_all_or_none_of_the_systems():
    judged, people, model = drawn(0, runs=3)
    found = model_order(judged(people), model, people, MEASURE, ["r00", "r01", "r02"])
    assert (found.kin_gain, found.other_gain) == (0, None)
    assert [*found.why] == ["other_gain"]


def test_equal_systems_share_a_place():
    assert places_of(order_of([0.5, 0.9, 0.5, 0.1])).tolist() == [2.5, 1, 2.5, 4]
