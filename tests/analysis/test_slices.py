"""Slices by query and by document, how values lie, and the queries that divide the systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.analysis.slices import (
    NO_TEXT,
    DocumentFacts,
    Spread,
    kind_slices,
    length_slices,
    query_slices,
    relevant_documents,
    spread_of,
)
from judge_tui.scoring import parse_measure
from tests.analysis.small import LETTERS, campaigns, judged_runs_of, qrels_of

RR = parse_measure("RR")


def test_spread_has_the_values_worked_out_by_hand():
    # The variances are 19/15,000 and 193/15,000.
    even, uneven = spread_of(np.array([0.92, 0.85, 0.84])), spread_of(np.array([0.95, 0.72, 0.70]))
    assert (round(even.mean, 4), round(even.sd, 4)) == (0.87, 0.0356)
    assert (round(uneven.mean, 4), round(uneven.sd, 4)) == (0.79, 0.1134)
    assert (even.n, even.least, even.median, even.greatest) == (3, 0.84, 0.85, 0.92)


@given(st.lists(st.floats(0, 1), max_size=9))
def test_spread_is_numpys(values):
    found = spread_of(np.array([*values, np.nan]))
    if not values:
        assert found == Spread(0, None, None, None, None, None)
        return
    assert (found.least, found.greatest) == (min(values), max(values))
    assert (found.median, found.mean) == pytest.approx((np.median(values), np.mean(values)))
    assert found.sd == pytest.approx(np.std(values), abs=1e-12)


LISTS = {
    "x": {"q1": "ab", "q2": "ba", "q3": "b", "q4": "a"},
    "y": {"q1": "ba", "q2": "ba", "q3": "a"},
}
GRADES = {f"q{n}": "a1 b0" for n in range(1, 5)}
CLASSES = {"q1": "known", "q2": "survey", "q3": "known", "q4": ""}


def test_query_slices_by_hand():
    (found,) = query_slices(judged_runs_of(LISTS, GRADES), [RR], "class", CLASSES)
    assert [one.name for one in found.slices] == ["known", "survey", ""]
    known, survey, without = found.slices
    assert known.query_ids == ("q1", "q3")
    # x: q1 1, q2 1/2, q3 0, q4 1; y: q1 1/2, q2 1/2, q3 1.
    assert known.runs["x"] == Spread(2, 0.0, 0.5, 0.5, 1.0, 0.5)
    assert known.runs["y"] == Spread(2, 0.5, 0.75, 0.75, 1.0, 0.25)
    assert survey.runs["y"] == Spread(1, 0.5, 0.5, 0.5, 0.5, 0.0)
    assert without.runs["y"].n == 0


def test_a_class_has_the_measures_that_it_declares_else_those_asked_for():
    declared = {"known": (RR, parse_measure("P@1")), "survey": (RR,)}
    asked = [parse_measure("nDCG@10")]
    found = query_slices(judged_runs_of(LISTS, GRADES), asked, "class", CLASSES, declared)
    assert {one.measure.name: [part.name for part in one.slices] for one in found} == {
        "nDCG@10": [""],
        "RR": ["known", "survey"],
        "P@1": ["known"],
    }
    # q1 and q3: x has the relevant document first for one of them, y for the other.
    assert [found[2].slices[0].runs[tag].mean for tag in ("x", "y")] == [0.5, 0.5]
    alike = dict.fromkeys(["known", "survey", ""], (RR,))
    (found,) = query_slices(judged_runs_of(LISTS, GRADES), asked, "class", CLASSES, alike)
    assert (found,) == query_slices(judged_runs_of(LISTS, GRADES), [RR], "class", CLASSES)
    (found,) = query_slices(judged_runs_of(LISTS, GRADES), asked, "class", {}, {"": ()})
    assert not found.slices


# a and b are methods of 10 and 20 characters, c is a class of 400, d has no kind and no text.
FACTS = DocumentFacts(
    np.array([ord(one) for one in "abcd"]),
    ("method", "method", "class", ""),
    np.array([10, 20, 400, NO_TEXT]),
)
FOUND = {"x": {"q1": "azc", "q2": "b"}, "y": {"q1": "zc", "q2": "zb"}}
WANTED = {"q1": "a1 b2 c1 z0", "q2": "b1 d3"}


def test_document_kinds_by_hand():
    found = kind_slices(judged_runs_of(FOUND, WANTED), FACTS, k=2)
    assert [(one.name, one.relevant, one.query_ids) for one in found.slices] == [
        ("class", 1, ("q1",)),
        ("method", 3, ("q1", "q2")),
        ("", 1, ("q2",)),
    ]
    assert [one.queries for one in found.slices] == [1, 2, 1]
    kinds = {one.name: one.runs for one in found.slices}
    # x: of q1 a but not b, c is third; of q2 b. y: of q1 c, of q2 b.
    assert [one.mean for one in kinds["class"].values()] == [0.0, 1.0]
    assert kinds["method"]["x"] == Spread(2, 0.5, 0.75, 0.75, 1.0, 0.25)
    assert kinds["method"]["y"] == Spread(2, 0.0, 0.5, 0.5, 1.0, 0.5)
    assert [one.mean for one in kinds[""].values()] == [0.0, 0.0]


def test_document_lengths_by_hand():
    found = length_slices(judged_runs_of(FOUND, WANTED), FACTS, k=2)
    # The quarters of 10, 20 and 400 end at 10, 20, 400 and 400.
    assert [(one.name, one.relevant) for one in found.slices] == [
        ("10 characters", 1),
        ("11–20 characters", 2),
        ("21–400 characters", 1),
        ("", 1),
    ]


def test_capitals_make_no_kind_of_their_own():
    facts = DocumentFacts(FACTS.documents, ("method", "Method", "class", ""), FACTS.lengths)
    found, same = (kind_slices(judged_runs_of(FOUND, WANTED), one, k=2) for one in (facts, FACTS))
    assert [one.name for one in found.slices] == ["Method", "class", ""]
    assert {one.name.casefold(): one.runs for one in found.slices} == {
        one.name: one.runs for one in same.slices
    }


def test_without_a_relevant_document_there_are_no_kinds():
    judged = judged_runs_of(FOUND, {"q1": "a0", "q2": "b0"})
    assert relevant_documents(judged).tolist() == []
    nothing = DocumentFacts(np.array([], dtype=np.int64), (), np.array([], dtype=np.int64))
    for cut in (kind_slices, length_slices):
        assert cut(judged, nothing).slices == ()


@given(
    campaigns(),
    st.lists(st.sampled_from(["m", "c", ""]), min_size=9, max_size=9),
    st.lists(st.integers(NO_TEXT, 5), min_size=9, max_size=9),
    st.integers(1, 4),
)
def test_document_slices_by_counting(drawn, kinds, lengths, k):
    lists, grades = drawn
    judged = judged_runs_of(lists, grades)
    facts = DocumentFacts(np.array([*map(ord, LETTERS)]), tuple(kinds), np.array(lengths))
    qrels = qrels_of(grades)
    for cut in (kind_slices, length_slices):
        found = cut(judged, facts, k)
        members = {
            one.name: {
                letter
                for letter, kind, length in zip(LETTERS, kinds, lengths, strict=True)
                if (kind == one.name if cut is kind_slices else _in(one.name, length))
            }
            for one in found.slices
        }
        # Every relevant pair is in one of them.
        relevant = sum(grade >= 1 for known in qrels.values() for grade in known.values())
        assert sum(one.relevant for one in found.slices) == relevant
        for one in found.slices:
            for tag in lists:
                shares = []
                for query, known in qrels.items():
                    wanted = {d for d in members[one.name] if known.get(d, 0) >= 1}
                    if wanted and lists[tag][query]:
                        got = wanted & set(lists[tag][query][:k])
                        shares.append(len(got) / len(wanted))
                assert one.runs[tag].n == len(shares)
                if shares:
                    assert one.runs[tag].mean == pytest.approx(np.mean(shares))


def _in(name, length):
    if not name:
        return length == NO_TEXT
    first, _, last = name.split()[0].partition("–")
    return int(first) <= length <= int(last or first)
