"""Who judges what: equal parts, whole queries, an even overlap, and nothing touched ever moves."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.pooling.assignment import (
    Hand,
    Plan,
    QueryPairs,
    plan_assignments,
    shared_pairs,
)

NAMES = ["ann", "bob", "cy", "dee", "eve"]


def queries_of(sizes: list[int]) -> list[QueryPairs]:
    queries, key = [], 1
    for at, size in enumerate(sizes):
        queries.append(QueryPairs(f"q{at}", at + 1, list(range(key, key + size))))
        key += size
    return queries


def hands_of(plan: Plan, touched: dict[str, set[int]] | None = None) -> dict[str, Hand]:
    """The hands as the plan made them, after the judges graded what they have of `touched`."""
    hands = {}
    for name, pairs in plan.given.items():
        mine = (touched or {}).get(name, set()) & pairs.keys()
        hands[name] = Hand(pairs, plan.repeats[name], touched=mine, decided=mine)
    return hands


SIZES = st.lists(st.integers(1, 12), min_size=1, max_size=16)
JUDGES = st.integers(1, 5).map(lambda count: NAMES[:count])
SHARES = st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0])
REPEATS = st.sampled_from([0.0, 0.05, 0.2, 0.5])


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, object]:
    """Queries and what is wanted of them."""
    sizes = draw(SIZES)
    judges = draw(JUDGES)
    keys = st.integers(1, sum(sizes))
    return {
        "queries": queries_of(sizes),
        "judges": judges,
        "overlap": draw(SHARES) if len(judges) > 1 else 0.0,
        "repeat": draw(REPEATS),
        "gold": frozenset(draw(st.lists(keys, max_size=3))),
        "seed": draw(st.integers(0, 5)),
    }


def planned(wish: dict, hands: dict[str, Hand] | None = None, **other: object) -> Plan:
    wish = {**wish, **other}
    return plan_assignments(
        wish.pop("queries"), wish.pop("judges"), hands if hands is not None else {}, **wish
    )


def dealt_pairs(wish: dict) -> set[int]:
    return {pair for query in wish["queries"] for pair in query.pairs} - wish["gold"]


@settings(max_examples=200)
@given(wishes())
def test_every_pair_is_somebodys_and_about_the_wanted_share_two_peoples(wish):
    plan = planned(wish)
    pairs = dealt_pairs(wish)
    owners = Counter(pair for hand in plan.given.values() for pair in hand.keys() - wish["gold"])
    assert set(owners) == pairs
    assert max(owners.values(), default=1) <= 2
    shared = sum(count == 2 for count in owners.values())
    # By whole queries: as near as the last one brings it.
    largest = max((len(query.pairs) for query in wish["queries"]), default=0)
    assert abs(shared - wish["overlap"] * len(pairs)) <= largest
    normal = Counter(
        pair for hand in plan.given.values() for pair, what in hand.items() if what == "normal"
    )
    assert normal == Counter(pairs)
    for hand in plan.given.values():
        assert {pair for pair, what in hand.items() if what == "gold"} == wish["gold"]


@settings(max_examples=200)
@given(wishes())
def test_the_parts_are_equal_up_to_a_query(wish):
    wish |= {"overlap": 0.0}
    plan = planned(wish)
    counts = [len(hand) for hand in plan.given.values()]
    largest = max(len(query.pairs) for query in wish["queries"])
    # A judge's repeats are judged, too, and are counted in fractions before they are drawn.
    assert max(counts) - min(counts) <= largest


@settings(max_examples=200)
@given(wishes())
def test_queries_stay_whole_unless_larger_than_a_fair_share(wish):
    plan = planned(wish)
    total = len(dealt_pairs(wish))
    for query in wish["queries"]:
        pairs = set(query.pairs) - wish["gold"]
        if len(pairs) > total / len(wish["judges"]):
            continue
        hands = [hand.keys() & pairs for hand in plan.given.values()]
        assert all(hand in (set(), pairs) for hand in hands)


@settings(max_examples=100)
@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 9))
def test_the_overlap_is_spread_over_all_pairs_of_judges(judges, size, seed):
    twos = judges * (judges - 1) // 2
    queries = queries_of([size] * (4 * twos))
    plan = plan_assignments(queries, NAMES[:judges], {}, overlap=0.5, seed=seed)
    shares = shared_pairs(plan.given, frozenset())
    assert set(shares) == set(combinations(NAMES[:judges], 2))
    assert set(shares.values()) == {2 * size}


@settings(max_examples=200)
@given(wishes(), st.data())
def test_the_same_again_changes_nothing_whatever_was_judged_meanwhile(wish, data):
    plan = planned(wish)
    touched = {
        name: set(data.draw(st.lists(st.sampled_from(sorted(hand)), max_size=6)))
        for name, hand in plan.given.items()
        if hand
    }
    assert planned(wish, hands_of(plan)) == plan
    assert planned(wish, hands_of(plan, touched)).given == plan.given
    repeat = None if wish["repeat"] == 0 else wish["repeat"]
    kept = planned(wish, hands_of(plan), overlap=None, repeat=repeat)
    assert (kept.given, kept.repeats) == (plan.given, plan.repeats)


@settings(max_examples=300)
@given(wishes(), wishes(), st.data())
def test_nothing_touched_moves_whatever_is_wished_then(wish, then, data):
    plan = planned(wish)
    hands = {}
    for name, pairs in plan.given.items():
        mine = set(data.draw(st.lists(st.sampled_from(sorted(pairs) or [0]), max_size=8)))
        again = {p for p in plan.repeats[name] if data.draw(st.booleans())}
        hands[name] = Hand(
            pairs,
            plan.repeats[name],
            touched=mine & pairs.keys(),
            touched_again=again,
            decided={pair for pair in mine & pairs.keys() if pair % 3},
        )
    # The pool has grown: every query, and there are more.
    key = 10_000
    queries = []
    for at, query in enumerate(then["queries"]):
        more = range(key, key + len(query.pairs))
        key += len(query.pairs)
        old = wish["queries"][at].pairs if at < len(wish["queries"]) else []
        queries.append(QueryPairs(query.query_id, query.place, [*old, *more]))
    queries += wish["queries"][len(queries) :]
    after = planned(then, hands, queries=queries, gold=wish["gold"])
    for name, hand in hands.items():
        assert hand.touched <= after.given[name].keys()
        assert hand.touched_again <= after.repeats[name].keys()
        assert hand.touched_again <= after.given[name].keys()
        for pair in hand.touched_again:
            assert after.repeats[name][pair] == plan.repeats[name][pair]
        if name not in then["judges"]:
            assert after.given[name].keys() == hand.touched | hand.touched_again
    everybodys = Counter(pair for hand in after.given.values() for pair in hand)
    assert set(everybodys) == {pair for query in queries for pair in query.pairs} | wish["gold"]
    # What a judge who left has touched and not decided is somebody else's, too.
    for name in hands.keys() - set(then["judges"]):
        for pair in hands[name].touched - hands[name].decided:
            assert any(pair in after.given[other] for other in then["judges"])
    # And again, from there.
    known = {
        name: Hand(
            after.given[name],
            after.repeats[name],
            hands.get(name, Hand()).touched,
            hands.get(name, Hand()).touched_again,
            hands.get(name, Hand()).decided,
        )
        for name in after.given
    }
    assert planned(then, known, queries=queries, gold=wish["gold"]) == after


def test_without_a_share_as_much_is_repeated_and_shared_as_before():
    queries = queries_of([10] * 30)
    before = plan_assignments(queries, NAMES[:3], {}, overlap=0.3, repeat=0.1, seed=1)
    grown = [*queries, QueryPairs("new", 99, list(range(900, 910)))]
    assert [len(again) for again in before.repeats.values()] == [13, 13, 13]
    after = plan_assignments(grown, NAMES[:3], hands_of(before), seed=1)
    assert shared_pairs(after.given, frozenset()) == shared_pairs(before.given, frozenset())
    assert moved(before, after) == 0
    # One in ten of what came, and the others as they were.
    assert sorted(len(again) for again in after.repeats.values()) == [13, 13, 14]
    assert all(before.repeats[name].keys() <= after.repeats[name].keys() for name in NAMES[:3])


def test_without_a_share_who_comes_later_repeats_as_much_as_the_others():
    queries = queries_of([10] * 30)
    before = plan_assignments(queries, NAMES[:2], {}, repeat=0.1, seed=1)
    after = plan_assignments(queries, NAMES[:3], hands_of(before), seed=1)
    assert [len(hand) for hand in after.given.values()] == [100] * 3
    assert [len(again) for again in after.repeats.values()] == [10] * 3
    assert plan_assignments(queries, NAMES[:3], hands_of(after), seed=1) == after


def test_what_overlaps_is_repeated_as_well_and_gold_never():
    queries = queries_of([10] * 30)
    gold = frozenset(range(1, 301, 10))
    plan = plan_assignments(queries, NAMES[:2], {}, overlap=1, repeat=0.5, gold=gold, seed=1)
    for name, again in plan.repeats.items():
        purposes = Counter(plan.given[name][pair] for pair in again)
        assert purposes.total() == 135
        assert purposes.keys() == {"normal", "overlap"}
        assert min(purposes.values()) > 40


def moved(before: Plan, after: Plan) -> int:
    return sum(len(hand.keys() - after.given[name].keys()) for name, hand in before.given.items())


def test_a_judge_who_comes_later_gets_a_fair_part_and_the_others_keep_the_rest():
    queries = queries_of([10] * 60)
    before = plan_assignments(queries, NAMES[:3], {}, seed=1)
    after = plan_assignments(queries, NAMES[:4], hands_of(before), seed=1)
    assert [len(hand) for hand in after.given.values()] == [150] * 4
    assert moved(before, after) == 150


def test_a_grown_pool_moves_nothing_where_it_grew_evenly():
    before = plan_assignments(queries_of([10] * 12), NAMES[:3], {}, overlap=0.5, seed=1)
    queries = [
        QueryPairs(q.query_id, q.place, [*q.pairs, *range(1000 + 9 * at, 1009 + 9 * at)])
        for at, q in enumerate(queries_of([10] * 12))
    ]
    after = plan_assignments(queries, NAMES[:3], hands_of(before), overlap=0.5, seed=1)
    assert moved(before, after) == 0
    for query in queries:
        hands = [hand.keys() & set(query.pairs) for hand in after.given.values()]
        assert all(len(hand) in (0, 19) for hand in hands)


def test_more_overlap_takes_no_pair_from_anybody():
    queries = queries_of([10] * 40)
    before = plan_assignments(queries, NAMES[:4], {}, overlap=0.1, seed=2)
    after = plan_assignments(queries, NAMES[:4], hands_of(before), overlap=0.4, seed=2)
    assert moved(before, after) <= 20
    assert sum(shared_pairs(after.given, frozenset()).values()) == 160


def test_what_a_judge_who_left_did_not_decide_is_dealt_to_the_others():
    queries = queries_of([10] * 12)
    before = plan_assignments(queries, NAMES[:3], {}, seed=1)
    done = {"ann": set(sorted(before.given["ann"])[:15])}
    after = plan_assignments(queries, NAMES[1:3], hands_of(before, done), seed=1)
    assert after.given["ann"].keys() == done["ann"]
    assert after.given["bob"].keys() | after.given["cy"].keys() == set(range(1, 121)) - done["ann"]
    assert after.given["bob"].keys() >= before.given["bob"].keys()
    assert abs(len(after.given["bob"]) - len(after.given["cy"])) <= 10


def test_what_was_judged_before_counts():
    """ann has judged half of the pool alone; the others catch up."""
    queries = queries_of([10] * 20)
    done = set(range(1, 101))
    hands = {"ann": Hand(touched=done, decided=done)}
    plan = plan_assignments(queries, NAMES[:2], hands, seed=1)
    assert plan.given["ann"].keys() == done
    assert plan.given["bob"].keys() == set(range(101, 201))


def test_the_rest_of_a_query_goes_to_who_began_it():
    queries = queries_of([10] * 6)
    hands = {"bob": Hand(touched={1, 2, 3}, decided={1, 2, 3})}
    plan = plan_assignments(queries, NAMES[:2], hands, seed=1)
    assert plan.given["bob"].keys() >= set(range(1, 11))


def test_one_query_for_all_is_divided_and_its_overlap_is_between_every_two():
    plan = plan_assignments(queries_of([1000]), NAMES[:4], {}, overlap=0.3, seed=7)
    assert [len(hand) for hand in plan.given.values()] == [325] * 4
    assert set(shared_pairs(plan.given, frozenset()).values()) == {50}
    # Not the top for one and the bottom for another.
    for hand in plan.given.values():
        assert 400 < sum(hand) / len(hand) < 600


@settings(max_examples=150)
@given(wishes())
def test_repeats_are_the_wanted_share_of_first_looks_and_come_later(wish):
    plan = planned(wish)
    query_of = {pair: query for query in wish["queries"] for pair in query.pairs}
    for name, hand in plan.given.items():
        looks = hand.keys() - wish["gold"]
        repeats = plan.repeats[name]
        assert repeats.keys() <= looks
        assert len(repeats) == round(wish["repeat"] * len(looks))
        places = sorted({query_of[pair].place for pair in hand})
        for pair, position in repeats.items():
            behind, own = divmod(position, 1 << 32)
            assert own == query_of[pair].place + 1
            later = sum(query_of[pair].place < place <= behind for place in places)
            room = len(places) - 1 - places.index(query_of[pair].place)
            assert later >= min(room, len(places) // 3)


def test_repeats_are_spread_over_the_later_part():
    plan = plan_assignments(queries_of([10] * 60), ["ann"], {}, repeat=0.1, seed=3)
    behind = Counter(position >> 32 for position in plan.repeats["ann"].values())
    assert len(plan.repeats["ann"]) == 60
    assert {count % 5 for count in behind.values()} == {0}
    assert min(behind) > 20
    assert len(behind) > 8


def test_a_repeat_moves_where_what_stood_between_is_gone():
    queries = queries_of([10] * 30)
    before = plan_assignments(queries, ["ann"], {}, repeat=0.2, seed=3)
    after = plan_assignments(queries, NAMES[:3], hands_of(before), repeat=0.2, seed=3)
    place_of = {pair: query.place for query in queries for pair in query.pairs}
    places = sorted({place_of[pair] for pair in after.given["ann"]})
    assert len(places) == 10
    for pair, position in after.repeats["ann"].items():
        between = [place for place in places if place_of[pair] < place <= position >> 32]
        assert len(between) >= min(3, sum(place > place_of[pair] for place in places))


def test_a_repeat_never_stands_before_what_is_begun():
    queries = queries_of([10] * 30)
    first = plan_assignments(queries, ["ann"], {}, seed=3)
    touched = {"ann": set(range(1, 245))}
    plan = plan_assignments(queries, ["ann"], hands_of(first, touched), repeat=0.2, seed=3)
    assert min(position >> 32 for position in plan.repeats["ann"].values()) >= 25


def test_who_shares_with_nobody_is_said():
    plan = plan_assignments(queries_of([10] * 4), NAMES[:4], {}, overlap=0.25, seed=1)
    assert plan.warnings == (
        "5 of 6 pairs of judges have no pairs in common (ann and cy and 4 more): a greater"
        " overlap, up to 1, would give 3 of them some",
    )
    # That is how many it gives some.
    more = plan_assignments(queries_of([10] * 4), NAMES[:4], hands_of(plan), overlap=1, seed=1)
    assert more.warnings == (
        "2 of 6 pairs of judges have no pairs in common (ann and cy and 1 more)",
    )
    assert plan_assignments(queries_of([10] * 4), NAMES[:4], {}, seed=1).warnings == ()


def test_who_shares_the_gold_pairs_only_is_said_to_share_those():
    plan = plan_assignments(queries_of([10] * 4), NAMES[:4], {}, overlap=0.25, gold={1}, seed=1)
    assert all(plan.given[name][1] == "gold" for name in NAMES[:4])
    assert " pairs of judges have no pairs in common but the gold ones (" in plan.warnings[0]


@pytest.mark.parametrize("overlap", [None, 0.5, 1])
def test_no_overlap_is_recommended_that_gives_nothing(overlap):
    queries = queries_of([10] * 4)
    everything = dict.fromkeys(range(1, 41), "normal")
    hands = {
        "ann": Hand(everything, touched=frozenset(everything)),
        "bob": Hand(dict.fromkeys(everything, "overlap"), touched=frozenset(everything)),
    }
    # Two have judged all there is: nothing is left that the third could share.
    plan = plan_assignments(queries, NAMES[:3], hands, overlap=overlap, seed=1)
    assert plan.given[NAMES[2]] == {}
    assert plan.warnings == (
        f"2 of 3 pairs of judges have no pairs in common (ann and {NAMES[2]} and 1 more)",
    )


@pytest.mark.parametrize(
    ("judges", "options", "said"),
    [
        ([], {}, "there is no judge"),
        (["a", "b", "a"], {}, "judge 'a' is named twice"),
        (["a", "b"], {"overlap": 1.1}, "overlap of 1.1"),
        (["a", "b"], {"overlap": float("nan")}, "overlap of nan"),
        (["a", "b"], {"repeat": 0.6}, "0.6 to repeat"),
        (["a"], {"overlap": 0.3}, "takes two judges"),
    ],
)
def test_what_makes_no_sense_is_refused(judges, options, said):
    with pytest.raises(UsageError, match=said):
        plan_assignments(queries_of([3]), judges, {}, **options)


def test_the_same_plan_in_every_process():
    code = (
        "from judge_tui.pooling.assignment import QueryPairs, plan_assignments;"
        "queries = [QueryPairs(f'q{n}', n, list(range(9 * n, 9 * n + 9))) for n in range(20)];"
        "plan = plan_assignments(queries, ['x', 'y', 'z'], {}, overlap=.4, repeat=.2, seed=5);"
        "print({j: sorted(h.items()) for j, h in plan.given.items()});"
        "print({j: sorted(h.items()) for j, h in plan.repeats.items()})"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4711")
    }
    assert len(printed) == 1


def test_all_pairs_shared_are_all_pairs_to_the_last():
    """However small the query that came on top of it."""
    before = queries_of([6, 6])
    hands = hands_of(plan_assignments(before, ["ann", "bob"], {}, overlap=1))
    grown = [*before, QueryPairs("q8", 8, range(800, 804)), QueryPairs("q9", 9, [900])]
    for overlap in (1, None):
        plan = plan_assignments(grown, ["ann", "bob"], hands, overlap=overlap)
        assert {len(pairs) for pairs in plan.given.values()} == {17}
        again = plan_assignments(grown, ["ann", "bob"], hands_of(plan), overlap=overlap)
        assert again.given == plan.given
    none = plan_assignments(grown, ["ann", "bob"], hands_of(plan), overlap=0)
    assert not none.given["ann"].keys() & none.given["bob"].keys()
