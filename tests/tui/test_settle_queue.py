"""The queue of Settle by itself: its order, its filters, the letters of judges, and confusion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from judge_tui.analysis.judge_influence import Effects
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.overview.disagreements import OrderedCases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.queries import QueryName
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens.confusion import agreement_words, confusion_counts
from judge_tui.tui.screens.letters import Letters
from judge_tui.tui.screens.settle_queue import (
    SettleQueue,
    filters_of,
    of_query,
)

ANN, BOB, CYD = (
    Judge(key, name, "judge", "human") for key, name in ((4, "ann"), (2, "bob"), (9, "cyd"))
)
QUERIES = {
    1: QueryName("q1", "read a file", "how-to"),
    2: QueryName("q2", "sort lists", ""),
    3: QueryName("q3", "write a file", "how-to"),
}

CALLED = {ANN.key: "A", BOB.key: "B", CYD.key: "C"}

# pair -> query, and what ann, bob and cyd did
ROWS: Mapping[int, tuple[int, tuple[int, int, int]]] = {
    10: (1, (0, 1, NOT_DECIDED)),
    11: (1, (0, 3, 0)),
    12: (2, (2, 2, 2)),
    13: (2, (CANNOT, 1, SKIPPED)),
    14: (3, (1, 1, 3)),
    15: (3, (0, 1, 2)),
}


def cases_of(rows: Mapping[int, tuple[int, tuple[int, int, int]]] = ROWS, **settled: int) -> Cases:
    """`settled`: by the pair, as p10=1."""
    pairs = sorted(rows)
    grades = np.array([rows[pair][1] for pair in pairs], dtype=np.int8)
    return Cases(
        judges=(ANN, BOB, CYD),
        pairs=np.array(pairs, dtype=np.int64),
        queries=np.array([rows[pair][0] for pair in pairs], dtype=np.int64),
        documents=np.array([100 + pair for pair in pairs], dtype=np.int64),
        grades=grades,
        settled=np.array([settled.get(f"p{one}", NOT_DECIDED) for one in pairs], dtype=np.int8),
        flagged=np.isin(pairs, [12]),
        noted=np.isin(pairs, [11, 13]),
        sides=grades,
    )


def pairs_of(queue: SettleQueue) -> list[int]:
    return [queue.pair(place) for place in range(len(queue))]


def column(queue: SettleQueue, values: Any) -> list[float]:
    found: list[float] = values[queue.rows].tolist()
    return found


def ordered(found: Cases, weights: Mapping[int, tuple[int, float]] | None = None) -> OrderedCases:
    """`weights`: pair -> swaps and change, 0 of others."""
    places = np.flatnonzero(found.disputed)
    if weights is None:
        by_spread = np.argsort(-found.spread[places], kind="stable")
        return OrderedCases(found, places[by_spread], None, "why")
    swaps, change = zip(
        *(weights.get(pair, (0, 0.0)) for pair in found.pairs[places].tolist()), strict=True
    )
    effects = Effects(np.array(swaps), np.array(change), found.spread[places])
    order = effects.order
    ordered_effects = Effects(effects.swaps[order], effects.change[order], effects.spread[order])
    return OrderedCases(found, places[order], ordered_effects)


def queue_of(found: OrderedCases) -> SettleQueue:
    queue = SettleQueue()
    queue.take(found, QUERIES)
    return queue


@pytest.fixture
def queue() -> SettleQueue:
    return queue_of(ordered(cases_of()))


WEIGHTS = {10: (2, 0.1), 11: (0, 0.3), 14: (2, 0.2), 15: (0, 0.3)}


def test_those_come_first_that_matter_most() -> None:
    assert len(SettleQueue()) == 0
    queue = queue_of(ordered(cases_of(), WEIGHTS))
    # 11 and 15 hang alike, and 11 has the wider spread.
    assert pairs_of(queue) == [14, 10, 11, 15]
    assert column(queue, queue.swaps) == [2, 2, 0, 0]
    assert column(queue, queue.change) == [0.2, 0.1, 0.3, 0.3]
    # By spread where nothing is known of systems.
    queue = queue_of(ordered(cases_of()))
    assert (pairs_of(queue), queue.is_weighed) == ([11, 14, 15, 10], False)


def test_what_others_did_is_taken_in_under_the_filter_of_now(queue: SettleQueue) -> None:
    queue.narrow(of_query(2, QUERIES[2]))
    # A judge came round about 11, and there are two disagreements more.
    rows = {**ROWS, 11: (1, (0, 0, 0)), 12: (2, (2, 2, 0)), 9: (2, (3, 0, NOT_DECIDED))}
    queue.take(ordered(cases_of(rows, p14=3)), QUERIES)
    assert pairs_of(queue) == [9, 12]
    queue.narrow(None)
    assert pairs_of(queue) == [9, 12, 14, 15, 10]
    assert queue.is_open.tolist() == [True, True, False, True, True]


def test_settled_rows_stay_and_the_next_open_one_comes_round(queue: SettleQueue) -> None:
    queue.mark_settled(np.array([11, 15]), np.array([3, 0]))
    assert queue.is_open.tolist() == [False, True, False, True]
    assert [queue.next_open(after) for after in (-1, 1, 3)] == [1, 3, 1]
    assert queue.place_of(12) is None
    # Taken back in another window.
    queue.mark_settled(np.array([10, 11, 14, 15]), np.array([1, 1, 1, 1]))
    assert queue.next_open(-1) is None


@pytest.mark.parametrize(
    ("words", "pairs"),
    [
        ("query q3", [14, 15]),
        ("settled", [14]),
        ("not settled", [11, 15, 10]),
        ("no majority, not settled", [15, 10]),
        ("flagged by a judge", [12]),
        ("with a comment", [11, 13]),
        ("cannot be judged", [13]),
        ("judged, agreed ones too", [11, 14, 15, 10, 12, 13]),
    ],
)
def test_filters_leave(words: str, pairs: list[int]) -> None:
    queue = queue_of(ordered(cases_of(p14=3)))
    filters = {one.words(CALLED): one for one in filters_of(QUERIES)}
    queue.narrow(filters[words])
    assert pairs_of(queue) == pairs
    counts = {one and one.words(CALLED): count for count, one in queue.choices()}
    assert counts.get(words, len(pairs)) == len(pairs)
    assert counts[None] == 4


def test_a_letter_stays_with_its_judge() -> None:
    judges = [Judge(key, f"judge {key}", "judge", "human") for key in range(1, 61)]
    letters, others = Letters(3), Letters(4)
    called = letters.called(judges)
    assert len({*called.values()}) == 60
    # Whoever else is there: later ones, or fewer.
    for some in (judges[:3], judges[2:5], judges[::-1]):
        assert all(called[key] == letter for key, letter in letters.called(some).items())
    # Neither in the order of names nor of coming, and others in each campaign.
    assert [*called] != sorted(called)
    assert [*called.values()][:3] == ["A", "A2", "B"]
    assert called != others.called(judges)
    letters.revealed = True
    assert letters.call(judges[2]) == f"{called[3]} judge 3"


def test_confusion_counts_the_pairs_that_both_graded() -> None:
    cases = cases_of()
    scale = DEFAULT_SCALE
    # ann and bob: 0 1, 0 3, 2 2, 1 1, 0 1.
    assert confusion_counts(cases, ANN.key, BOB.key, scale).tolist() == [
        [0, 2, 0, 1],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 0],
    ]
    counts = confusion_counts(cases, BOB.key, ANN.key, scale)
    words = agreement_words(counts)
    assert words.startswith("both graded 5, 40 % the same, quadratic kappa ")
    assert agreement_words(np.zeros((4, 4), dtype=np.int64)) == "no pair was graded by both"
