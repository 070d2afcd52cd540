"""What assigning is made of: blocks and which of them are doubled, and hidden repeats."""

from __future__ import annotations

import pytest

from judge_tui.pooling.blocks import FORMER, Block, choose_doubled, common_part, cut_into_blocks
from judge_tui.pooling.dealing import deal
from judge_tui.pooling.repeats import Visit, first_visit_position, plan_repeats

FAR = 9 << 32
"""Behind all visits."""


def cut(pairs, held=({}, {}, {}), done=None, *, fair=34, overlap=0.0):
    return cut_into_blocks([("q", 0, pairs)], held, done or {}, fair=fair, overlap=overlap, seed=1)


@pytest.mark.parametrize(
    ("overlap", "shared"), [(0.0, []), (0.04, [4]), (0.09, [9]), (0.1, [5, 5]), (0.3, [10] * 3)]
)
def test_a_large_query_is_shared_in_pieces_that_are_worth_reading_it(overlap, shared):
    blocks = cut(list(range(100)), overlap=overlap)
    assert [len(block.pairs) for block in blocks if block.shared] == shared
    # As many parts as there are judges, who are to have equal ones.
    assert len([block for block in blocks if not block.shared]) == 3
    assert sorted(pair for block in blocks for pair in block.pairs) == list(range(100))


def test_what_is_given_out_of_a_large_query_is_cut_finer():
    assert common_part(80) == 10
    assert common_part(16) == 5
    assert common_part(3) == 3
    held = (dict.fromkeys(range(60), "normal"), dict.fromkeys(range(60, 100), "normal"), {})
    done = {pair: [0] for pair in range(20)}
    blocks = cut(list(range(100)), held, done)
    sizes = [(block.holders, len(block.pairs), block.untouched) for block in blocks]
    # What is begun stands apart.
    assert {size for size in sizes if size[0] == (1,)} == {((1,), 5, 5)}
    assert {size for size in sizes if size[0] == (0,)} == {((0,), 5, 0), ((0,), 5, 5)}


def test_a_block_is_shared_where_most_of_it_is():
    ann = dict.fromkeys(range(10), "normal")
    for both, shared in ((4, False), (5, False), (6, True), (10, True)):
        (block,) = cut(list(range(10)), (ann, dict.fromkeys(range(both), "overlap"), {}))
        assert block.shared == shared
    # What two have judged is shared for good, and says nothing of the rest.
    bob = dict.fromkeys(range(8), "overlap")
    (block,) = cut(list(range(10)), (ann, bob, {}), {pair: [0, 1] for pair in range(7)})
    assert not block.shared
    assert (block.untouched, block.once.total(), block.twice[0, 1]) == (3, 0, 7)
    (block,) = cut(list(range(10)), (ann, bob, {}), {pair: [0] for pair in range(7)})
    assert block.shared
    assert (block.untouched, block.once[0], block.gain) == (3, 7, 10)


def test_the_holders_of_a_block_come_in_the_order_of_what_they_have():
    held = (
        dict.fromkeys(range(4), "overlap"),
        dict.fromkeys(range(4), "normal"),
        dict.fromkeys(range(5), "overlap"),
    )
    (block,) = cut(list(range(10)), held, {0: [0, FORMER], 1: [FORMER]})
    assert block.holders == (2, 1, 0)
    assert block.started == {0}


def blocks_of(*sizes, shared=()):
    return [
        Block(f"q{at}", at, list(range(100 * at, 100 * at + size)), size, shared=at in shared)
        for at, size in enumerate(sizes)
    ]


def test_what_is_shared_already_stays_so_and_gold_comes_next():
    doubled = []
    for wanted in (0, 10, 20, 30, 40):
        blocks = blocks_of(*[10] * 8, shared={2, 5})
        choose_doubled(blocks, wanted, 1, frozenset({"q7"}))
        doubled.append({block.query_id for block in blocks if block.doubled})
    assert [len(chosen) for chosen in doubled] == [0, 1, 2, 3, 4]
    assert doubled[1] < {"q2", "q5"} == doubled[2]
    assert doubled[3] == {"q2", "q5", "q7"} < doubled[4]


def test_a_block_that_is_begun_is_no_sooner_given_up():
    """Two of ten pairs are left, and the block counts as ten: it does not pay to give it up."""
    block = Block("q", 0, list(range(10)), 2, shared=True)
    block.twice[0, 1] = 8
    choose_doubled([block], 6, 1)
    assert block.doubled


