"""Which pairs are judged."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.pooling.pool import Pool
from judge_tui.pooling.pool import build_pool as choices_of
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.pooling.strategy import Aim, Choice, Strategy, query_by_query

RUNS = {
    "bm25": {"q1": ["a", "b", "c", "d", "e"], "q2": ["x", "y", "z"]},
    "dense": {"q1": ["c", "a", "f", "g", "h"]},
}
AIM = Aim(np.array([1.0, 0.5, 0.25]), float)
ONE_QUERY = {"1": {"q1": ["a", "b"]}, "2": {"q1": ["b", "x", "a"]}, "3": {"q1": ["b", "a"]}}


@dataclass(frozen=True)
class Pooled:
    query_id: str
    doc_id: str
    stratum: str
    probability: float | None


def build_pool(results, *, strategy="depth", depth=10, present=frozenset(), **options):
    return [
        Pooled(query_id, one.doc_id, one.stratum, one.probability)
        for query_id, choices in choices_of(
            results, Pool(present), strategy=strategy, depth=depth, aim=AIM, **options
        ).added.items()
        for one in choices
    ]


def pairs(pool):
    return [(pair.query_id, pair.doc_id) for pair in pool]


def docs(pool, query_id="q1"):
    return [pair.doc_id for pair in pool if pair.query_id == query_id]


@pytest.mark.parametrize(
    ("strategy", "depth", "runs", "firsts", "rest"),
    [
        # Rank 1: a, c (both in two runs within depth 3). Rank 2: b; rank 3: f.
        ("depth", 3, RUNS, {"a", "c"}, ["b", "f"]),
        # Best rank 1 for both; b is in three runs within depth 2, a in two.
        ("depth", 2, ONE_QUERY, {"b"}, ["a", "x"]),
        # Cormack et al. (2009), k = 60: a 1/61 + 1/62, c 1/63 + 1/61, b 1/62, f 1/63; d and g 1/64.
        ("rrf", 4, RUNS, {"a"}, ["c", "b", "f"]),
    ],
)
def test_strategies_by_hand(strategy, depth, runs, firsts, rest):
    pool = build_pool(runs, strategy=strategy, depth=depth)
    assert set(docs(pool)[: len(firsts)]) == firsts
    assert docs(pool)[len(firsts) :] == rest
    assert {pair.stratum for pair in pool} == {strategy}


def test_ties_are_settled_by_the_seed_not_by_the_alphabet():
    runs = {f"run{n}": {"q": [f"d{n:02}"]} for n in range(20)}
    first, second = (docs(build_pool(runs, seed=seed), "q") for seed in (1, 2))
    assert first != second
    assert first != sorted(first)
    assert sorted(first) == sorted(second)


@pytest.mark.parametrize(("rank", "first"), [(61, "twice"), (63, "once")])
def test_the_constant_of_rrf_is_60(rank, first):
    # Cormack, Clarke & Buettcher (2009): 2 / (60 + 61) is more than 1 / 61, 2 / (60 + 63) is less.
    # With 59 or 61 one of the two would be a tie, which is settled otherwise for each query.
    lists = {run: [f"{run}{place}" for place in range(1, rank)] + ["twice"] for run in "ab"}
    lists["c"] = ["once"]
    queries = [f"q{number}" for number in range(20)]
    runs = {run: dict.fromkeys(queries, tuple(ranked)) for run, ranked in lists.items()}
    pool = build_pool(runs, strategy="rrf", depth=10)
    for query_id in queries:
        assert next(doc for doc in docs(pool, query_id) if doc in ("once", "twice")) == first


def test_with_a_budget_rrf_is_not_bound_by_depth():
    assert len(build_pool(RUNS, strategy="rrf", depth=1, budget=9)) == 9
    assert len(build_pool(RUNS, strategy="depth", depth=1, budget=9)) == 3


def weighing(query):
    """Move to front, of a kind: the first unjudged of each run weighs what its first has."""
    best = {}
    for doc_ids in query.lists:
        for doc_id in doc_ids[1:]:
            best[doc_id] = max(best.get(doc_id, 0), query.grades.get(doc_ids[0], 0))
    order = sorted(best, key=lambda doc_id: (-best[doc_id], query.tie(doc_id)))
    return [Choice(doc_id, weight=best[doc_id]) for doc_id in order]


def test_a_strategy_sees_grades_and_a_budget_goes_to_what_weighs_most(monkeypatch):
    monkeypatch.setitem(
        STRATEGIES, "weighing", Strategy(query_by_query(weighing), "", "", uses_judgments=True)
    )
    present = {("q1", "a"), ("q1", "c"), ("q2", "x")}
    options = {"strategy": "weighing", "depth": 3, "present": present, "audit": 0}
    even = build_pool(RUNS, budget=6, **options)
    # q1 has two already, so that q2 comes first; the weights are all 0.
    assert Counter(pair.query_id for pair in even) == {"q2": 2, "q1": 1}
    judged = {"q1": {"c": 2}, "q2": {"x": 1}}
    weighed = build_pool(RUNS, budget=5, judged=judged, **options)
    assert pairs(weighed) in ([("q1", "f"), ("q2", "y")], [("q1", "f"), ("q2", "z")])


def test_fused_lists_have_a_top_pooled_or_not():
    first = build_pool(RUNS, strategy="rrf", depth=2)
    assert build_pool(RUNS, strategy="rrf", depth=2, present=set(pairs(first))) == []


@pytest.mark.parametrize(
    ("judged", "until", "finished"),
    [
        ({}, 1, False),
        ({"a": 0, "b": 0}, 2, True),
        ({"a": 0, "b": 0}, 3, False),
        ({"a": 0, "b": 0, "c": 1}, 2, False),
        # What waits for its grade is passed over; what comes last in the order counts.
        ({"a": 0, "d": 0}, 2, True),
        ({"d": 0, "c": 0, "b": 1, "a": 0}, 2, True),
        # Neither what was drawn, nor what is in no list.
        ({"a": 0, "e": 0}, 2, False),
        ({"a": 0, "z": 0}, 2, False),
    ],
)
def test_a_query_ends_after_so_many_that_are_not_relevant(judged, until, finished):
    its = choices_of(
        {"run": {"q1": [*"abcdefg"], "q2": [*"abcdefg"]}},
        Pool({("q1", doc_id) for doc_id in "abcdz"}, {("q1", "e"): 0.5}),
        strategy="depth",
        depth=7,
        judged={"q1": judged},
        until=until,
    )
    assert its.finished == (["q1"] if finished else [])
    assert [one.doc_id for one in its.added["q1"]] == ([] if finished else [*"fg"])
    assert len(its.added["q2"]) == 7


@pytest.mark.parametrize(
    ("runs", "options", "what"),
    [
        (RUNS, {"strategy": "deph"}, "no pooling strategy 'deph'; did you mean 'depth'"),
        (RUNS, {"depth": 0}, "depth is 0"),
        (RUNS, {"budget": 0}, "budget is 0"),
        (RUNS, {"audit": -1}, "audit is -1"),
        (RUNS, {"until": 0}, "until is 0"),
        ({}, {}, "no run to pool from"),
    ],
)
def test_what_makes_no_sense_is_refused(runs, options, what):
    with pytest.raises(UsageError, match=what):
        build_pool(runs, **options)


RANKED = st.lists(st.sampled_from("abcdefghij"), unique=True)
RESULTS = st.dictionaries(
    st.sampled_from(["bm25", "dense", "rrf"]),
    st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), RANKED),
    min_size=1,
)
PRESENT = st.frozensets(
    st.tuples(st.sampled_from(["q1", "q2", "q4"]), st.sampled_from("abcz")), max_size=6
)
STRATEGY = st.sampled_from(sorted(STRATEGIES))
WITHOUT_AIM = st.sampled_from([name for name, one in STRATEGIES.items() if not one.has_aim])


@given(RESULTS, STRATEGY, st.integers(1, 6), st.integers(0, 5), PRESENT)
def test_new_pairs_were_retrieved_once_and_are_not_present(
    results, strategy, depth, audit, present
):
    pool = build_pool(results, strategy=strategy, depth=depth, audit=audit, present=present)
    found = pairs(pool)
    assert len(set(found)) == len(found)
    assert not set(found) & present
    for query_id, doc_id in found:
        assert any(doc_id in lists.get(query_id, ()) for lists in results.values())
    queries = [pair.query_id for pair in pool]
    assert queries == sorted(queries)


@given(RESULTS, st.integers(1, 6), PRESENT)
def test_a_depth_pool_and_what_is_present_cover_every_top(results, depth, present):
    covered = present | set(pairs(build_pool(results, depth=depth, present=present)))
    for lists in results.values():
        for query_id, ranked in lists.items():
            assert {(query_id, doc_id) for doc_id in ranked[:depth]} <= covered


@given(RESULTS, st.sampled_from(["depth", "rrf"]), st.integers(1, 5))
def test_a_deeper_pool_begins_with_the_shallower(results, strategy, depth):
    shallow = build_pool(results, strategy=strategy, depth=depth)
    deep = build_pool(results, strategy=strategy, depth=depth + 1)
    for query_id in ("q1", "q2", "q3"):
        top = docs(shallow, query_id)
        if strategy == "rrf":
            assert docs(deep, query_id)[: len(top)] == top
        else:
            assert set(docs(deep, query_id)[: len(top)]) == set(top)


@given(RESULTS, WITHOUT_AIM, st.integers(1, 25), PRESENT)
def test_budget_is_kept_and_used(results, strategy, budget, present):
    options = {"strategy": strategy, "depth": 3, "present": present, "audit": 0}
    pool = build_pool(results, budget=budget, **options)
    assert len(pool) <= max(0, budget - len(present))
    unlimited = build_pool(results, budget=1000, **options)
    assert len(pool) == min(len(unlimited), max(0, budget - len(present)))
    # As even as can be: no query has two more than one that still had documents to give.
    have = Counter(query_id for query_id, _ in present) + Counter(p.query_id for p in pool)
    new = Counter(p.query_id for p in pool)
    possible = Counter(p.query_id for p in unlimited)
    for poor in possible:
        if new[poor] < possible[poor]:
            assert all(have[rich] <= have[poor] + 1 for rich in new)


@given(RESULTS, STRATEGY, st.integers(0, 5), st.integers(), st.randoms())
def test_order_of_the_runs_does_not_matter(results, strategy, audit, seed, random):
    shuffled = {tag: results[tag] for tag in random.sample(sorted(results), len(results))}
    options = {"strategy": strategy, "depth": 2, "audit": audit, "seed": seed}
    assert build_pool(shuffled, **options) == build_pool(results, **options)
