"""The queue of Settle by itself: its order, its filters, the letters of judges, and confusion."""

from __future__ import annotations

from collections.abc import Mapping

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
from judge_tui.tui_new.screens.confusion import agreement_words, confusion_counts
from judge_tui.tui_new.screens.opinions import Letters
from judge_tui.tui_new.screens.settle_queue import (
    UNKNOWN,
    Filter,
    SettleQueue,
    filter_choices,
)

ANN, BOB, CYD = (
    Judge(key, name, "judge", "human") for key, name in ((4, "ann"), (2, "bob"), (9, "cyd"))
)
QUERIES = {
    1: QueryName("q1", "read a file", "how-to"),
    2: QueryName("q2", "sort lists", ""),
    3: QueryName("q3", "write a file", "how-to"),
}

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
    return [queue[place].pair for place in range(len(queue))]


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
    assert (queue[0].swaps, queue[0].spread) == (UNKNOWN, 3)
    queue.weigh(WEIGHTS)
    assert pairs_of(queue) == [11, 14, 15, 10]
    assert (queue[1].swaps, queue[1].change) == (2, 0.2)
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
    assert (queue[2].settled, queue.open) == (3, 4)
    assert {queue[place].swaps for place in range(5)} == {UNKNOWN} == {-1}
    queue.weigh(WEIGHTS)
    assert [queue[place].swaps for place in range(5)] == [-1, -1, 2, 0, 2]


def test_settled_rows_stay_and_the_next_open_one_comes_round(queue: SettleQueue) -> None:
    queue.settle(np.array([11, 15]), np.array([3, 0]))
    assert [queue[place].settled for place in range(4)] == [3, None, 0, None]
    assert [queue.next_open(after) for after in (-1, 1, 3)] == [1, 3, 1]
    assert queue.place_of_query(1) == 3
    assert queue.place_of(12) is None
    # Taken back in another window.
    queue.settle(np.array([10, 11, 14, 15]), np.array([1, 1, 1, 1]))
    assert queue.next_open(-1) is None
    assert queue.place_of_query(1) == 0


@pytest.mark.parametrize(
    ("asked", "pairs", "words"),
    [
        (Filter(query=3), [14, 15], "query q3"),
        (Filter(query_class=""), [], "queries of no class"),
        (Filter(query_class="how-to"), [11, 14, 15, 10], "class how-to"),
        (Filter(apart=BOB.key), [11, 15, 10], "B stands apart"),
        (Filter(apart=CYD.key), [14, 15], "C stands apart"),
        (Filter(graded=CYD.key), [11, 14, 15], "graded by C"),
        (Filter(settled=True), [14], "settled"),
        (Filter(settled=False), [11, 15, 10], "not settled"),
        (Filter(mark="no majority, not settled"), [15, 10], "no majority, not settled"),
        (Filter(mark="flagged by a judge"), [12], "flagged by a judge"),
        (Filter(mark="with a comment"), [11, 13], "with a comment"),
        (Filter(mark="cannot be judged"), [13], "cannot be judged"),
        (Filter(cell=(ANN.key, BOB.key, 2, 2)), [12], "A 2, B 2"),
        (Filter(query=1).but(Filter(apart=ANN.key)), [10], "query q1, A stands apart"),
        (Filter(graded=99), [], "graded by "),
    ],
)
def test_filters_leave(asked: Filter, pairs: list[int], words: str) -> None:
    queue = SettleQueue(cases_of(p14=3), QUERIES)
    queue.narrow(asked)
    assert pairs_of(queue) == pairs
    assert asked.words({ANN.key: "A", BOB.key: "B", CYD.key: "C"}, QUERIES) == words


def test_choices_let_as_many_through_as_they_say() -> None:
    cases = cases_of(p14=3)
    choices = list(filter_choices(cases, QUERIES, {CYD.key: "A", ANN.key: "B", BOB.key: "C"}))
    for asked, what, count in choices:
        assert asked.keeps(cases, QUERIES).sum() == count > 0, what
    whats = [what for _, what, _ in choices]
    assert whats[0] == "all disagreements"
    assert whats.index("A stands apart") < whats.index("C stands apart")
    assert whats[-2:] == ["query q1  read a file", "query q3  write a file"]


def settings_of(name: str, seed: int) -> Settings:
    return Settings("", name, DEFAULT_SCALE, "", seed, show_ranks=False, created="")


def test_letters_do_not_follow_names_and_new_judges_change_none() -> None:
    judges = [Judge(key, f"judge {key}", "judge", "human") for key in range(30)]
    some = settings_of("some campaign", 3)
    letters = Letters(some, judges)
    drawn = [letters.of(judge) for judge in judges]
    assert sorted(drawn, key=lambda text: (len(text), text))[:3] == ["A", "B", "C"]
    assert len(set(drawn)) == 30
    assert "AD" in drawn
    assert drawn != sorted(drawn, key=lambda text: (len(text), text))
    assert [*letters.called(judges).values()][-1] == "AD"
    letters.meet([*judges, Judge(99, "a new one", "judge", "human")])
    assert [letters.of(judge) for judge in judges] == drawn
    for other in (settings_of("another", 3), settings_of("some campaign", 4)):
        assert drawn != [Letters(other, judges).of(judge) for judge in judges]
    # Made anew from judges who came in another order.
    again = Letters(some, judges[::-1])
    assert drawn == [again.of(judge) for judge in judges]
    letters.revealed = True
    assert letters.of(judges[3]) == "judge 3"


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
    assert words.startswith("both graded 5, 40 % the same\nquadratic kappa ")
    assert words.endswith(", from too few)")
    assert agreement_words(np.zeros((4, 4), dtype=np.int64)) == "no pair was graded by both"
