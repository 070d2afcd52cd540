"""The bounds of all lists at once: those of `scoring.bounds`, and those of trying every grading."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_tui.scoring.at_once import NOTHING, UNJUDGED, Lists, values_at_once

from judge_tui.analysis.bounds import bounds_at_once, loose_ends
from judge_tui.scoring import MEASURES, Rules, parse_measure, parse_measures
from judge_tui.scoring.bounds import average_bounds, bounds_of, unbounded
from tests.analysis.drawn import campaigns
from tests.analysis.small import standing_of

NAMES = (
    "nDCG@3",
    "nDCG@10",
    "nDCG",
    "nDCG(dcg='exp-log2')@5",
    "RR@3",
    "RR",
    "P@4",
    "P(rel=2)@4",
    "R@3",
    "R(rel=3)@3",
    "R@30",
    "AP",
    "AP@4",
    "AP(rel=2)@5",
    "Success@2",
    "RBP(p=0.8)",
    "RBP(p=0.8,rel=2)@3",
    "Rprec",
)
SCALES = ((0, 1), (0, 1, 2, 3), (0, 2, 3), (1, 2))


@st.composite
def some_lists(draw, longest=12):
    """Lists of two queries on a scale, some documents unjudged."""
    scale = draw(st.sampled_from(SCALES))
    cells = st.sampled_from([UNJUDGED, UNJUDGED, *scale])
    rows = draw(st.lists(st.lists(cells, max_size=longest), min_size=1, max_size=8))
    grades = np.full((len(rows), longest), NOTHING, dtype=np.int16)
    for place, row in enumerate(rows):
        grades[place, : len(row)] = row
    query = np.array(draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows))))
    width = scale[-1] + 1
    known = np.zeros((2, width), dtype=np.int64)
    for row, of in zip(grades, query, strict=True):
        known[of] = np.maximum(known[of], np.bincount(row[row >= 0], minlength=width))
    # Relevant documents that no list has.
    for of, grade in product((0, 1), scale):
        known[of, grade] += draw(st.integers(0, 2))
    return Lists(grades, query.astype(np.int64), known), scale


@given(some_lists(), st.sampled_from(NAMES))
def test_they_are_those_of_one_query_after_the_other(drawn, name):
    lists, scale = drawn
    measure = parse_measure(name)
    low, high = bounds_at_once(lists, measure, scale)
    score = values_at_once(lists, measure)
    assert (low <= score).all()
    assert (score <= high).all()
    for place, seen in enumerate(lists.seen()):
        (expected,) = bounds_of(seen, [measure], Rules(), scale)
        assert (low[place], high[place]) == pytest.approx(expected, abs=1e-12)


@given(some_lists(longest=4), st.sampled_from(NAMES))
def test_no_grading_is_worth_less_or_more(drawn, name):
    lists, scale = drawn
    measure = parse_measure(name)
    low, high = bounds_at_once(lists, measure, scale)
    for place, (row, query) in enumerate(zip(lists.grades, lists.query, strict=True)):
        unjudged = np.flatnonzero(row == UNJUDGED)
        worth = [values_at_once(Lists(row[None], np.array([query]), lists.known), measure)[0]]
        for given_grades in product(scale, repeat=len(unjudged)):
            graded = row.copy()
            graded[unjudged] = given_grades
            known = lists.known.copy()
            for grade in given_grades:
                known[query, grade] += 1
            one = Lists(graded[None], np.array([query]), known)
            worth.append(values_at_once(one, measure)[0])
        assert (low[place], high[place]) == pytest.approx((min(worth), max(worth)), abs=1e-12)


def test_the_worked_example_of_the_design():
    # Qrels {d1: 1}, a run d1, u2 ... u10: nDCG is 1 with all others 0, .853 with all others 3, and
    # less where only the later ones are 3.
    standing = standing_of({"r": {"q": "abcdefghij"}}, {"q": "a1"})
    low, high = loose_ends(standing, parse_measures("nDCG@10"), (0, 1, 2, 3)).of["nDCG@10"]["r"]
    assert high == 1.0
    assert low <= 0.853


@given(campaigns())
def test_the_means_lie_within(drawn):
    lists, grades = drawn
    standing = standing_of(lists, grades)
    measures = parse_measures(["nDCG@3", "RR", "P@2", "R@4", "AP", "GMAP", "ERR@3", "NumRelRet"])
    found = loose_ends(standing, measures, (0, 1, 2, 3))
    assert not found.why
    for measure in measures:
        for run, tag in enumerate(lists):
            used = standing.scored[run]
            between = found.of[measure.name][tag]
            if not used.any():
                assert between is None
                continue
            seen = [
                one
                for one, mine in zip(
                    standing.lists.seen(),
                    np.repeat(np.eye(len(lists), dtype=bool)[run], len(used)),
                    strict=True,
                )
                if mine
            ]
            ranges = [
                bounds_of(one, [measure], Rules(), (0, 1, 2, 3))
                for one, mine in zip(seen, used, strict=True)
                if mine
            ]
            assert between == pytest.approx(average_bounds([measure], ranges)[measure.name])
            assert between[0] <= standing.means(measure)[run] <= between[1]


def every_measure(*, at: str = "", cutoff: str = "") -> Iterator[str]:
    """Each of the registry, with that after the @, or with what it needs there."""
    for name, definition in MEASURES.items():
        if definition.at is not None:
            yield f"{name}@{at or definition.at.default}"
        elif definition.cutoff == "required" or (cutoff and definition.cutoff == "optional"):
            yield f"{name}@{cutoff or 3}"
        else:
            yield name


def test_measures_without_bounds_say_why():
    standing = standing_of({"r": {"q": "ab"}}, {"q": "a1"})
    names = ["Judged@2", "nDCG@2", "ERR(max_rel=1)@2"]
    found = loose_ends(standing, parse_measures(names), (0, 1, 2))
    assert list(found.of) == ["nDCG@2"]
    assert found.why["Judged@2"] == unbounded(parse_measure("Judged@2"))
    assert "grade 2, above the greatest" in found.why["ERR(max_rel=1)@2"]


def test_what_is_below_a_cut_matters_to_some_measures_alone():
    # Grading a document behind the cutoff changes what these are worth, or it does not.
    standing = standing_of({"r": {"q": "ab"}}, {"q": "a1"})
    longer = standing_of({"r": {"q": "abc"}}, {"q": "a1"})
    alone = set()
    for name in every_measure(cutoff="2"):
        cut, whole = (loose_ends(one, [parse_measure(name)], (0, 1)) for one in (standing, longer))
        if cut.of != whole.of:
            assert name in cut.of_kept
        alone |= cut.of.keys() - cut.of_kept
    assert alone == {"RR@2", "P@2", "Success@2", "RBP@2", "ERR@2"}


def test_every_bounded_measure_of_the_registry_is_bounded_here():
    standing = standing_of({"r": {"q": "abcd"}}, {"q": "a1 c0"})
    for name in every_measure():
        measure = parse_measure(name)
        found = loose_ends(standing, [measure], (0, 1, 2))
        assert (measure.name in found.of) == (unbounded(measure) is None)


def test_which_measures_a_document_that_only_others_found_takes_below_the_low_bound():
    # r has a, relevant, and b, unjudged; c is in the lists of another alone.
    lists = {"r": {"q": "ab"}, "s": {"q": "c"}}
    now, later = (standing_of(lists, {"q": grades}) for grades in ("a1", "a1 c1"))
    below, said = set(), set()
    for name in (*every_measure(at="1"), "Utility(miss=-1)"):
        measure = parse_measure(name)
        ends = loose_ends(now, [measure], (0, 1))
        if measure.name in ends.of:
            bounds = ends.of[measure.name]["r"]
            assert bounds is not None
            if later.means(measure)[0] < bounds[0] - 1e-9:
                below.add(name)
            said |= {name} if measure.lowered_by_missed else set()
    assert said == below
