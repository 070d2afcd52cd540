"""From several judgments to one grade."""

from collections import Counter
from statistics import median_low

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement import POLICIES, decide_all, decide_at_once
from judge_tui.agreement.decide import grade_counts
from judge_tui.errors import UsageError

PAIR = ("q", "d")


def judged(*grades):
    return dict(zip("abcdefgh", grades, strict=False))


def decided(grades, policy, **more):
    """The grade of one pair that these judges graded, and the rule."""
    everybody = {"a": {}, "z": {}} | {judge: {PAIR: grade} for judge, grade in grades.items()}
    adjudicated = {PAIR: more.pop("adjudicated")} if "adjudicated" in more else {}
    found = decide_all(everybody, policy, adjudicated=adjudicated, pool=[PAIR], **more)
    if found.unresolved or found.unjudged:
        return None, "unresolved" if found.unresolved else "unjudged"
    return found.qrels["q"]["d"], *found.rules


@pytest.mark.parametrize(
    ("grades", "policy", "grade", "rule"),
    [
        (judged(2, 2, 0), "majority", 2, "majority"),
        (judged(0, 1, 1, 2, 2), "majority", None, "unresolved"),
        (judged(0, 1, 1, 2), "majority", 1, "majority"),
        (judged(0, 3), "majority", None, "unresolved"),
        (judged(0, 3), "max", 3, "max"),
        (judged(0, 3), "min", 0, "min"),
        (judged(0, 3), "median", 0, "median"),
        (judged(0, 3, 2), "median", 2, "median"),
        (judged(0, 1, 2, 3), "median", 1, "median"),
        (judged(0, 3), "mean-rounded", 2, "mean-rounded"),
        (judged(0, 0, 1), "mean-rounded", 0, "mean-rounded"),
        (judged(0, 1), "mean-rounded", 1, "mean-rounded"),
        (judged(1, 1), "majority", 1, "unanimous"),
        (judged(1, 1), "max", 1, "unanimous"),
        (judged(1), "majority", 1, "single judge"),
        (judged(0), "min", 0, "single judge"),
        ({}, "majority", None, "unjudged"),
        (judged(0, 3), "judge:b", 3, "judge"),
        (judged(2), "judge:a", 2, "judge"),
        (judged(0, 3), "judge:z", None, "unjudged"),
        ({"a:b": 1, "c": 2}, "judge:a:b", 1, "judge"),
    ],
)
def test_one_pair(grades, policy, grade, rule):
    assert decided(grades, policy) == (grade, rule)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("grades", [{}, judged(1), judged(1, 1), judged(0, 3), judged(0, 0, 3)])
def test_the_lead_wins_over_every_policy(policy, grades):
    assert decided(grades, policy, adjudicated=2) == (2, "adjudicated")


def test_the_lead_does_not_touch_one_judges_grades_as_they_stand():
    assert decided(judged(0, 3), "judge:a", adjudicated=2) == (0, "judge")
    assert decided(judged(0, 3), "judge:z", adjudicated=2) == (None, "unjudged")


@pytest.mark.parametrize(
    ("policy", "what"),
    [
        ("majorty", "no policy 'majorty'; did you mean 'majority'"),
        ("zzz", "known: majority, median, mean-rounded, min, max, judge:NAME"),
        ("max:anna", "no policy 'max:anna'"),
        ("judge", "write judge:NAME"),
        ("judge:", "write judge:NAME"),
    ],
)
def test_unknown_policies(policy, what):
    with pytest.raises(UsageError, match=what):
        decide_all({}, policy)


JUDGMENTS = {
    "anna": {("q2", "x"): 1, ("q1", "b"): 0, ("q1", "a"): 3, ("q1", "c"): 2, ("q2", "y"): 1},
    "bert": {("q2", "x"): 1, ("q1", "b"): 2, ("q1", "a"): 3, ("q1", "c"): 0},
    "cleo": {("q1", "c"): 2},
}
POOL = [("q1", "a"), ("q1", "b"), ("q1", "c"), ("q1", "d"), ("q2", "x"), ("q2", "y")]


def test_all_pairs_by_hand():
    final = decide_all(JUDGMENTS, "majority", pool=POOL)
    assert final.qrels == {"q1": {"a": 3, "c": 2}, "q2": {"x": 1, "y": 1}}
    assert final.rules == {"unanimous": 2, "single judge": 1, "majority": 1}
    assert final.unresolved == (("q1", "b"),)
    assert final.unjudged == (("q1", "d"),)


def test_the_lead_settles_a_pair_and_may_grade_one_nobody_judged():
    final = decide_all(JUDGMENTS, "majority", adjudicated={("q1", "b"): 1, ("q3", "z"): 0})
    assert final.qrels["q1"]["b"] == 1
    assert final.qrels["q3"] == {"z": 0}
    assert final.rules == {"adjudicated": 2, "unanimous": 2, "single judge": 1, "majority": 1}
    assert final.unresolved == ()