def test_dealing_comes_to_an_end_and_is_equal():
    """Whatever the sizes, and whatever somebody has already."""
    for sizes in ([1] * 7, [9, 9, 1, 1, 1], [5, 4, 3, 2, 1] * 6, [60, 1, 1]):
        blocks = blocks_of(*sizes)
        for block in blocks:
            block.holders = (0,)
        deal(blocks, [(0, 0), (1, 1), (0, 0)], 1)
        parts = [0, 1, 0]
        for block in blocks:
            parts[block.owners[0]] += len(block.pairs)
        assert max(parts) - min(parts) <= max(sizes)


def begun(block, judge, pairs):
    """The judge has judged so many pairs of the block."""
    block.untouched -= pairs
    block.once[judge] = pairs
    block.started = frozenset([judge])
    block.holders = (judge,)
    return block


def test_what_is_begun_moves_only_where_nothing_else_can():
    large, *small = blocks_of(12, 4, 4)
    begun(large, 0, 2)
    for block in small:
        block.holders = (0,)
    # With the large one the parts would be equal at once.
    deal([large, *small], [(2, 2), (0, 0)], 1)
    assert large.owners == (0,)
    assert [block.owners for block in small] == [(1,), (1,)]
    one, other = (begun(block, 0, 1) for block in blocks_of(10, 10))
    deal([one, other], [(2, 2), (0, 0)], 1)
    assert {one.owners, other.owners} == {(0,), (1,)}


def test_doubled_blocks_are_dealt_by_what_the_two_have_besides():
    blocks = blocks_of(10)
    blocks[0].doubled = True
    deal(blocks, [(50, 50), (0, 0), (20, 20), (30, 30)], 1)
    assert set(blocks[0].owners) == {1, 2}
    # The normal work is the one's who has less.
    assert blocks[0].owners[0] == 1


def test_who_has_a_block_keeps_it_as_normal_work():
    for holder, other in ((0, 1), (1, 0)):
        blocks = blocks_of(10)
        blocks[0].doubled = True
        blocks[0].holders = (holder,)
        loads = [(5, 5), (5, 5)]
        loads[holder] = (90, 90)
        deal(blocks, loads, 1)
        assert blocks[0].owners == (holder, other)


def test_of_equal_parts_the_one_with_less_normal_work_gets_it():
    blocks = blocks_of(10)
    blocks[0].doubled = True
    deal(blocks, [(30, 50), (20, 50)], 1)
    assert blocks[0].owners == (1, 0)


def visits_of(repeats, touched=()):
    """Nine visits of two pairs each; `repeats`: place -> pair -> position."""
    return [
        Visit(f"q{at}", at, (2 * at, 2 * at + 1), at in touched, repeats.get(at, {}))
        for at in range(9)
    ]


def test_a_repeat_stays_where_it_stands():
    first = plan_repeats(visits_of({}), "ann", 6, seed=4)
    assert len(first) == 6
    repeats = {}
    for pair, position in first.items():
        repeats.setdefault(pair // 2, {})[pair] = position
    # Whatever is begun meanwhile, and also where it would be drawn to another place.
    for touched in ((), (0, 1), range(9)):
        assert plan_repeats(visits_of(repeats, touched), "ann", 6, seed=4) == first
    assert plan_repeats(visits_of({0: {0: FAR}}), "ann", 1, seed=4) == {0: FAR}
    assert plan_repeats(visits_of({0: {0: FAR}}), "ann", 1, seed=5) == {0: FAR}


def test_a_repeat_moves_from_where_it_stands_too_early():
    third = first_visit_position(3)
    for position, stays in ((third - 1, False), (third, False), (third + 1, True)):
        planned = plan_repeats(visits_of({0: {0: position}}), "ann", 1, seed=4)
        assert (planned == {0: position}) == stays
        assert planned[0] > third


def test_a_repeat_that_is_begun_stays_even_where_it_stands_too_early():
    visits = visits_of({0: {0: 77, 1: FAR}})
    assert plan_repeats(visits, "ann", 1, keep={0}, seed=4) == {0: 77}
    # The others of the visit come with it.
    assert plan_repeats(visits, "ann", 2, keep={0}, seed=4) == {0: 77, 1: 77}
    assert plan_repeats(visits, "ann", 0, keep={0}, seed=4) == {0: 77}


def test_the_repeats_of_a_visit_stand_together_where_the_first_of_them_does():
    visits = visits_of({0: {0: FAR, 1: FAR - 5}})
    assert plan_repeats(visits, "ann", 2, seed=4) == {0: FAR - 5, 1: FAR - 5}


def test_no_more_is_repeated_than_is_wanted():
    visits = visits_of({0: {0: FAR, 1: FAR}, 1: {2: FAR}})
    planned = plan_repeats(visits, "ann", 2, seed=4)
    assert len(planned) == 2
    assert planned.keys() < {0, 1, 2}
