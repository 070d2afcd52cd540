"""What grading the unjudged could make of a score: worked examples, whole runs, great sizes."""

import random
from itertools import product

import numpy as np
import pytest

from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import Rules, parse_measure, parse_measures
from judge_tui.scoring.bounds import bounds_of, grades_up_to, unbounded
from tests.scored import score_sources
from tests.scoring.lists import every_measure, list_of, value_of


def listed(number):
    return {f"d{i}": -float(i) for i in range(1, number + 1)}


def bounds(name, qrels, results, grades=(0, 1)):
    [low], [high] = bounds_of(list_of(qrels, listed(results)), parse_measure(name), grades)
    return low, high


def run_bounds(qrels, results, measures, **rules):
    """Those of the means of a run. `results`: query_id -> number of results."""
    run = Run("r", {query_id: listed(number) for query_id, number in results.items()})
    scores = score_sources(qrels, [run], measures, rules=Rules(**rules), possible_grades=(0, 1))
    return scores["r"].bounds


def ndcg(gains):
    """Of whole lists, one a row, all documents retrieved."""
    discounts = 1 / np.log2(np.arange(2, gains.shape[1] + 2))
    return (gains @ discounts) / (-np.sort(-gains, axis=1) @ discounts)


def test_neither_all_0_nor_all_perfect_is_the_least_ndcg():
    # d1 is relevant and first, nine others are unjudged: all 4^9 gradings, computed apart.
    every = np.array(list(product(range(4), repeat=9)))
    values = ndcg(np.column_stack((np.ones(len(every)), every)))
    low, high = bounds("nDCG", {"d1": 1}, 10, range(4))
    assert high == values[0] == 1.0
    assert values[-1] == pytest.approx(0.8911, abs=5e-5)
    assert low == pytest.approx(values.min(), abs=1e-12) == pytest.approx(0.5137, abs=5e-5)
    assert every[values.argmin()].tolist() == [0, 0, 0, 0, 0, 0, 0, 3, 3]


def test_what_is_beyond_the_cutoff_changes_the_ideal():
    # d1 at rank 1 and ten unjudged: nDCG@10 is .853 when all of them are 3, as the ideal list is
    # ten 3s. It is least when d11 is 3 and the others are 0: 1 / (3 + 1/log2(3)).
    all_three = {"d1": 1} | {f"d{i}": 3 for i in range(2, 12)}
    assert bounds("nDCG@10", all_three, 11)[0] == pytest.approx(0.853, abs=5e-4)
    low, high = bounds("nDCG@10", {"d1": 1}, 11, range(4))
    assert (low, high) == (pytest.approx(1 / (3 + 1 / np.log2(3)), abs=1e-12), 1.0)


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "Rprec", "RR"])
def test_a_negative_grade_is_as_open_as_no_grade(name):
    qrels = {"d2": 1, "d4": 0}
    pooled = qrels | {"d1": -1, "d5": -2, "missed": -1}
    low, high = bounds(name, pooled, 6)
    assert (min(low, bounds(name, qrels, 6)[0]), high) == bounds(name, qrels, 6)


def test_with_everything_judged_there_is_only_the_score():
    for name in ("nDCG@10", "AP", "P@5", "NumRet"):
        score = value_of(parse_measure(name), {"d1": 0, "d2": 2}, listed(2))
        assert bounds(name, {"d1": 0, "d2": 2}, 2) == (score, score)


def test_a_query_without_results_has_nothing_open():
    qrels = {"q": {"a": 1, "b": 2, "c": 0}, "r": {"d1": 1, "d2": 0}}
    measures = ["nDCG@10", "AP", "NumRel", "NumQ", "Judged@10"]
    found = run_bounds(qrels, {"r": 2}, measures, complete=True)
    assert found == {"nDCG@10": (0.5, 0.5), "AP": (0.5, 0.5), "NumRel": (3, 3), "NumQ": (2, 2)}


def test_a_run_is_bounded_by_the_averages_of_its_queries():
    # Each pair of gradings of two queries, averaged as the measure is: mean, sum, geometric mean.
    measures = parse_measures(["AP", "NumRelRet", "GMAP", "Judged@5"])
    qrels = [{"d2": 1, "missed": 1}, {"d1": 1, "d3": 0}]
    unjudged = [("d1", "d3"), ("d2", "d4")]
    results = [listed(3), listed(4)]
    averaged = run_bounds({"q": qrels[0], "r": qrels[1]}, {"q": 3, "r": 4}, measures)
    assert list(averaged) == ["AP", "NumRelRet", "GMAP"]
    for measure in measures[:3]:
        graded = [
            [
                value_of(measure, q | dict(zip(names, grades, strict=True)), r)
                for grades in product((0, 1), repeat=2)
            ]
            for q, names, r in zip(qrels, unjudged, results, strict=True)
        ]
        values = [measure.definition.average(both) for both in product(*graded)]
        assert averaged[str(measure)] == pytest.approx((min(values), max(values)), abs=1e-12)


def test_grades_of_bare_files_go_up_to_the_greatest_in_the_qrels():
    assert grades_up_to(None, {"a": {"x": 1}, "b": {"x": 3, "y": -1}}) == range(4)
    assert grades_up_to(None, {"a": {"x": 0}, "b": {"x": -1}}) == range(2)
    assert grades_up_to(5, {"a": {"x": 1}}) == range(6)


def test_a_scale_of_two_thousand_million_grades_is_not_gone_through():
    greatest = 2**31 - 1
    low, high = bounds("nDCG@5", {"d1": 7, "missed": greatest}, 50, range(greatest + 1))
    assert (low, high) == bounds("nDCG@5", {"d1": 7, "missed": greatest}, 50, (0, 7, greatest))
    assert low < high < 1


def test_a_scale_that_a_measure_does_not_know_is_refused():
    with pytest.raises(UsageError, match=r"may have grade 5, .* ERR@10 knows, 4"):
        bounds("ERR@10", {"d1": 1}, 3, range(6))
    assert bounds("ERR(max_rel=5)@10", {"d1": 1}, 3, range(6))
    with pytest.raises(UsageError, match="exp-log2"):
        bounds("nDCG(dcg='exp-log2')", {"d1": 1}, 3, range(2000))


@pytest.mark.parametrize("seed", range(3))
def test_no_grading_of_a_long_list_leaves_the_bounds(seed):
    rng = random.Random(seed)
    results = listed(800)
    missed = [f"missed {i}" for i in range(40)]
    judged = rng.sample([*results, *missed], 150)
    qrels = {doc_id: rng.choice([-1, 0, 0, 0, 1, 2, 3]) for doc_id in judged}
    lists = list_of(qrels, results)
    unjudged = [doc_id for doc_id in results if qrels.get(doc_id, -1) < 0]
    measures = [measure for measure in every_measure(20) if unbounded(measure) is None]
    ranges = {measure: bounds_of(lists, measure, range(4)) for measure in measures}
    for measure, (low, high) in ranges.items():
        assert low <= measure.value(lists) <= high

    # Gradings of many kinds, so that some come close: early, late, few, many, one grade or all.
    for _ in range(60):
        choices = rng.choice([[3], [1, 2, 3], [0, 3], [0, 0, 1]])
        start, end = sorted(rng.choices([0, len(unjudged), rng.randrange(len(unjudged))], k=2))
        grading = {
            doc_id: rng.choice(choices) if start <= place < end else 0
            for place, doc_id in enumerate(unjudged)
        }
        graded = list_of(qrels | grading, results)
        for measure, (low, high) in ranges.items():
            assert low - 1e-12 <= measure.value(graded) <= high + 1e-12, measure
