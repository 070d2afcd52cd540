"""From several judgments to one grade."""

from collections import Counter
from statistics import median_low

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement.decide import decide, grade_counts
from judge_tui.agreement.policies import POLICIES
from judge_tui.errors import UsageError
from tests.deciding import decide_by_id

PAIR = ("q", "d")


def final(judgments, policy, scale=range(10), adjudicated=None, **more):
    return decide_by_id(judgments, policy, scale, adjudicated=adjudicated or {}, **more)


def decided(grades, policy, scale=range(10), adjudicated=None):
    """The grade of one pair that judges a, b, c ... graded, and the rule."""
    judges = {judge: {PAIR: grade} for judge, grade in zip("abcdefgh", grades, strict=False)}
    judges["z"] = {}
    settled = {} if adjudicated is None else {PAIR: adjudicated}
    found = final(judges, policy, scale, settled, pool=[PAIR])
    if found.unresolved or found.unjudged:
        return None, "unresolved" if found.unresolved else "unjudged"
    return found.qrels["q"]["d"], *found.rules


@pytest.mark.parametrize(
    ("grades", "policy", "grade", "rule"),
    [
        ((2, 2, 0), "majority", 2, "majority"),
        ((0, 1, 1, 2, 2), "majority", None, "unresolved"),
        ((0, 1, 1, 2), "majority", 1, "majority"),
        ((0, 3), "majority", None, "unresolved"),
        ((0, 3), "max", 3, "max"),
        ((0, 3), "min", 0, "min"),
        ((0, 3), "median", 0, "median"),
        ((0, 3, 2), "median", 2, "median"),
        ((0, 1, 2, 3), "median", 1, "median"),
        ((0, 3), "mean-rounded", 2, "mean-rounded"),
        ((0, 0, 1), "mean-rounded", 0, "mean-rounded"),
        ((0, 1), "mean-rounded", 1, "mean-rounded"),
        ((1, 1), "majority", 1, "unanimous"),
        ((1, 1), "max", 1, "unanimous"),
        ((1,), "majority", 1, "single judge"),
        ((0,), "min", 0, "single judge"),
        ((), "majority", None, "unjudged"),
        ((0, 3), "judge:b", 3, "judge"),
        ((2,), "judge:a", 2, "judge"),
        ((0, 3), "judge:z", None, "unjudged"),
    ],
)
def test_one_pair(grades, policy, grade, rule):
    assert decided(grades, policy) == (grade, rule)


@pytest.mark.parametrize(
    ("grades", "scale", "grade"),
    [((0, 5), (0, 1, 5), 1), ((0, 4), (0, 4), 4), ((0, 2, 5), (0, 2, 5), 2)],
)
def test_a_mean_is_rounded_to_a_grade_of_the_scale(grades, scale, grade):
    assert decided(grades, "mean-rounded", scale) == (grade, "mean-rounded")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("grades", [(), (1,), (1, 1), (0, 3), (0, 0, 3)])
def test_the_lead_wins_over_every_policy(policy, grades):
    assert decided(grades, policy, adjudicated=2) == (2, "adjudicated")


def test_the_lead_does_not_touch_one_judges_grades_as_they_stand():
    assert decided((0, 3), "judge:a", adjudicated=2) == (0, "judge")
    assert decided((0, 3), "judge:z", adjudicated=2) == (None, "unjudged")
    assert final({"a:b": {PAIR: 1}}, "judge:a:b").qrels == {"q": {"d": 1}}


@pytest.mark.parametrize(
    ("policy", "what"),
    [
        ("majorty", "no policy 'majorty'; did you mean 'majority'"),
        ("zzz", "known: majority, median, mean-rounded, min, max, judge:NAME"),
        ("max:anna", "no policy 'max:anna'"),
        ("judge", "write judge:NAME"),
        ("judge:", "write judge:NAME"),
        ("judge:bret", "no judge 'bret'; did you mean 'bert'"),
    ],
)
def test_unknown_policies(policy, what):
    with pytest.raises(UsageError, match=what):
        final(JUDGMENTS, policy)


JUDGMENTS = {
    "anna": {("q2", "x"): 1, ("q1", "b"): 0, ("q1", "a"): 3, ("q1", "c"): 2, ("q2", "y"): 1},
    "bert": {("q2", "x"): 1, ("q1", "b"): 2, ("q1", "a"): 3, ("q1", "c"): 0},
    "cleo": {("q1", "c"): 2},
}
POOL = [("q1", "a"), ("q1", "b"), ("q1", "c"), ("q1", "d"), ("q2", "x"), ("q2", "y")]
SETTLED = {("q1", "b"): 1, ("q3", "z"): 0}


