"""What is given out already: what is wanted of it, and how far it is from that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.pooling.hands import Hand, QueryPairs
from judge_tui.pooling.standing import Task, shared_now, shortfall, task_of

NAMES = ["ann", "bob", "cy"]


def queries_of(*sizes: int) -> list[QueryPairs]:
    return [
        QueryPairs(f"q{at}", at, list(range(100 * at, 100 * at + size)))
        for at, size in enumerate(sizes)
    ]


TENS = queries_of(*[10] * 60)


def tens(*places: int) -> list[int]:
    return [pair for at in places for pair in TENS[at].pairs]


def has(*places: int, done: tuple[int, ...] = ()) -> Hand:
    """The queries of TENS that were given to a judge, and those that the judge has judged."""
    judged = frozenset(tens(*done))
    return Hand(dict.fromkeys(tens(*places), "normal"), touched=judged, decided=judged)


def task(judges: int = 3, hands: dict[str, Hand] | None = None) -> Task:
    return task_of(TENS, NAMES[:judges], hands or {}, frozenset())


def test_a_common_query_is_the_middle_one_and_large_ones_are_divided():
    assert task_of(queries_of(1, 9, 8, 30, 5), ["a"], {}, frozenset()).step == 8
    # Of 160 pairs for two judges, 100 in one query are dealt in tens.
    assert task_of(queries_of(100, 30, 30), ["a", "b"], {}, frozenset()).step == 30
    assert task_of(queries_of(160), ["a", "b"], {}, frozenset()).step == 10
    assert task_of(queries_of(), ["a", "b"], {}, frozenset()).step == 0


def test_gold_pairs_are_no_part_of_what_is_dealt():
    gold = frozenset([0, 1, 500])
    hand = Hand(touched=frozenset([0, 2]), decided=frozenset([0, 2]))
    dealt = task_of(TENS, ["ann"], {"ann": hand, "bob": hand}, gold)
    assert (dealt.total, dealt.with_gold, dealt.formers) == (597, {"q0", "q5"}, 1)
    assert dealt.done == {2: [0, -1]}
    assert dealt.queries[0] == ("q0", 0, [2, 3, 4, 5, 6, 7, 8, 9])


def test_what_two_share_for_good_beyond_their_part_does_not_count():
    """180 of 600 pairs for three pairs of judges: sixty for each."""
    for kept, more in ((0, 0), (6, 0), (7, 0), (8, 20), (18, 120)):
        hand = has(*range(20), done=tuple(range(kept)))
        mine = task(3, {"ann": hand, "bob": hand})
        assert mine.kept[0, 1] == 10 * kept
        assert mine.each(180) == 60
        assert mine.to_share(180) == 180 + more


def test_those_who_left_had_their_part():
    hand = has(*range(18), done=tuple(range(18)))
    mine = task_of(TENS, ["bob", "cy"], {"ann": hand, "bob": hand}, frozenset())
    # ann with bob, ann with cy, bob with cy.
    assert mine.each(180) == 60
    assert mine.to_share(180) == 180 + (180 - 2 * 60)
    assert mine.to_share(300) == 300


@given(st.integers(0, 60), st.integers(0, 60), st.integers(2, 3), st.integers(0, 600))
def test_what_was_wanted_is_told_from_what_is_shared(one, other, judges, wanted):
    hands = {
        "ann": has(*range(60), done=tuple(range(one))),
        "bob": has(*range(60), done=tuple(range(other))),
    }
    mine = task(judges, hands)
    shared = mine.to_share(wanted)
    found = mine.wanted_where(shared)
    # What is beyond a part counts from a common query on: there one number stands for several.
    assert mine.to_share(found) <= shared
    assert found >= wanted or mine.to_share(found) == shared


def test_as_many_as_now_is_what_was_wanted_before_somebody_came_late():
    both = tuple(range(18))
    ann = has(*range(39), done=both)
    bob = has(*both, *range(39, 60), done=both)
    assert shared_now(task(2), TENS, {"ann": ann, "bob": bob}) == 180
    hands = {"ann": ann, "bob": bob}
    assert shared_now(task(3, hands), TENS, hands) == 180
    # cy has come, and shares sixty with each of them: three hundred are shared, 180 were wanted.
    hands["cy"] = has(*range(20, 26), *range(40, 46))
    assert shared_now(task(3, hands), TENS, hands) == 180
    # Who leaves is counted as long as their undecided pairs are not dealt.
    hands = {"ann": ann, "bob": bob, "cy": has(*range(20, 23))}
    leaving = task_of(TENS, ["ann", "bob"], hands, frozenset())
    assert shared_now(leaving, TENS, {**hands, "ann": has(*range(39)), "bob": has(*both)}) == 210
    assert shared_now(leaving, TENS, {}) == 0
    # Who has left shares what they decided, and not what they only looked at.
    left = has(*both, done=both)
    assert shared_now(leaving, TENS, {"bob": bob, "dee": left}) == 180
    looked = replace(left, decided=frozenset())
    assert shared_now(leaving, TENS, {"bob": bob, "dee": looked}) == 0


@pytest.mark.parametrize(
    ("ann", "bob", "wanted", "short"),
    [
        # Halves, and nothing shared: as it should be, up to a query.
        (range(30), range(30, 60), 0, 0),
        (range(30), range(30, 60), 10, 0),
        # Thirty wanted and none there: twenty too few beyond a query, in all and between the two.
        (range(30), range(30, 60), 30, 4 * (20 + 20)),
        # Sixty there and none wanted: none is meant to the last pair, each counts as a query.
        (range(33), range(27, 60), 0, 4 * 60 * 10),
        # All but ten there and all wanted.
        (range(60), range(59), 600, 4 * 10 * 10),
        # 250 and 350 pairs: each of them is fifty off the mean, forty-five beyond half a query.
        (range(25), range(25, 60), 0, 4 * 2 * 45),
    ],
)
def test_what_falls_short_is_counted_beyond_a_common_query(ann, bob, wanted, short):
    hands = {"ann": has(*ann), "bob": has(*bob)}
    mine = task(2, hands)
    assert mine.worth_dealing == 4 * 5
    assert shortfall(mine, hands, wanted) == short


def test_what_is_shared_with_those_who_left_is_shared():
    hands = {"ann": has(*range(10), done=tuple(range(10))), "bob": has(*range(60))}
    mine = task_of(TENS, ["bob"], hands, frozenset())
    assert shortfall(mine, hands, 100) == 0
    undecided = {**hands, "ann": replace(hands["ann"], decided=frozenset())}
    mine = task_of(TENS, ["bob"], undecided, frozenset())
    assert shortfall(mine, undecided, 100) == 2 * 90
