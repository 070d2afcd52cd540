"""Strategies in which runs take turns, against the plainest form of what the papers say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.pooling.mm import DECAY, mm
from judge_tui.pooling.mtf import mtf
from judge_tui.pooling.order import drawn
from judge_tui.pooling.strategy import PooledQuery
from judge_tui.pooling.turns import drawn_lists

DOCUMENTS = "abcdefghij"
LISTS = st.lists(st.lists(st.sampled_from(DOCUMENTS), unique=True), max_size=5)
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2))
STRATEGIES = pytest.mark.parametrize("strategy", [mtf, mm])


def query(lists: Sequence[Sequence[str]], grades: Mapping[str, int], seed: int = 0) -> PooledQuery:
    return PooledQuery(lists, grades, partial(drawn(seed, "tie"), "q1"))


def order(strategy, asked: PooledQuery) -> list[str]:
    return [choice.doc_id for choice in strategy(asked)]


Worth = Callable[[int, Sequence[tuple[int, str]]], Fraction]


def by_the_paper(asked: PooledQuery, worth: Worth) -> list[str]:
    """`worth` of a run, by (run, document) judged so far, is worked out anew each time."""
    lists = drawn_lists(asked)
    history: list[tuple[int, str]] = []
    while True:
        judged = [doc_id for _, doc_id in history]
        following = {
            run: next(doc_id for doc_id in doc_ids if doc_id not in judged)
            for run, doc_ids in enumerate(lists)
            if {*doc_ids} - {*judged}
        }
        if not following:
            return judged
        run = max(following, key=lambda run: (worth(run, history), -run))
        history.append((run, following[run]))


@given(LISTS, GRADES, st.integers(0, 9))
def test_mtf_is_that_of_cormack_palmer_and_clarke(lists, grades, seed):
    """A run's priority falls by one with each document of it that is not relevant."""
    asked = query(lists, grades, seed)

    def worth(run, history):
        return -sum(giver == run and not grades.get(doc_id) for giver, doc_id in history)

    assert order(mtf, asked) == by_the_paper(asked, worth)


@given(LISTS, GRADES, st.integers(0, 9))
def test_mm_is_that_of_losada_parapar_and_barreiro(lists, grades, seed):
    """The mean of Beta(1 + relevant, 1 + not relevant), each judgment times decay^its age."""
    asked = query(lists, grades, seed)
    decay, lists = Fraction(DECAY).limit_denominator(10), drawn_lists(asked)

    def worth(run, history):
        found = [bool(grades.get(doc_id)) for _, doc_id in history if doc_id in lists[run]]
        weights = [decay**age for age in reversed(range(len(found)))]
        relevant = sum(weight for weight, one in zip(weights, found, strict=True) if one)
        return (1 + relevant) / (2 + sum(weights))

    assert order(mm, asked) == by_the_paper(asked, worth)


@pytest.mark.parametrize(
    ("judged", "first", "second"),
    [
        # 2.247 / 6.686 is more than 1 / 3, what b has after b0; with .88 it would be less.
        ("110000", "a6", "b1"),
        # 3.588 / 7.217 is less than 1 / 2, what b begins with; with .92 it would be more.
        ("1110100", "b0", "a7"),
    ],
)
def test_the_decay_of_mm_is_nine_tenths(judged, first, second):
    lists = [[f"a{place}" for place in range(9)], ["b0", "b1"]]
    grades = {f"a{place}": int(grade) for place, grade in enumerate(judged)} | {"b0": 0}
    orders = [order(mm, query(lists, grades, seed)) for seed in range(9)]
    # Where the draw has a begin.
    after_a0 = [found for found in orders if found[0] == "a0"]
    assert after_a0
    assert all(found.index(first) < found.index(second) for found in after_a0)


@STRATEGIES
@given(LISTS, GRADES, st.randoms())
def test_the_order_of_the_runs_does_not_matter(strategy, lists, grades, random):
    shuffled = random.sample(lists, len(lists))
    assert order(strategy, query(shuffled, grades)) == order(strategy, query(lists, grades))


@STRATEGIES
def test_a_run_that_gives_relevant_documents_goes_on(strategy):
    lists = [[f"{run}{place}" for place in range(9)] for run in "abc"]
    grades = {doc_id: int(doc_id[0] == "b") for doc_ids in lists for doc_id in doc_ids}
    found = order(strategy, query(lists, grades))
    assert found.index("b8") < 11
    # What nobody judged yet is taken in turns.
    waiting = order(strategy, query(lists, {}))
    assert all({doc[1] for doc in waiting[at : at + 3]} == {str(at // 3)} for at in range(0, 27, 3))


@STRATEGIES
def test_ties_between_runs_are_settled_by_the_seed(strategy):
    lists = [[f"{run}{place}" for place in range(3)] for run in "abcdef"]
    firsts = {order(strategy, query(lists, {}, seed))[0] for seed in range(40)}
    assert len(firsts) == 6
