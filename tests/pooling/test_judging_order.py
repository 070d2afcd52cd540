"""In which order a judge meets the pairs."""

from hashlib import blake2b

from hypothesis import given, settings
from hypothesis import strategies as st

from judge_tui.pooling import judging_order

PAIRS = [(query, f"d{n}") for query in ("q2", "q1") for n in range(30)]


def test_queries_stay_together_in_the_order_they_came():
    order = judging_order(PAIRS, 1, "anna")
    assert [query for query, _ in order] == ["q2"] * 30 + ["q1"] * 30
    assert sorted(order) == sorted(PAIRS)
    mixed = judging_order(sorted(PAIRS, key=lambda pair: pair[1]), 1, "anna")
    assert mixed == order


def test_every_judge_and_every_seed_has_an_own_order():
    orders = [
        judging_order(PAIRS, seed, judge) for seed in (1, 2, -1) for judge in ("anna", "bert")
    ]
    assert len({tuple(order) for order in orders}) == 6
    # Not the same documents first in both queries, either.
    first = [doc for query, doc in orders[0] if query == "q1"]
    assert first != [doc for query, doc in orders[0] if query == "q2"]
    assert judging_order(PAIRS, 1, "anna") == orders[0]


def test_the_order_is_that_of_a_keyed_blake2b_and_so_the_same_everywhere():
    # The documented encoding, spelled out here: RFC 7693 fixes the rest.
    key = blake2b(b"1:7" + b"7:judging" + "4:Zoë!".encode(), digest_size=32).digest()

    def place(pair):
        query, doc = pair
        text = f"{len(query)}:{query}{len(doc)}:{doc}".encode()
        return blake2b(text, digest_size=16, key=key).digest()

    pairs = [("q", f"doc {n} ü") for n in range(50)]
    assert judging_order(pairs, 7, "Zoë!") == sorted(pairs, key=place)


def test_where_one_id_ends_and_the_next_begins_matters():
    # Without lengths, ("ab", "c") and ("a", "bc") would share a place, as would judges "1" of seed
    # 1 and "" of seed 11.
    pairs = [("q", str(n)) for n in range(50)]
    assert judging_order(pairs, 1, "1") != judging_order(pairs, 11, "")


IDS = st.text(max_size=4)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("pq"), IDS), unique=True),
    st.tuples(st.sampled_from("pqr"), IDS),
    st.integers(),
    IDS,
)
def test_a_pair_added_later_never_reorders_the_others(pairs, late, seed, judge):
    before = judging_order(pairs, seed, judge)
    after = judging_order([*pairs, late], seed, judge)
    assert [pair for pair in after if pair != late] == [pair for pair in before if pair != late]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.just("q"), IDS), unique=True), st.randoms())
def test_order_within_a_query_does_not_depend_on_how_the_pairs_came(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    assert judging_order(shuffled, 5, "anna") == judging_order(pairs, 5, "anna")


def test_ids_that_are_no_valid_text_still_have_a_place():
    assert judging_order([("q", "\ud800")], 1, "a") == [("q", "\ud800")]
