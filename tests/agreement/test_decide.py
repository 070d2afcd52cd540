"""From several judgments to one grade."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement import POLICIES, Decision, decide, decide_all
from judge_tui.errors import UsageError


def judged(*grades):
    return dict(zip("abcdefgh", grades, strict=False))


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
    assert decide(grades, policy) == Decision(grade, rule)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("grades", [{}, judged(1), judged(1, 1), judged(0, 3), judged(0, 0, 3)])
def test_the_lead_wins_over_every_policy(policy, grades):
    assert decide(grades, policy, adjudicated=2) == Decision(2, "adjudicated")


def test_the_lead_does_not_touch_one_judges_grades_as_they_stand():
    assert decide(judged(0, 3), "judge:a", adjudicated=2) == Decision(0, "judge")
    assert decide(judged(0, 3), "judge:z", adjudicated=2) == Decision(None, "unjudged")


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
        decide(judged(1, 2), policy)
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
    assert decide(judged(0, 5), "mean-rounded", scale=(0, 1, 5)).grade == 1
    assert decide(judged(0, 4), "mean-rounded", scale=(0, 4)).grade == 4
    assert decide(judged(0, 2, 5), "mean-rounded", scale=(0, 2, 5)).grade == 2