def test_undisputed_only_leaves_every_dispute_to_the_lead():
    for policy in POLICIES:
        final = decide_all(JUDGMENTS, policy, adjudicated={("q1", "b"): 1}, undisputed_only=True)
        assert final.qrels == {"q1": {"a": 3, "b": 1}, "q2": {"x": 1, "y": 1}}
        assert final.unresolved == (("q1", "c"),)


def test_one_judges_grades_as_they_stand():
    final = decide_all(JUDGMENTS, "judge:bert", adjudicated={("q1", "b"): 1}, pool=POOL)
    assert final.qrels == {"q1": {"a": 3, "b": 2, "c": 0}, "q2": {"x": 1}}
    assert final.rules == {"judge": 4}
    assert final.unjudged == (("q1", "d"), ("q2", "y"))
    assert final.unresolved == ()


def test_a_judge_who_judged_nothing_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="no judge 'bret'; did you mean 'bert'"):
        decide_all(JUDGMENTS, "judge:bret")


def test_everything_ascends_whatever_came_first():
    final = decide_all(JUDGMENTS, "max")
    assert list(final.qrels) == ["q1", "q2"]
    assert list(final.qrels["q1"]) == ["a", "b", "c"]


PAIRS = st.tuples(st.sampled_from("pq"), st.sampled_from("xyz"))
CAMPAIGNS = st.dictionaries(st.sampled_from("abcd"), st.dictionaries(PAIRS, st.integers(0, 3)))


@given(CAMPAIGNS, st.dictionaries(PAIRS, st.integers(0, 3)), st.lists(PAIRS))
def test_every_pair_is_told_once(judgments, adjudicated, pool):
    for policy in POLICIES:
        final = decide_all(judgments, policy, adjudicated=adjudicated, pool=pool)
        graded = [(query, doc) for query, docs in final.qrels.items() for doc in docs]
        told = [*graded, *final.unresolved, *final.unjudged]
        expected = set(pool) | set(adjudicated) | {p for row in judgments.values() for p in row}
        assert sorted(told) == sorted(expected)
        assert sum(final.rules.values()) == len(graded)


@given(CAMPAIGNS)
def test_min_is_at_most_majority_is_at_most_max(judgments):
    low, middle, high = (decide_all(judgments, p).qrels for p in ("min", "majority", "max"))
    for query, docs in middle.items():
        for doc, grade in docs.items():
            assert low[query][doc] <= grade <= high[query][doc]


@given(CAMPAIGNS, st.randoms())
def test_order_of_the_judges_does_not_matter(judgments, random):
    shuffled = {j: judgments[j] for j in random.sample(sorted(judgments), len(judgments))}
    for policy in POLICIES:
        assert decide_all(shuffled, policy) == decide_all(judgments, policy)


def test_a_mean_is_rounded_to_a_grade_of_the_scale():
    assert decided(judged(0, 5), "mean-rounded", scale=(0, 1, 5))[0] == 1
    assert decided(judged(0, 4), "mean-rounded", scale=(0, 4))[0] == 4
    assert decided(judged(0, 2, 5), "mean-rounded", scale=(0, 2, 5))[0] == 2


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
    pairs = np.array(sorted(of_judge), dtype=np.int64)
    return pairs, np.array([of_judge[int(pair)] for pair in pairs], dtype=np.int64)


@given(st.sampled_from(list(POLICIES)), st.lists(numbered, max_size=5), numbered)
def test_policies_are_those_of_one_pair_after_the_other(policy, judges, lead):
    found = decide_at_once([arrays(one) for one in judges], policy, SCALE, settled=arrays(lead))
    expected = dict(lead)
    for pair in {pair for one in judges for pair in one} - {*lead}:
        its = [one[pair] for one in judges if pair in one]
        expected[pair] = its[0] if len({*its}) == 1 else REFERENCE[policy](its)
    told = dict(zip(found.pairs.tolist(), found.grades.tolist(), strict=True))
    assert told == {pair: grade for pair, grade in expected.items() if grade is not None}
    assert found.unresolved.tolist() == sorted(p for p, grade in expected.items() if grade is None)


def test_one_judge():
    found = decide_at_once([arrays({3: 1, 2: 5})], "judge:ann", SCALE, settled=arrays({2: 0}))
    assert (found.pairs.tolist(), found.grades.tolist()) == ([2, 3], [5, 1])
    assert found.rules == {"judge": 2}
    with pytest.raises(UsageError, match="one judge"):
        decide_at_once([], "judge:ann", SCALE)


def test_counts_of_grades_by_hand():
    judges = [arrays({3: 5, 1: 0}), arrays({3: 5, 2: 4}), arrays({})]
    pairs, counts = grade_counts(judges, SCALE)
    assert pairs.tolist() == [1, 2, 3]
    assert counts.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]
    # Who is beside them was graded by nobody, or is there already.
    pairs, counts = grade_counts(judges, SCALE, beside=np.array([3, 0]))
    assert pairs.tolist() == [0, 1, 2, 3]
    assert counts.sum(axis=1).tolist() == [0, 1, 1, 2]
    pairs, counts = grade_counts([], SCALE)
    assert (pairs.shape, counts.shape) == ((0,), (0, len(SCALE)))
