"""Dealing: what nobody has, in equal parts, by whole queries; nothing that was given moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.pooling import assignment
from judge_tui.pooling.assignment import Hand, Plan, QueryPairs, check_judges, shared_pairs

NAMES = ("ann", "bob", "cy", "dee", "eve")


def queries(*sizes: int) -> list[QueryPairs]:
    found, key = [], 1
    for place, size in enumerate(sizes):
        found.append(QueryPairs(f"q{place}", place, range(key, key + size)))
        key += size
    return found


def plan_assignments(
    pooled: Sequence[QueryPairs], judges: Sequence[str], before: Mapping[str, Hand], **options: Any
) -> Plan:
    everybody = {**{name: Hand() for name in judges}, **before}
    return assignment.plan_assignments(pooled, judges, everybody, **options)


def hands(plan: Plan, touched: dict[str, set[int]] | None = None) -> dict[str, Hand]:
    """What everybody has once the plan was written, and decided what they `touched`."""
    return {
        name: Hand(
            pairs,
            plan.repeats[name],
            frozenset(done := (touched or {}).get(name, set()) & pairs.keys()),
            frozenset(),
            frozenset(done),
        )
        for name, pairs in plan.purposes.items()
    }


def loads(plan: Plan) -> list[int]:
    return [len(pairs) for pairs in plan.purposes.values()]


WISH = st.fixed_dictionaries(
    {
        "sizes": st.lists(st.integers(1, 12), min_size=1, max_size=15),
        "judges": st.integers(1, 5),
        "overlap": st.sampled_from([None, 0.0, 0.2, 0.5, 1.0]),
        "repeat": st.sampled_from([None, 0.0, 0.1, 0.5]),
        "gold": st.sets(st.integers(1, 6), max_size=3),
        "seed": st.integers(0, 9),
        "rebalance": st.booleans(),
    }
)


def planned(  # type: ignore[type-arg]
    wish: dict, before: dict[str, Hand] | None = None, sample: set[int] | None = None
) -> Plan:
    options = {name: wish[name] for name in ("overlap", "repeat", "seed", "rebalance")}
    if wish["judges"] == 1:
        options["overlap"] = None
    pooled = queries(*wish["sizes"])
    gold = wish["gold"] & {pair for query in pooled for pair in query.pairs}
    judges = NAMES[: wish["judges"]]
    return plan_assignments(
        pooled, judges, before or {}, gold=frozenset(gold), sample=sample, **options
    )


def pairs_of(wish: dict) -> set[int]:  # type: ignore[type-arg]
    return {pair for query in queries(*wish["sizes"]) for pair in query.pairs}


def some_touched(plan: Plan, data: st.DataObject) -> dict[str, set[int]]:
    return {
        name: data.draw(st.sets(st.sampled_from([*pairs]))) if pairs else set()
        for name, pairs in plan.purposes.items()
    }


@given(WISH, st.data())
def test_whatever_is_wished(wish: dict, data: st.DataObject) -> None:  # type: ignore[type-arg]
    """Every pair is somebody's, gold is everybody's and never repeated; again changes nothing,
    whatever was judged meanwhile; nothing touched moves, whoever comes or goes."""
    plan = planned(wish)
    everything = pairs_of(wish)
    gold = wish["gold"] & everything
    assert set().union(*plan.purposes.values()) == everything
    for name, pairs in plan.purposes.items():
        assert {pair for pair, what in pairs.items() if what == "gold"} == gold
        assert plan.repeats[name].keys() <= pairs.keys() - gold
        looks = len(pairs.keys() - gold)
        assert len(plan.repeats[name]) == round((wish["repeat"] or 0) * looks)
    touched = some_touched(plan, data)
    before = hands(plan, touched)
    assert planned(wish, before) == plan
    # The pool grows, and others judge: what was given stays, but to who left.
    later = wish | {"sizes": [size + 2 for size in wish["sizes"]], "judges": 3, "rebalance": False}
    pooled = queries(*later["sizes"])
    then = plan_assignments(pooled, NAMES[:3], before, seed=wish["seed"])
    for name, hand in before.items():
        kept = hand.purposes.keys() if name in NAMES[:3] else touched[name]
        assert kept <= then.purposes[name].keys()
    done = set().union(*(touched[name] for name in touched if name not in NAMES[:3]))
    held = set().union(*(then.purposes[name] for name in NAMES[:3]))
    assert {pair for query in pooled for pair in query.pairs} <= held | done


@given(WISH, st.data())
def test_a_sample_takes_the_place_of_what_is_open(wish: dict, data: st.DataObject) -> None:  # type: ignore[type-arg]
    """All of it is dealt, and nothing else that nobody has begun; again changes nothing; without a
    sample the rest is dealt as before."""
    before = planned(wish)
    touched = some_touched(before, data)
    everything = pairs_of(wish)
    sample = data.draw(st.sets(st.sampled_from([*everything])))
    plan = planned(wish, hands(before, touched), sample)
    for name, pairs in plan.purposes.items():
        assert touched[name] <= pairs.keys() <= touched[name] | sample | wish["gold"]
        assert plan.repeats[name].keys() <= pairs.keys() - wish["gold"]
    assert sample <= set().union(*plan.purposes.values())
    assert planned(wish, hands(plan, touched), sample).purposes == plan.purposes
    assert set().union(*planned(wish, hands(plan, touched)).purposes.values()) == everything


@given(st.lists(st.integers(1, 9), min_size=6, max_size=20), st.integers(2, 4), st.integers(0, 9))
def test_parts_are_equal_up_to_a_query_and_queries_stay_whole(
    sizes: list[int], count: int, seed: int
) -> None:
    judges = NAMES[:count]
    plan = plan_assignments(queries(*sizes), judges, {}, seed=seed)
    assert max(loads(plan)) - min(loads(plan)) <= max(sizes)
    fair = -(-sum(sizes) // count)
    for query in queries(*sizes):
        holders = {name for name in judges for pair in query.pairs if pair in plan.purposes[name]}
        assert len(holders) == 1 or len(query.pairs) > fair


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0])
def test_the_overlap_is_spread_over_all_pairs_of_judges(share: float) -> None:
    pooled = queries(*[5] * 60)
    plan = plan_assignments(pooled, NAMES[:4], {}, overlap=share)
    shared = shared_pairs(plan.purposes, frozenset())
    assert sum(shared.values()) == pytest.approx(300 * share, abs=5)
    assert max(shared.values()) - min(shared.values()) <= 10
    purposes = Counter(what for pairs in plan.purposes.values() for what in pairs.values())
    assert purposes == {"normal": 300, "overlap": sum(shared.values())}
    assert max(loads(plan)) - min(loads(plan)) <= 15


def test_an_overlap_keeps_parts_near_to_each_other_and_leaves_out_no_pair_of_judges() -> None:
    pooled = queries(*[10 + 17 * n % 50 for n in range(100)])
    for seed in range(10):
        plan = plan_assignments(pooled, NAMES, {}, overlap=0.3, seed=seed)
        assert max(loads(plan)) - min(loads(plan)) <= 0.05 * max(loads(plan))
        assert min(shared_pairs(plan.purposes, frozenset()).values()) > 0


def test_one_large_query_is_divided() -> None:
    plan = plan_assignments(queries(90), NAMES[:3], {})
    assert loads(plan) == [30, 30, 30]


def test_new_pairs_go_to_who_has_the_query_and_what_two_share_stays_shared() -> None:
    first = plan_assignments(queries(4, 4, 4, 4), NAMES[:2], {}, overlap=0.5)
    grown = [
        QueryPairs(query.query_id, query.query, [*query.pairs, 100 + query.query])
        for query in queries(4, 4, 4, 4)
    ]
    then = plan_assignments(grown, NAMES[:2], hands(first))
    for query in queries(4, 4, 4, 4):
        holders = [name for name in NAMES[:2] if query.pairs[0] in first.purposes[name]]
        assert [n for n in NAMES[:2] if 100 + query.query in then.purposes[n]] == holders
    assert shared_pairs(then.purposes, frozenset())["ann", "bob"] == 10


def test_who_comes_late_gets_what_is_new_and_by_rebalancing_a_fair_part() -> None:
    first = plan_assignments(queries(*[5] * 12), NAMES[:2], {})
    late = plan_assignments(queries(*[5] * 13), NAMES[:3], hands(first))
    assert len(late.purposes["cy"]) == 5
    touched = {"ann": {next(iter(first.purposes["ann"]))}}
    even = plan_assignments(queries(*[5] * 12), NAMES[:3], hands(first, touched), rebalance=True)
    assert loads(even) == [20, 20, 20]
    assert touched["ann"] <= even.purposes["ann"].keys()


def test_what_was_judged_before_the_first_assignment_stays_with_its_judge() -> None:
    mine = frozenset(range(1, 9))
    plan = plan_assignments(queries(*[5] * 6), NAMES[:2], {"ann": Hand(begun=mine, decided=mine)})
    assert mine <= plan.purposes["ann"].keys()
    assert loads(plan) == [15, 15]


def test_repeats_come_later_and_stay_where_they_are() -> None:
    pooled = queries(*[6] * 12)
    plan = plan_assignments(pooled, ["ann"], {}, repeat=0.2)
    place = {pair: query.query for query in pooled for pair in query.pairs}
    for pair, position in plan.repeats["ann"].items():
        assert position >= (min(place[pair] + 4, 11) << 32)
    # So many queries come again that each is worth reading again.
    visited = Counter(place[pair] for pair in plan.repeats["ann"])
    assert len(plan.repeats["ann"]) == 14
    assert min(visited.values()) >= 4 or len(visited) <= 3
    more = plan_assignments(pooled, ["ann"], hands(plan), repeat=0.4)
    assert plan.repeats["ann"].items() <= more.repeats["ann"].items()


@pytest.mark.parametrize(
    ("judges", "overlap"), [([], None), (["ann", "ann"], None), (["ann"], 0.1)]
)
def test_what_makes_no_sense_is_refused(judges: list[str], overlap: float | None) -> None:
    with pytest.raises(UsageError):
        check_judges(judges, overlap)
