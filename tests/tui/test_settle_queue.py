"""The queue of Settle by itself: its order, its filters, the letters of judges, and confusion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from judge_tui.analysis.effects import Effects
from judge_tui.campaign import Settings
from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.overview.disagreements import OrderedCases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED, SKIPPED
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.queries import QueryName
from judge_tui.model import DEFAULT_SCALE
from judge_tui.tui.screens.confusion import agreement_words, confusion_counts
from judge_tui.tui.screens.opinions import Letters
from judge_tui.tui.screens.settle_queue import (
    UNKNOWN,
    SettleQueue,
    filters_of,
    of_cell,
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
    return Cases(
        judges=(ANN, BOB, CYD),
        pairs=np.array(pairs, dtype=np.int64),
        queries=np.array([rows[pair][0] for pair in pairs], dtype=np.int64),
        documents=np.array([100 + pair for pair in pairs], dtype=np.int64),
        grades=np.array([rows[pair][1] for pair in pairs], dtype=np.int8),
        settled=np.array([settled.get(f"p{one}", NOT_DECIDED) for one in pairs], dtype=np.int8),
        flagged=np.isin(pairs, [12]),
        noted=np.isin(pairs, [11, 13]),
    )


def pairs_of(queue: SettleQueue) -> list[int]:
    return [queue.pair(place) for place in range(len(queue))]


def column(queue: SettleQueue, values: Any) -> list[float]:
    found: list[float] = values[queue.rows].tolist()
    return found


@pytest.fixture
def queue() -> SettleQueue:
    return SettleQueue(cases_of(), QUERIES)


# Of 10, 11, 14 and 15.
WEIGHTS = OrderedCases(
    cases_of(),
    np.array([0, 1, 4, 5]),
    Effects(np.array([2, 0, 2, 0]), np.array([0.1, 0.3, 0.2, 0.3]), np.array([1, 3, 2, 2])),
)


def test_rows_stay_until_they_are_sorted_and_each_order_breaks_ties_by_the_others(
    queue: SettleQueue,
) -> None:
    assert pairs_of(queue) == [11, 14, 15, 10]
    assert column(queue, queue.swaps) == [UNKNOWN] * 4
    assert column(queue, queue.spread) == [3, 2, 2, 1]
    queue.weigh(WEIGHTS)
    assert pairs_of(queue) == [11, 14, 15, 10]
    assert column(queue, queue.swaps) == [0, 2, 0, 2]
    assert column(queue, queue.change) == [0.3, 0.2, 0.3, 0.1]
    queue.sort("swaps")
    # 11 and 15 hang alike, and 11 has the wider spread.
    assert pairs_of(queue) == [14, 10, 11, 15]
    queue.sort("spread")
    assert pairs_of(queue) == [11, 14, 15, 10]
    queue.sort("query")
    assert pairs_of(queue) == [10, 11, 14, 15]


def test_what_others_did_is_taken_in_anew_in_the_order_of_now(queue: SettleQueue) -> None:
    queue.weigh(WEIGHTS)
    queue.sort("swaps")
    # A judge came round about 11, and there are two disagreements more.
    rows = {**ROWS, 11: (1, (0, 0, 0)), 12: (2, (2, 2, 0)), 9: (2, (3, 0, NOT_DECIDED))}
    queue.renew(cases_of(rows, p14=3))
    assert pairs_of(queue) == [9, 12, 14, 15, 10]
    assert queue.is_open.tolist() == [True, True, False, True, True]
    assert column(queue, queue.swaps) == [UNKNOWN] * 5
    queue.weigh(WEIGHTS)
    assert column(queue, queue.swaps) == [UNKNOWN, UNKNOWN, 2, 0, 2]


def test_settled_rows_stay_and_the_next_open_one_comes_round(queue: SettleQueue) -> None:
    queue.settle(np.array([11, 15]), np.array([3, 0]))
    assert queue.is_open.tolist() == [False, True, False, True]
    assert [queue.next_open(after) for after in (-1, 1, 3)] == [1, 3, 1]
    assert queue.place_of_query(3) == 1
    assert queue.place_of(12) is None
    # Taken back in another window.
    queue.settle(np.array([10, 11, 14, 15]), np.array([1, 1, 1, 1]))
    assert queue.next_open(-1) is None


@pytest.mark.parametrize(
    ("words", "pairs"),
    [
        ("query q3", [14, 15]),
        ("queries of no class", []),
        ("class how-to", [11, 14, 15, 10]),
        ("B stands apart", [11, 15, 10]),
        ("C stands apart", [14, 15]),
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
    queue = SettleQueue(cases_of(p14=3), QUERIES)
    choices = {one.words(CALLED): one for one in filters_of(QUERIES, [*CALLED])}
    queue.narrow(choices[words])
    assert pairs_of(queue) == pairs
    assert queue.count(choices[words]) == len(pairs)


def test_filters_narrow_each_other_and_one_takes_the_place_of_its_kind(
    queue: SettleQueue,
) -> None:
    queue.narrow(of_query(3, QUERIES[3]))
    queue.narrow(of_query(1, QUERIES[1]))
    assert pairs_of(queue) == [11, 10]
    [apart] = [one for one in filters_of(QUERIES, [ANN.key]) if one.kind == "judge"]
    queue.narrow(apart)
    assert pairs_of(queue) == [10]
    queue.renew(cases_of())
    assert pairs_of(queue) == [10]
    queue.narrow(None)
    queue.narrow(of_cell((ANN.key, BOB.key, 2, 2)))
    assert pairs_of(queue) == [12]
    assert [one.words(CALLED) for one in queue.filters.values()] == ["A 2, B 2"]


def settings_of(name: str, seed: int) -> Settings:
    return Settings("", name, DEFAULT_SCALE, "", seed, show_ranks=False, created="")


def test_letters_do_not_follow_names() -> None:
    judges = [Judge(key, f"judge {key}", "judge", "human") for key in range(30)]
    letters = Letters(settings_of("some campaign", 3), judges)
    assert [*letters.called.values()][:3] == ["A", "B", "C"]
    assert [*letters.called.values()][-1] == "AD"
    assert [*letters.called] != sorted(letters.called)
    for other in (settings_of("another", 3), settings_of("some campaign", 4)):
        assert [*letters.called] != [*Letters(other, judges).called]
    # Made anew from judges who came in another order.
    again = Letters(settings_of("some campaign", 3), judges[::-1])
    assert letters.called == again.called
    letters.revealed = True
    assert letters.called[3] == "judge 3"


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
