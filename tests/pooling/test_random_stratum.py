"""What is drawn at random stands for all that nobody chose, whatever came earlier."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.model import Pair
from judge_tui.pooling import order
from judge_tui.pooling import pool as pool_module
from judge_tui.pooling.pool import Pool, Population, Round, build_pool
from judge_tui.pooling.strategies import AUDIT, STRATEGIES
from judge_tui.pooling.strategy import Aim

JUDGING = [name for name, one in STRATEGIES.items() if one.uses_judgments]
AIM = Aim(np.array([1.0, 0.6, 0.5]), float, normalised=True)
FIRST = {
    "a": {"q1": [*"abcdefgh"], "q2": [*"stuvwx"]},
    "b": {"q1": [*"hgijklab"], "q2": [*"xyz"]},
}
LATER = FIRST | {"c": {"q1": [*"mnopabq"], "q2": [*"123st"]}}
GRADES = {
    "q1": {doc_id: int(doc_id in "bgimo") for doc_id in "abcdefghijklmnopq"},
    "q2": {doc_id: int(doc_id in "tz2") for doc_id in "stuvwxyz123"},
}


def next_round(pool, results, *, grades=GRADES, **options) -> Round:
    return build_pool(results, pool, judged=grades, aim=AIM, **options)


def after(pool, results, **options) -> Pool:
    return pool.after(next_round(pool, results, **options))


def pairs(pool) -> set[Pair]:
    return pool.chosen | pool.drawn.keys()


def chances_of(pool) -> dict[Pair, float]:
    return {pair: chance for pair, chance in pool.drawn.items() if chance is not None}


def union(results, depth):
    return {
        (query_id, doc_id)
        for lists in results.values()
        for query_id, ranked in lists.items()
        for doc_id in ranked[:depth]
    }


ROUNDS = (
    (FIRST, {"depth": 6, "budget": 8, "audit": 0.5}),
    (FIRST, {"depth": 6, "budget": 12, "audit": 0.5}),
    # A run came, and the next round is deeper; then one that asks for no audit.
    (LATER, {"depth": 8, "budget": 17, "audit": 7}),
    (LATER, {"depth": 3, "audit": 0}),
)


@pytest.fixture
def drawn_anew(monkeypatch):
    """A function that gives what is drawn another order, and nothing else."""

    def draw_anew(turn: int) -> None:
        def drawn(seed: int, *purpose: str):
            return order.drawn(turn if purpose == (AUDIT,) else seed, *purpose)

        monkeypatch.setattr(pool_module, "drawn", drawn)

    return draw_anew


@pytest.mark.parametrize("strategy", JUDGING)
def test_a_probability_is_how_often_a_pair_is_drawn_and_all_else_is_the_same(strategy, drawn_anew):
    turns = 2000
    drawn: Counter[tuple[int, Pair]] = Counter()
    kept: dict[int, tuple[set[Pair], dict[Pair, float], Population]] = {}
    for turn in range(turns):
        drawn_anew(turn)
        pool = Pool()
        for number, (results, options) in enumerate(ROUNDS):
            pool = after(pool, results, strategy=strategy, **options)
            top = union(results, pool.population.depth)
            left = Counter(query_id for query_id, _ in top - pool.chosen)
            now = chances_of(pool)
            sizes = Counter(query_id for query_id, _ in now)
            chances = {(q, doc): sizes[q] / left[q] for q, doc in top - pool.chosen}
            assert now == {pair: chances[pair] for pair in now}
            found = (pool.chosen, chances, pool.population)
            assert kept.setdefault(number, found) == found
            drawn.update((number, pair) for pair in now)
    for number, (_, chances, population) in kept.items():
        assert population.wanted == round(sum(chances.values()))
        for pair, chance in chances.items():
            # Five standard deviations either way.
            off = abs(drawn[number, pair] - turns * chance)
            assert off <= 5 * (turns * chance * (1 - chance)) ** 0.5


@pytest.mark.parametrize("strategy", JUDGING)
@given(st.integers(0, 50), st.sets(st.sampled_from(sorted(union(LATER, 8)))))
def test_grades_of_what_was_not_chosen_change_nothing(strategy, seed, flipped):
    pool = Pool()
    for results, asked in ROUNDS:
        other = {
            query_id: {
                doc_id: 1 - grade if (query_id, doc_id) in flipped - pool.chosen else grade
                for doc_id, grade in grades.items()
            }
            for query_id, grades in GRADES.items()
        }
        options = asked | {"strategy": strategy, "seed": seed}
        found = next_round(pool, results, **options)
        assert next_round(pool, results, grades=other, **options) == found
        pool = pool.after(found)


@given(
    st.sampled_from(["depth", "rrf"]),
    st.lists(
        st.tuples(
            st.sampled_from([FIRST, LATER]),
            st.integers(1, 9),
            st.none() | st.integers(1, 30),
            st.none() | st.integers(0, 9) | st.floats(0, 1),
        ),
        max_size=4,
    ),
    st.integers(0, 9),
)
def test_the_same_round_again_adds_nothing_and_a_budget_is_kept(strategy, rounds, seed):
    """Those that use grades have more of them each time."""
    pool = Pool()
    for results, depth, budget, audit in rounds:
        before = pool
        options = {"depth": depth, "budget": budget, "audit": audit}
        options |= {"strategy": strategy, "seed": seed}
        pool = after(pool, results, **options)
        assert pairs(before) <= pairs(pool)
        assert not pool.chosen & pool.drawn.keys()
        if budget is not None and pool != before:
            assert len(pool.chosen) + len(chances_of(pool)) <= budget
        assert after(pool, results, **options) == pool


def test_a_share_is_of_what_a_round_may_add():
    base = Pool({("q1", doc_id) for doc_id in "abcde"})
    for budget, audit, drawn in (
        (15, 0.1, 1),
        (15, 0.2, 2),
        (15, 0.5, 5),
        (15, 7, 7),
        (9, None, 0),
    ):
        pool = after(base, FIRST, strategy="mm", depth=8, budget=budget, audit=audit)
        assert len(chances_of(pool)) == drawn
        assert len(pairs(pool)) == budget


def test_depth_and_rrf_draw_nothing_unless_asked_and_mm_a_tenth():
    for strategy, drawn in (("depth", 0), ("rrf", 0), ("mtf", 1), ("mm", 1)):
        pool = after(Pool(), FIRST, strategy=strategy, depth=8, budget=10)
        assert len(chances_of(pool)) == drawn
        assert pool.population.depth == (8 if drawn else 0)


def test_pairs_that_a_smaller_depth_leaves_out_have_no_probability():
    pool = after(Pool(), FIRST, strategy="depth", depth=8, budget=12, audit=6)
    assert len(chances_of(pool)) == 6
    later = after(pool, FIRST, strategy="depth", depth=4, budget=13, audit=6)
    assert later.population.depth == 4
    assert chances_of(later).keys() <= union(FIRST, 4)
    assert later.drawn.keys() - union(FIRST, 4)
    assert later.drawn.keys() >= pool.drawn.keys() - later.chosen
