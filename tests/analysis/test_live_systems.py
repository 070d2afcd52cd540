"""Bands, the histogram, misses, and where systems differ: counted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.analysis.live_systems import (
    TOP,
    band,
    document_facts,
    histogram,
    system_lists,
)
from judge_tui.analysis.misses import find_misses
from judge_tui.analysis.queries import differ_most
from judge_tui.analysis.slices import document_slices, spreads
from judge_tui.model import Document, Run
from judge_tui.scoring import parse_measures
from tests.scored import score_runs


def evaluated(ranks: Mapping[str, Sequence[int | None]], right: str = "") -> JudgedRuns:
    """System -> the rank of the right result of 60, query by query (a, b, c …). `right`: of which
    of the queries one is known, of all unless named."""
    count = len(next(iter(ranks.values())))
    ids = [chr(ord("a") + n) for n in range(count)]
    lists = {
        tag: {
            query: ["right" if n == rank else f"d{n}" for n in range(1, 61)]
            for query, rank in zip(ids, its, strict=True)
        }
        for tag, its in ranks.items()
    }
    qrels = {query: {"right": 1} for query in right or ids}
    return system_lists(ids, lists, qrels, {}).judged


def missed(judged: JudgedRuns) -> str:
    return "".join(row.query_id for row in find_misses(judged, "it", TOP).rows)


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
def test_the_bands(value: float, word: str) -> None:
    assert band(value) == word


def test_the_histogram_has_ranks_to_10_and_all_else_is_not_found() -> None:
    found = evaluated({"it": [1, 1, 10, 11, 50, None, 3]})
    assert histogram(found, 0) == (2, 0, 1, 0, 0, 0, 0, 0, 0, 1, 3)
    assert missed(found) == "def"


def test_a_query_for_which_nothing_is_right_is_no_failure() -> None:
    found = evaluated({"it": [2, None, None]}, right="ac")
    assert missed(found) == "c"
    assert histogram(found, 0) == (0, 1, *[0] * 8, 1)


QRELS = {"a": {"x": 2, "y": 1}, "b": {"x": 1, "z": 1}, "c": {"z": 1}}
LISTS = {
    "one": {"a": ["x", "y"], "b": ["w", "x", "z"], "c": ["z"]},
    "two": {"a": ["y", "x"], "b": ["w"], "c": ["z", "w"]},
}
SYSTEMS = system_lists([*QRELS], LISTS, QRELS, {})
RR = parse_measures(["RR"])
SCORES = score_runs(
    QRELS,
    [
        Run(
            tag,
            {q: {one: -rank for rank, one in enumerate(found)} for q, found in its.items()},
        )
        for tag, its in LISTS.items()
    ],
    RR,
)


def test_where_systems_differ_and_how_evenly_they_do() -> None:
    """RR of one: 1, 1/2, 1; of two: 1, 0, 1. Lists of b share w of w, x and z."""
    (only,) = differ_most(SYSTEMS.judged, SCORES, RR[0]).rows
    assert (only.query_id, only.sd, only.overlap) == ("b", 0.25, pytest.approx(1 / 3))
    assert (only.best, only.worst) == (("one",), ("two",))
    found = spreads(SCORES, RR[0])
    assert found["one"].mean == pytest.approx(5 / 6)
    assert found["two"].sd == pytest.approx((2 / 9) ** 0.5)  # 1, 0, 1 about 2/3


def test_which_kinds_and_lengths_are_found() -> None:
    known = {
        "x": Document("x", text="long text", kind="guide"),
        "y": Document("y", text="text", kind="api"),
        "z": Document("z", text="text", kind="api"),
    }
    kinds, lengths = document_slices(SYSTEMS.judged, document_facts(SYSTEMS, known), 1)
    assert (kinds.k, [part.name for part in kinds.slices]) == (1, ["api", "guide"])
    api, guide = kinds.slices
    # api: y of a, z of b, z of c; found first by one: 0, 0, 1; by two: 1, 0, 1.
    assert [run.mean for run in api.runs.values()] == pytest.approx([1 / 3, 2 / 3])
    # guide: x of a and of b; found first by one: 1, 0; by two: 0, 0.
    assert [run.mean for run in guide.runs.values()] == pytest.approx([1 / 2, 0])
    assert [part.relevant for part in lengths.slices] == [3, 2]
