"""Runs scored with answers: published numbers, numbers by hand, and an implementation that knows
no more than the definition."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import MeasureLike, Rules, Scores, parse_measure, parse_measures
from judge_tui.scoring.answers import Credit, score_by_answers
from judge_tui.truths import Truth, Truths, place_of
from tests.scored import score_run
from tests.scoring.lists import every_measure


def truth(written: str, grade: int = 1) -> Truth:
    return Truth(written, grade, place=place_of(written))


def pattern(written: str, grade: int = 1) -> Truth:
    return Truth(written, grade, pattern=regex.compile(written))


def ranked(doc_ids: Sequence[str]) -> dict[str, float]:
    return {doc_id: float(-rank) for rank, doc_id in enumerate(doc_ids)}


def scored(
    truths: Truths,
    runs: Iterable[Run],
    measures: Iterable[MeasureLike] | MeasureLike,
    rules: Rules | None = None,
    credit: Credit = "once",
) -> Scores:
    return score_by_answers(truths, runs, parse_measures(measures), rules or Rules(), credit=credit)


def value(
    measure: str,
    truths: Sequence[Truth],
    doc_ids: Sequence[str],
    credit: Credit = "once",
    rules: Rules | None = None,
) -> float:
    run = Run("r", {"q": ranked(doc_ids)})
    scores = scored({"q": truths}, [run], measure, credit=credit, rules=rules)
    return scores["r"].mean(measure)


# One truth, which three results are right by: at 1, 2 and 4.
ONE_TRUTH = ([truth("a.py")], ["a.py:1-5", "a.py:7-9", "b.py", "a.py:20-30", "c.py"])
# Two truths of grades 2 and 1, and the second result is right by both: credited at 2 and 3.
ONE_RESULT = ([truth("a.py:1-10", 1), truth("a.py:8-20", 2)], ["b.py", "a.py:5-9"])
# Truths fileA 2, fileB 1, found at ranks 2 and 3: octocode's documentation works it out.
OCTOCODE = ([truth("fileA", 2), truth("fileB", 1)], ["other", "fileA:1-30", "fileB:7-9", "more"])
# A grade of 0 is not right, and not missed.
WITH_ZERO = ([truth("a", 0), truth("b", 1), truth("c", 2)], ["a", "b", "c"])
# What is right by one truth and wrong by another is right: the best grade wins.
BOTH = ([truth("a", 0), truth("a:3-4", 1)], ["a:4-5"])

BY_HAND = [
    (ONE_TRUTH, "nDCG@10", 1.0, 1 + 1 / math.log2(3) + 1 / math.log2(5)),
    (ONE_TRUTH, "AP", 1.0, 1 / 1 + 2 / 2 + 3 / 4),
    (ONE_TRUTH, "RR", 1.0, 1.0),
    (ONE_TRUTH, "R@1", 1.0, 1.0),
    (ONE_TRUTH, "P@4", 3 / 4, 3 / 4),
    (ONE_TRUTH, "Hit@1", 1.0, 1.0),
    (ONE_TRUTH, "SetP", 3 / 5, 3 / 5),
    (ONE_TRUTH, "SetR", 1.0, 1.0),
    (ONE_TRUTH, "Rprec", 1.0, 1.0),
    (ONE_TRUTH, "NumRel", 1, 1),
    (ONE_TRUTH, "NumRelRet", 1, 1),
    (ONE_TRUTH, "NumRet", 5, 5),
    (
        ONE_RESULT,
        "nDCG",
        (2 / math.log2(3) + 1 / math.log2(4)) / (2 + 1 / math.log2(3)),
        2 / math.log2(3) / (2 + 1 / math.log2(3)),
    ),
    (ONE_RESULT, "nDCG@2", *[2 / math.log2(3) / (2 + 1 / math.log2(3))] * 2),
    (ONE_RESULT, "AP", (1 / 2 + 2 / 3) / 2, (1 / 2) / 2),
    (ONE_RESULT, "AP(rel=2)", 1 / 2, 1 / 2),
    (ONE_RESULT, "RR(rel=2)", 1 / 2, 1 / 2),
    (ONE_RESULT, "R@2", 1.0, 1.0),
    (ONE_RESULT, "R@1", 0.0, 0.0),
    (ONE_RESULT, "P@2", 1 / 2, 1 / 2),
    (ONE_RESULT, "NumRelRet", 2, 2),
    (OCTOCODE, "nDCG@10", 0.6697, 0.6697),
    (OCTOCODE, "nDCG(dcg='exp-log2')@10", 0.6590, 0.6590),
    (OCTOCODE, "R@10", 1, 1),
    (OCTOCODE, "RR", 0.5, 0.5),
    (OCTOCODE, "Hit@5", 1, 1),
    (WITH_ZERO, "P@3", 2 / 3, 2 / 3),
    (WITH_ZERO, "R@3", 1, 1),
    (WITH_ZERO, "RR", 1 / 2, 1 / 2),
    (WITH_ZERO, "NumRel", 2, 2),
    (BOTH, "P@1", 1, 1),
]


@pytest.mark.parametrize(("case", "measure", "once", "every"), BY_HAND)
def test_values_by_hand(
    case: tuple[list[Truth], list[str]], measure: str, once: float, every: float
) -> None:
    exact = 5e-5 if case is OCTOCODE else 1e-12
    assert value(measure, *case) == pytest.approx(once, abs=exact)
    assert value(measure, *case, "every") == pytest.approx(every, abs=exact)


def test_a_depth_cuts_the_lists_before_anything_is_looked_up() -> None:
    rules = Rules(depth=1)
    assert value("R@10", [truth("a"), truth("b")], ["a", "b"], rules=rules) == 0.5
    assert value("NumRet", [truth("a")], ["a", "b"], rules=rules) == 1


def test_complete_counts_what_is_not_answered_as_nothing() -> None:
    truths = {"1": [truth("a")], "2": [truth("b")], "3": [truth("c")]}
    run = Run("r", {"1": {"a": 1.0}, "3": {}, "9": {"a": 1.0}})
    some = scored(truths, [run], ["RR", "NumRel"])["r"]
    every = scored(truths, [run], ["RR", "NumRel"], rules=Rules(complete=True))["r"]
    assert (some.query_ids, some.mean("RR"), some.mean("NumRel")) == (("1",), 1, 1)
    assert every.query_ids == ("1", "2", "3")
    assert every.mean("RR") == pytest.approx(1 / 3)
    assert every.mean("NumRel") == 3
    assert (some.missing_run, some.missing_qrels) == (("2", "3"), ("9",))


def test_what_answers_cannot_score_is_refused() -> None:
    refused = [str(one) for one in every_measure(10) if one.definition.credited is None]
    assert len(refused) > 10
    for name in refused:
        with pytest.raises(UsageError, match=f"^{re.escape(name)} is not scored by answers"):
            value(name, [truth("a")], ["a"])
    with pytest.raises(UsageError, match="do not say which results were judged"):
        value("RR", [truth("a")], ["a"], rules=Rules(judged_only=True))
    with pytest.raises(UsageError, match="and the answers have no query in common"):
        scored({"1": [truth("a")]}, [Run("r", {"9": {"a": 1.0}})], "RR")


# The properties.

NAMES = [
    *("nDCG", "nDCG@1", "nDCG@3", "nDCG(dcg='exp-log2')@3", "nDCG(gains={0:1,2:5})@3"),
    *("AP", "AP@2", "AP(rel=2)", "GMAP", "RR", "RR@2", "RR(rel=2)", "R@1", "R@3", "R(rel=2)@3"),
    *("P@1", "P@3", "P(rel=2)@3", "Success@1", "Success(rel=2)@2", "Rprec", "Rprec(rel=2)"),
    *("SetP", "SetR", "NumQ", "NumRet", "NumRel", "NumRelRet", "NumRelRet(rel=2)"),
]
DOC_IDS = ["a", "b/c.py", "d%20e", "é", "x.y", "%20", "A", "z(", "5"]

grades = st.dictionaries(st.sampled_from(DOC_IDS), st.integers(0, 3), min_size=1)
scores_of_some = st.dictionaries(
    st.sampled_from([*DOC_IDS, "other"]), st.integers(-4, 4).map(lambda n: n / 4), min_size=1
)
query_ids = st.sampled_from(["1", "10", "2"])


@given(
    st.dictionaries(query_ids, grades, min_size=1),
    st.dictionaries(query_ids, scores_of_some, min_size=1),
    st.sampled_from([None, 1, 2]),
    st.booleans(),
    st.sampled_from(["once", "every"]),
)
def test_truths_that_are_doc_ids_are_qrels(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    depth: int | None,
    complete: bool,
    credit: Credit,
) -> None:
    if not set(qrels) & set(run):
        return
    truths = {q: [truth(doc, grade) for doc, grade in of.items()] for q, of in qrels.items()}
    rules = Rules(complete=complete, depth=depth)
    scores = scored(truths, [Run("r", run)], NAMES, rules=rules, credit=credit)
    assert scores["r"] == score_run(qrels, Run("r", run), NAMES, complete=complete, depth=depth)


# Truths and results over three files of ten lines, and patterns that match some of them.
spans = st.one_of(
    st.just(""),
    st.tuples(st.integers(1, 10), st.integers(0, 4)).map(lambda of: f":{of[0]}-{of[0] + of[1]}"),
)
places = st.builds(lambda path, span: f"{path}{span}", st.sampled_from("abc"), spans)
right = st.one_of(
    st.builds(truth, places, st.integers(0, 3)),
    st.builds(pattern, st.sampled_from(["a", "^b", "[bc]:", "-1[0-3]$", "x"]), st.integers(0, 3)),
)
truths_of_some = st.lists(right, min_size=1, max_size=5, unique_by=lambda one: one.key)
lists_of_some = st.lists(places, min_size=1, max_size=7, unique=True)


@given(truths_of_some, lists_of_some)
def test_credited_once_no_value_exceeds_1(truths: list[Truth], found: list[str]) -> None:
    for name in NAMES:
        if not parse_measure(name).definition.whole:
            assert 0 <= value(name, truths, found) <= 1 + 1e-12, name


def lines(written: str) -> tuple[str, set[int]]:
    path, _, span = written.partition(":")
    start, _, end = span.partition("-")
    return path, set(range(int(start), int(end) + 1)) if span else set(range(1, 1000))


def right_by(one: Truth, doc_id: str) -> bool:
    if one.pattern is not None:
        return re.search(one.written, doc_id) is not None
    (path, its), (other, others) = lines(one.written), lines(doc_id)
    return path == other and bool(its & others)


def by_definition(
    truths: Sequence[Truth], found: Sequence[str], k: int, credit: Credit
) -> Mapping[str, float]:
    """Straight from the words of `score_by_answers` and `Matrix`, for `rel` 1."""
    table = [[right_by(one, doc_id) for one in truths] for doc_id in found]
    best = [
        max((one.grade for one, hit in zip(truths, row, strict=True) if hit), default=0)
        for row in table
    ]
    relevant = [one for one in truths if one.grade >= 1]
    hit = [
        one.grade >= 1 and any(row[place] for row in table[:k]) for place, one in enumerate(truths)
    ]
    if credit == "every":
        gains = best
    else:
        gains, waiting, seen = [], [], set()
        for row in [*table, *([[False] * len(truths)] * len(truths))]:
            new = [place for place, hits in enumerate(row) if hits and place not in seen]
            seen.update(new)
            waiting += [truths[place].grade for place in new]
            gain = max(waiting, default=0)
            if waiting:
                waiting.remove(gain)
            gains.append(gain)
    ideal = sorted((one.grade for one in truths), reverse=True)
    precisions = [
        sum(1 for gain in gains[: rank + 1] if gain) / (rank + 1)
        for rank, gain in enumerate(gains)
        if gain and rank < k
    ]
    first = next((rank for rank, grade in enumerate(best, 1) if grade), math.inf)
    return {
        f"nDCG@{k}": dcg(gains[:k]) / dcg(ideal[:k]) if relevant else 0.0,
        f"AP@{k}": sum(precisions) / len(relevant) if relevant else 0.0,
        f"RR@{k}": 1 / first if first <= k else 0.0,
        f"R@{k}": sum(hit) / len(relevant) if relevant else 0.0,
        f"P@{k}": sum(1 for grade in best[:k] if grade) / k,
        f"Success@{k}": float(any(best[:k])),
    }


def dcg(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


@given(truths_of_some, lists_of_some, st.integers(1, 8), st.sampled_from(["once", "every"]))
def test_values_are_those_of_the_definition(
    truths: list[Truth], found: list[str], k: int, credit: Credit
) -> None:
    for name, expected in by_definition(truths, found, k, credit).items():
        assert value(name, truths, found, credit) == pytest.approx(expected, abs=1e-12), name
