"""In which order a judge meets the pairs."""

import os
import subprocess
import sys
from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from judge_tui.pooling.order import judging_order

DOCS = [f"d{n}" for n in range(30)]


def met(query_id, doc_ids, seed, judge, **turn):
    order = judging_order(query_id, doc_ids, seed, judge, **turn)
    assert sorted(order) == list(range(len(doc_ids)))
    return [doc_ids[place] for place in order]


def test_every_judge_every_seed_every_query_and_every_turn_has_an_own_order():
    orders = [
        met(query, DOCS, seed, judge, turn=turn)
        for query in ("q1", "q2")
        for seed in (1, 2, -1)
        for judge in ("anna", "bert")
        for turn in (0, 1)
    ]
    assert len({tuple(order) for order in orders}) == 24
    assert met("q1", DOCS, 1, "anna") == orders[0]


def test_the_order_is_that_of_a_keyed_blake2b_and_so_the_same_everywhere():
    # The documented encoding, spelled out here: RFC 7693 fixes the rest.
    key = blake2b(b"1:7" + b"7:judging" + "4:Zoë!".encode(), digest_size=32).digest()

    def place(doc):
        return blake2b(f"1:q{len(doc)}:{doc}".encode(), digest_size=16, key=key).digest()

    docs = [f"doc {n} ü" for n in range(50)]
    assert met("q", docs, 7, "Zoë!") == sorted(docs, key=place)


IDS = st.text(max_size=4)


@given(st.lists(IDS, unique=True), IDS, st.integers(), IDS, st.sampled_from([0, 1]))
def test_a_document_added_later_never_reorders_the_others(docs, late, seed, judge, turn):
    before = met("q", docs, seed, judge, turn=turn)
    after = met("q", [*docs, late], seed, judge, turn=turn)
    assert [doc for doc in after if doc != late] == [doc for doc in before if doc != late]


@given(st.lists(IDS, unique=True), st.randoms())
def test_the_order_does_not_depend_on_how_the_documents_came(docs, random):
    shuffled = random.sample(docs, len(docs))
    assert met("q", shuffled, 5, "anna") == met("q", docs, 5, "anna")


def test_ids_that_are_no_valid_text_still_have_a_place():
    assert judging_order("q", ["\ud800"], 1, "a") == [0]


_EVERYTHING_DRAWN = """
import numpy as np
from judge_tui.pooling.assignment import Hand, QueryPairs, plan_assignments
from judge_tui.pooling.order import judging_order
from judge_tui.pooling.pool import Pool, build_pool
from judge_tui.pooling.strategies import STRATEGIES
from judge_tui.pooling.strategy import Aim

runs = {t: {q: [f"d{(n * k) % 41}" for n in range(1, 20)] for q in ("q1", "q2")}
        for k, t in enumerate("abc", 2)}
aim = Aim(np.array([1.0, 0.5]), float)
for strategy in STRATEGIES:
    print(build_pool(runs, Pool(), strategy=strategy, depth=4, budget=9, audit=5, seed=3, aim=aim))
print(judging_order("q1", [f"d{n}" for n in range(41)], 3, "ann"))
queries = [QueryPairs(f"q{n}", n, range(9 * n, 9 * n + 9)) for n in range(20)]
hands = {name: Hand() for name in ("ann", "bob", "cy")}
print(plan_assignments(queries, [*hands], hands, overlap=0.4, repeat=0.2, seed=3))
"""


def test_what_is_drawn_is_the_same_in_every_process():
    printed = {
        subprocess.run(
            [sys.executable, "-c", _EVERYTHING_DRAWN],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "4711")
    }
    assert len(printed) == 1
