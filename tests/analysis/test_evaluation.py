"""Bands, the histogram, misses, the worst queries and classes: counted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.evaluation import (
    Bands,
    EvaluatedQuery,
    Evaluation,
    Found,
    by_class,
    histogram,
    missed,
    reciprocal_rank,
    worst,
)
from judge_tui.scoring import RunScores, Scores, parse_measure

RR = parse_measure("RR@10")


def evaluation(
    ranks: Mapping[str, Sequence[int | None]], classes: Sequence[str] | None = None
) -> Evaluation:
    """System -> the rank of the first right result, query by query (a, b, c …)."""
    count = len(next(iter(ranks.values())))
    ids = [chr(ord("a") + n) for n in range(count)]
    queries = tuple(
        EvaluatedQuery(
            ids[n],
            f"query {ids[n]}",
            classes[n] if classes else "",
            (("right", 1),),
            {tag: Found((), its[n]) for tag, its in ranks.items()},
        )
        for n in range(count)
    )
    runs = tuple(
        RunScores(
            tag,
            tuple(ids),
            {"RR@10": tuple(0.0 if r is None or r > 10 else 1 / r for r in its)},
            (),
            (),
        )
        for tag, its in ranks.items()
    )
    return Evaluation(queries, Scores((RR,), runs, True, False), Bands())


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (1, "strong"),
        (0.4, "strong"),
        ((1 + 1 / 3 + 1 / 3 + 1 / 3 + 0) / 5 - 1e-16, "strong"),  # .4 to a reader, and to a gate
        (0.3999, "usable"),
        (0.2, "usable"),
        (0.1999, "poor"),
        (0, "poor"),
    ],
)
def test_the_usual_bands(value, word):
    assert Bands().word(value) == word


def test_the_histogram_has_ranks_to_10_and_all_else_is_not_found():
    found = evaluation({"it": [1, 1, 10, 11, 50, None, 3]})
    assert histogram(found, "it") == (2, 0, 1, 0, 0, 0, 0, 0, 0, 1, 3)


@given(st.lists(st.none() | st.integers(1, 60), min_size=1, max_size=26))
def test_every_query_is_in_the_histogram_once_and_missed_where_it_is_not_found(ranks):
    found = evaluation({"it": ranks})
    counts = histogram(found, "it")
    assert sum(counts) == len(ranks)
    assert len(missed(found, "it")) == counts[-1]
    assert sum(map(reciprocal_rank, (query.found["it"] for query in found.queries))) == (
        pytest.approx(sum(n / rank for rank, n in enumerate(counts[:-1], 1)))
    )


def test_missed_queries_keep_their_order_and_may_be_asked_of_less_than_10():
    found = evaluation({"it": [2, None, 1, 12]})
    assert [query.query_id for query in missed(found, "it")] == ["b", "d"]
    assert [query.query_id for query in missed(found, "it", 1)] == ["a", "b", "d"]


def test_the_worst_come_by_the_mean_of_their_reciprocal_ranks():
    """a: (1 + 0) / 2, b: (1/2 + 1/2) / 2 = the same, c: all 1, d: 0, e: (1/4 + 1) / 2."""
    found = evaluation({"one": [1, 2, 1, None, 4], "two": [None, 2, 1, 11, 1]})
    assert [query.query_id for query in worst(found)] == ["d", "a", "b", "e"]
    assert [query.query_id for query in worst(found, 2)] == ["d", "a"]


def test_of_equals_those_that_come_first_are_the_worst_whatever_the_order_of_systems():
    """Added one by one, 1 + 1/2 + 1/6 is more than 1/2 + 1/6 + 1, in the last digit."""
    found = evaluation({"one": [1, 2], "two": [2, 6], "three": [6, 1]})
    assert [query.query_id for query in worst(found)] == ["a", "b"]


def test_a_query_for_which_nothing_is_right_is_no_failure_and_none_of_the_worst():
    """b has a grade for a document, which is 0."""
    found = evaluation({"it": [2, None, None]})
    first, second, third = found.queries
    found = replace(found, queries=(first, replace(second, expected=()), third))
    assert [query.query_id for query in missed(found, "it")] == ["c"]
    assert [query.query_id for query in worst(found)] == ["c", "a"]
    assert histogram(found, "it") == (0, 1, *[0] * 8, 1)
    assert found.nothing_right == ("b",)


def test_classes_have_means_of_their_own_those_without_one_last():
    found = evaluation({"one": [1, 2, None, 4], "two": [2, 2, 2, 1]}, ["z", "k", "", "z"])
    parts = by_class(found, RR)
    assert [(part.name, part.queries, part.means) for part in parts] == [
        ("k", 1, {"one": 0.5, "two": 0.5}),
        ("z", 2, {"one": 0.625, "two": 0.75}),
        ("", 1, {"one": 0.0, "two": 0.5}),
    ]


def test_one_class_is_no_cut():
    assert by_class(evaluation({"one": [1, 2]}, ["k", "k"]), RR) == []
    assert by_class(evaluation({"one": [1, 2]}), RR) == []