def test_all_pairs_by_hand():
    found = final(JUDGMENTS, "majority", pool=POOL)
    assert found.qrels == {"q1": {"a": 3, "c": 2}, "q2": {"x": 1, "y": 1}}
    # Ascending, whatever came first.
    assert [list(found.qrels), list(found.qrels["q1"])] == [["q1", "q2"], ["a", "c"]]
    assert found.rules == {"unanimous": 2, "single judge": 1, "majority": 1}
    assert (found.unresolved, found.unjudged) == ((("q1", "b"),), (("q1", "d"),))


def test_the_lead_settles_a_pair_and_may_grade_one_nobody_judged():
    found = final(JUDGMENTS, "majority", adjudicated=SETTLED)
    assert (found.qrels["q1"]["b"], found.qrels["q3"], found.unresolved) == (1, {"z": 0}, ())
    assert found.rules == {"adjudicated": 2, "unanimous": 2, "single judge": 1, "majority": 1}


@pytest.mark.parametrize("policy", POLICIES)
def test_undisputed_only_leaves_every_dispute_to_the_lead(policy):
    found = final(JUDGMENTS, policy, adjudicated=SETTLED, undisputed_only=True)
    assert found.qrels == {"q1": {"a": 3, "b": 1}, "q2": {"x": 1, "y": 1}, "q3": {"z": 0}}
    assert found.unresolved == (("q1", "c"),)


SCALE = (0, 1, 4, 5)
REFERENCE = {
    "majority": lambda grades: _majority(Counter(grades).most_common(2)),
    "median": median_low,
    "mean-rounded": lambda grades: min(
        SCALE, key=lambda grade: (abs(len(grades) * grade - sum(grades)), -grade)
    ),
    "min": min,
    "max": max,
}
numbered = st.dictionaries(st.integers(1, 12), st.sampled_from(SCALE), max_size=12)


def _majority(ranked):
    return None if len(ranked) > 1 and ranked[0][1] == ranked[1][1] else ranked[0][0]


def arrays(of_judge):
    return np.array(list(of_judge), dtype=np.int64), np.array([*of_judge.values()], dtype=np.int64)


def judgments(judges):
    return {str(at): arrays(one) for at, one in enumerate(judges)}


@given(st.sampled_from(list(POLICIES)), st.lists(numbered, max_size=5), numbered)
def test_policies_are_those_of_one_pair_after_the_other(policy, judges, lead):
    found = decide(judgments(judges), policy, SCALE, settled=arrays(lead))
    expected = dict(lead)
    for pair in {pair for one in judges for pair in one} - {*lead}:
        its = [one[pair] for one in judges if pair in one]
        expected[pair] = its[0] if len({*its}) == 1 else REFERENCE[policy](its)
    told = dict(zip(found.pairs.tolist(), found.grades.tolist(), strict=True))
    assert told == {pair: grade for pair, grade in expected.items() if grade is not None}
    assert found.unresolved.tolist() == sorted(p for p, grade in expected.items() if grade is None)
    assert sum(found.rules.values()) == len(found.pairs)


def test_one_judge_as_arrays():
    found = decide({"ann": arrays({3: 1, 2: 5})}, "judge:ann", SCALE, settled=arrays({2: 0}))
    assert (found.pairs.tolist(), found.grades.tolist()) == ([2, 3], [5, 1])
    assert found.rules == {"judge": 2}


@pytest.mark.parametrize(
    ("judges", "also", "expected"),
    [
        ([{3: 5, 1: 0}, {3: 5, 2: 4}, {}], [], {1: [1, 0, 0, 0], 2: [0, 0, 1, 0], 3: [0, 0, 0, 2]}),
        # Who is in `also` was graded by nobody, or is there already.
        ([{3: 5}], [3, 0], {0: [0, 0, 0, 0], 3: [0, 0, 0, 1]}),
        ([], [], {}),
    ],
)
def test_counts_of_grades(judges, also, expected):
    also = np.array(also, dtype=np.int64)
    pairs, counts = grade_counts(judgments(judges), SCALE, also=also)
    assert counts.shape == (len(pairs), len(SCALE))
    assert dict(zip(pairs.tolist(), counts.tolist(), strict=True)) == expected
