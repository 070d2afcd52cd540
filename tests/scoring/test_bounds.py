"""What grading the unjudged could make of a score: worked examples, whole runs, great sizes."""

import random
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from judge_tui.errors import UsageError
from judge_tui.scoring import (
    MEASURES,
    Known,
    Rules,
    Seen,
    parse_measure,
    parse_measures,
    see,
    values_of,
)
from judge_tui.scoring.bounds import (
    average_bounds,
    bounds_of,
    bounds_of_missing,
    grades_up_to,
    unbounded,
)


def listed(number):
    return {f"d{i}": -float(i) for i in range(1, number + 1)}


def bounds(name, qrels, results, grades=(0, 1)):
    (found,) = bounds_of(see(Known(qrels), listed(results)), [parse_measure(name)], Rules(), grades)
    return found


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


def test_a_grade_between_can_give_the_greatest_ndcg():
    # 2, 2, 2 is a perfect list and 2, 3, 2 is not.
    assert bounds("nDCG", {"d1": 2, "d3": 2}, 3, range(4))[1] == 1.0
    assert bounds("nDCG", {"d1": 2, "d3": 2}, 3, (0, 3))[1] == pytest.approx(
        ndcg(np.array([[2, 3, 2]]))[0], abs=1e-12
    )


def test_relevant_documents_beyond_the_cutoff_lower_recall():
    # R@2 with one of two found: 1/2; with d2 found too, 2/3; with d3 and d4 missed, 1/4.
    qrels = {"d1": 1, "missed": 1}
    assert bounds("R@2", qrels, 4) == (1 / 4, 2 / 3)


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "Rprec", "RR"])
def test_a_negative_grade_is_as_open_as_no_grade(name):
    qrels = {"d2": 1, "d4": 0}
    pooled = qrels | {"d1": -1, "d5": -2, "missed": -1}
    low, high = bounds(name, pooled, 6)
    assert (min(low, bounds(name, qrels, 6)[0]), high) == bounds(name, qrels, 6)


def test_with_everything_judged_there_is_only_the_score():
    for name in ("nDCG@10", "AP", "P@5", "NumRet"):
        score = parse_measure(name).value(see(Known({"d1": 0, "d2": 2}), listed(2)))
        assert bounds(name, {"d1": 0, "d2": 2}, 2) == (score, score)


def test_with_nothing_relevant_known_everything_is_open():
    for name in ("nDCG@10", "AP", "RR", "Rprec", "R@5", "SetF"):
        assert bounds(name, {"missed": 0}, 5) == (0.0, 1.0), name


def test_documents_cut_away_are_not_retrieved():
    seen = see(Known({"d1": 1}), listed(9))
    (cut,) = bounds_of(seen, parse_measures("AP"), Rules(depth=3), (0, 1))
    assert cut == bounds("AP", {"d1": 1}, 3)
    assert cut != bounds("AP", {"d1": 1}, 9)


def test_a_query_without_results_has_nothing_open():
    measures = parse_measures(["nDCG@10", "AP", "NumRel", "NumQ", "Judged@10"])
    known = Known({"a": 1, "b": 2, "c": 0})
    assert bounds_of_missing(known, measures) == ((0, 0), (0, 0), (2, 2), (1, 1), None)
    empty = bounds_of(Seen(known, [], [], 0), parse_measures("nDCG@10"), Rules(), (0, 1))
    assert empty == ((0, 0),)


def test_condensed_lists_have_no_bounds():
    seen = see(Known({"d1": 1}), listed(2))
    with pytest.raises(UsageError, match="judged-only"):
        bounds_of(seen, parse_measures("AP"), Rules(judged_only=True), (0, 1))


def test_a_run_is_bounded_by_the_averages_of_its_queries():
    # Each pair of gradings of two queries, averaged as the measure is: mean, sum, geometric mean.
    measures = parse_measures(["AP", "NumRelRet", "GMAP", "Judged@5"])
    qrels = [{"d2": 1, "missed": 1}, {"d1": 1, "d3": 0}]
    unjudged = [("d1", "d3"), ("d2", "d4")]
    results = [listed(3), listed(4)]
    graded = [
        [
            values_of(see(Known(q | dict(zip(names, grades, strict=True))), r), measures, Rules())
            for grades in product((0, 1), repeat=2)
        ]
        for q, names, r in zip(qrels, unjudged, results, strict=True)
    ]
    ranges = [
        bounds_of(see(Known(q), r), measures, Rules(), (0, 1))
        for q, r in zip(qrels, results, strict=True)
    ]
    averaged = average_bounds(measures, ranges)
    assert list(averaged) == ["AP", "NumRelRet", "GMAP"]
    for place, measure in enumerate(measures[:3]):
        values = [measure.definition.average([a[place], b[place]]) for a, b in product(*graded)]
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


def test_gains_of_its_own_are_not_bounded():
    measure = parse_measure("nDCG(gains={0:-1})")
    assert unbounded(measure)
    assert bounds_of(see(Known({"d1": 1}), listed(2)), [measure], Rules(), (0, 1)) == (None,)


@pytest.mark.parametrize("seed", range(3))
def test_no_grading_of_a_long_list_leaves_the_bounds(seed):
    rng = random.Random(seed)
    results = listed(800)
    missed = [f"missed {i}" for i in range(40)]
    judged = rng.sample([*results, *missed], 150)
    qrels = {doc_id: rng.choice([-1, 0, 0, 0, 1, 2, 3]) for doc_id in judged}
    seen = see(Known(qrels), results)
    unjudged = [doc_id for doc_id in results if qrels.get(doc_id, -1) < 0]
    names = {
        name: name + ("@20" if definition.cutoff == "required" else "@0.3" if definition.at else "")
        for name, definition in MEASURES.items()
    }
    measures = [parse_measure(name) for name in names.values()]
    measures = [measure for measure in measures if unbounded(measure) is None]
    ranges = bounds_of(seen, measures, Rules(), range(4))
    scores = values_of(seen, measures, Rules())
    assert all(low <= score <= high for (low, high), score in zip(ranges, scores, strict=True))

    # Gradings of many kinds, so that some come close: early, late, few, many, one grade or all.
    for _ in range(60):
        choices = rng.choice([[3], [1, 2, 3], [0, 3], [0, 0, 1]])
        start, end = sorted(rng.choices([0, len(unjudged), rng.randrange(len(unjudged))], k=2))
        grading = {
            doc_id: rng.choice(choices) if start <= place < end else 0
            for place, doc_id in enumerate(unjudged)
        }
        graded = values_of(see(Known(qrels | grading), results), measures, Rules())
        for measure, (low, high), value in zip(measures, ranges, graded, strict=True):
            assert low - 1e-12 <= value <= high + 1e-12, measure


def test_numpy_is_imported_only_when_bounds_are_asked_for():
    code = "import sys, judge_tui.scoring.bounds; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
