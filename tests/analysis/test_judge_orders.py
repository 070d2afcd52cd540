"""The order of systems by each judge: by hand, and against scoring and comparing files."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from judge_tui.analysis.judge_influence import kendall_tau, order_of, swapped, system_orders, tau_ap
from judge_tui.comparison.compare import compare_scores, measures_needed
from judge_tui.comparison.settings import ComparisonSettings
from judge_tui.errors import UsageError
from judge_tui.scoring import UNJUDGED, parse_measure
from tests.analysis.small import judged_runs_of, qrels_of, runs_of
from tests.scored import score_runs


def orders(lists, judged, measure, *, baseline=None):
    """`judged`: judge -> grades, as `judged_runs_of` takes them."""
    given_grades = {judge: qrels_of(grades) for judge, grades in judged.items()}
    pairs = sorted({(q, doc) for its in given_grades.values() for q in its for doc in its[q]})
    grades: dict[str, str] = {}
    for query, doc in pairs:
        grades[query] = f"{grades.get(query, '')} {doc}{UNJUDGED}"
    by_judge = {
        judge: np.array([its.get(query, {}).get(doc, UNJUDGED) for query, doc in pairs])
        for judge, its in given_grades.items()
    }
    runs = judged_runs_of(lists, grades)
    return system_orders(runs, by_judge, parse_measure(measure), baseline=baseline)


LISTS = {"x": {"q": "ab"}, "y": {"q": "ba"}, "z": {"q": "c"}}


def test_by_hand():
    ann, bob = {"q": "a1 b0 c0 h3"}, {"q": "a0 b1 c0"}
    found = orders(LISTS, {"ann": ann, "bob": bob}, "RR@10")
    (two,) = found.between
    # The pair that only ann graded is not among those that are compared.
    assert (two.judges, two.pairs, two.queries) == (("ann", "bob"), 3, 1)
    # ann: x 1, y 1/2, z 0; bob: x 1/2, y 1, z 0. One of three pairs swaps: (2 - 1) / 3.
    assert two.swaps == (("x", "y"),)
    assert two.tau == pytest.approx(1 / 3)
    # Both ways: the second has nothing right above it, the third both: 2/2 * (0 + 1) - 1.
    assert two.tau_ap == pytest.approx(0)
    # One query is too few for any verdict, by whichever judge.
    assert two.verdicts_changed == ()
    assert found.baseline == "x"
    document = found.to_dict()
    assert json.loads(json.dumps(document)) == document
    assert document["between"][0]["swaps"] == [["x", "y"]]


EQUAL = "by the grades of one of the two all systems are equal"


@pytest.mark.parametrize(
    ("lists", "ann", "bob", "pairs", "why"),
    [
        (LISTS, {"q": "a1"}, {"q": "b1"}, 0, "no pair was graded by both"),
        (LISTS, {"q": "a0"}, {"q": "a1"}, 1, EQUAL),
        (LISTS, {"q": "a0"}, {"q": "a0"}, 1, EQUAL),
        (
            {"x": {"q": "a"}, "y": {"q": "b", "r": "f"}},
            {"r": "f1"},
            {"r": "f0"},
            1,
            "fewer than two systems answer the queries of the pairs that both graded",
        ),
    ],
)
def test_what_is_undefined_is_none_with_its_reason(lists, ann, bob, pairs, why):
    (two,) = orders(lists, {"ann": ann, "bob": bob}, "RR@10").between
    assert (two.pairs, two.tau, two.tau_ap, two.swaps, two.why) == (pairs, None, None, (), why)
    assert two.to_dict()["why"] == {"tau": why, "tau_ap": why}


def test_an_order_needs_two_systems_and_two_judges():
    one_run = orders({"x": {"q": "a"}}, {"ann": {"q": "a1"}, "bob": {"q": "a1"}}, "RR@10")
    assert one_run.why == "an order needs two systems; there is one run only"
    one_judge = orders(LISTS, {"ann": {"q": "a1"}}, "RR@10")
    assert one_judge.between == ()
    assert one_judge.why == "an order by each of two judges needs two judges"
    with pytest.raises(UsageError, match="no run 'w'"):
        orders(LISTS, {"ann": {"q": "a1"}}, "RR@10", baseline="w")


def random_campaign(seed):
    draw = np.random.default_rng(seed)
    letters = "abcdefghijkl"
    queries = [f"q{query:02}" for query in range(40)]
    lists = {
        tag: {
            query: "".join(draw.permutation([*letters])[: draw.integers(1, 9)])
            for at, query in enumerate(queries)
            if tag != "c" or at % 3
        }
        for tag in "abcd"
    }
    # Grades that prefer early letters, as run a does, so that there is something to be shown.
    lists["a"] = {query: "".join(sorted(found)) for query, found in lists["a"].items()}
    judged = {
        judge: {
            query: " ".join(
                f"{letter}{int(min(3, max(0, draw.normal(3 - at / lean, 1))))}"
                for at, letter in enumerate(letters)
                if draw.random() < 0.7
            )
            for query in queries
        }
        for judge, lean in (("ann", 4), ("bob", 9), ("cyd", 2))
    }
    return lists, judged


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "ERR@5", "P(rel=2)@3", "infAP"])
@pytest.mark.parametrize("baseline", [None, "d"])
def test_as_the_files_would_be_scored_and_compared(name, baseline):
    lists, judged = random_campaign(3)
    measure, settings = (
        parse_measure(name),
        ComparisonSettings(baseline=baseline, tests=("wilcoxon",)),
    )
    found = orders(lists, judged, name, baseline=baseline)
    grades = {judge: qrels_of(its) for judge, its in judged.items()}
    changes = 0
    for two, names in zip(found.between, combinations(judged, 2), strict=True):
        assert two.judges == names
        one, other = (grades[name] for name in names)
        shared = {query: one[query].keys() & other[query].keys() for query in one}
        assert two.pairs == sum(map(len, shared.values()))
        assert two.queries == sum(map(bool, shared.values()))
        means, verdicts = [], []
        for judge in names:
            qrels = {q: {d: grades[judge][q][d] for d in its} for q, its in shared.items() if its}
            scores = score_runs(qrels, runs_of(lists), measures_needed([measure]))
            # In steps of 1e-9: two means that are one number to a reader may differ as floats.
            means.append([round(scores[tag].mean(measure), 9) for tag in lists])
            compared = compare_scores(scores.only([measure]), settings)
            verdicts.append({one.tag: one.verdict for one in compared})
        assert two.tau == pytest.approx(kendalltau(*means).statistic, abs=1e-12)
        assert two.swaps == tuple(
            (one, other)
            for (p, one), (q, other) in combinations(enumerate(lists), 2)
            if (means[0][p] - means[0][q]) * (means[1][p] - means[1][q]) < 0
        )
        changed = {one.tag: one.verdicts for one in two.verdicts_changed}
        assert changed == {
            tag: (verdicts[0][tag], verdicts[1][tag])
            for tag in verdicts[0]
            if verdicts[0][tag] is not verdicts[1][tag]
        }
        changes += len(changed)
    # The case would show nothing if no verdict ever changed.
    assert changes or name not in ("nDCG@5", "AP")


def test_judges_are_called_otherwise_in_all_that_is_told():
    judged = {"anneliese": {"q": "a1 b0"}, "bertram": {"q": "a0 b0"}}
    found = orders({name: LISTS[name] for name in "xy"}, judged, "RR@10")
    told = found.called({"anneliese": "B", "bertram": "A"})
    (two,) = told.between
    assert (two.judges, two.why) == (("B", "A"), EQUAL)
    assert not any(name in repr(told) for name in judged)
    assert told.called({"A": "bertram", "B": "anneliese"}) == found


# The vectors and values that Urbano and Marrero publish with their package ircor (its tests): x, y,
# tau and tau_AP,b, and both once more where x and y are rounded to one decimal, so that many tie.
IRCOR = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        (0.9111, 0.8333),
        (0.9398, 0.7321),
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        (0.2889, 0.2880),
        (0.3765, 0.297),
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        (-0.6889, -0.668),
        (-0.6510, -0.7047),
    ),
]

some_values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=8).map(
    lambda pairs: tuple(np.array(pairs, dtype=float).T / 10)
)


@pytest.mark.parametrize(("x", "y", "without_ties", "with_ties"), IRCOR)
def test_published_values(x, y, without_ties, with_ties):
    for decimals, expected in ((3, without_ties), (1, with_ties)):
        orders = [order_of(np.round(values, decimals)) for values in (x, y)]
        for first, second in (orders, orders[::-1]):
            assert kendall_tau(first, second) == pytest.approx(expected[0], abs=5e-5)
            assert tau_ap(first, second) == pytest.approx(expected[1], abs=5e-5)


@given(some_values)
def test_tau_is_that_of_scipy(values):
    one, other = values
    found = kendall_tau(order_of(one), order_of(other))
    expected = kendalltau(one, other, variant="b").statistic
    if np.isnan(expected):
        assert found is None
    else:
        assert found == pytest.approx(expected, abs=1e-12)


@given(st.permutations(range(7)))
def test_tau_ap_is_the_definition_of_yilmaz_in_both_directions(other):
    def one_way(ranked, reference):
        """2 / (N - 1) * sum over i > 1 of C(i) / (i - 1), less 1: items as they are ranked."""
        place = {item: at for at, item in enumerate(reference)}
        shares = [
            sum(place[above] < place[item] for above in ranked[:at]) / at
            for at, item in enumerate(ranked)
            if at
        ]
        return 2 / (len(ranked) - 1) * sum(shares) - 1

    ranked = list(range(7))
    score = {item: -float(at) for at, item in enumerate(other)}
    orders = order_of([-float(item) for item in ranked]), order_of([score[i] for i in ranked])
    expected = (one_way(ranked, other) + one_way(other, ranked)) / 2
    assert tau_ap(*orders) == pytest.approx(expected, abs=1e-12)


def test_one_system_or_none_has_no_order():
    for n in (0, 1):
        order = order_of([0.5] * n)
        assert kendall_tau(order, order) is None
        assert tau_ap(order, order) is None
        assert swapped(order, order) == []


def test_noise_of_floats_is_a_tie_and_no_swap():
    one, other = order_of([0.7 - 0.5, 0.4 - 0.2, 0.1]), order_of([0.4 - 0.2, 0.7 - 0.5, 0.1])
    assert one[0, 1] == other[0, 1] == 0
    assert swapped(one, other) == []


def test_swaps_are_strict():
    # 0 and 1 change places; 2 is tied with 0 in the second; 3 stays last.
    assert swapped(order_of([3.0, 2.0, 1.5, 0.0]), order_of([1.0, 2.0, 1.0, 0.0])) == [(0, 1)]
