"""Many lists at once give what the measure gives for each, to the last digit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from judge_tui.scoring.at_once import AT_ONCE, NOTHING, UNJUDGED, Lists, values_at_once

from judge_tui.scoring import parse_measure

MEASURES = {
    "nDCG": ("nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@10", "nDCG(gains={1:2.5,2:0,3:9})@5"),
    "RR": ("RR", "RR@2", "RR(rel=2)@5"),
    "P": ("P@1", "P@5", "P(rel=3)@20"),
    "R": ("R@3", "R(rel=2)@100"),
    "AP": ("AP", "AP@3", "AP(rel=2)"),
    "Success": ("Success@1", "Success(rel=3)@5"),
    "Judged": ("Judged@1", "Judged@10"),
    "Rprec": ("Rprec", "Rprec(rel=2)"),
    "RBP": ("RBP", "RBP(p=0.95)", "RBP(rel=2)@4"),
}
OTHERS = ("ERR@20", "Bpref", "infAP", "NumRel", "SetP", "IPrec@0.1", "RBPResidual")


@st.composite
def some_lists(draw):
    depth = draw(st.integers(0, 8))
    row = st.lists(st.integers(UNJUDGED, 3), max_size=8)
    rows = draw(st.lists(row, min_size=1, max_size=6))
    grades = [[*one[:depth], *[NOTHING] * (depth - len(one))] for one in rows]
    queries = draw(st.integers(1, 3))
    query = draw(st.lists(st.integers(0, queries - 1), min_size=len(rows), max_size=len(rows)))
    elsewhere = st.lists(st.integers(0, 4), min_size=4, max_size=4)
    known = np.array([draw(elsewhere) for _ in range(queries)])
    for one, at in zip(grades, query, strict=True):
        found = np.bincount([g for g in one if g >= 0], minlength=4)
        known[at] = np.maximum(known[at], found)
    return Lists(np.array(grades, dtype=np.int16).reshape(len(rows), depth), np.array(query), known)


@settings(max_examples=250)
@given(
    lists=some_lists(), name=st.sampled_from([one for some in MEASURES.values() for one in some])
)
def test_the_same_to_the_last_digit(lists, name):
    measure = parse_measure(name)
    one_by_one = [measure.value(seen) for seen in lists.seen()]
    assert values_at_once(lists, measure).tolist() == one_by_one


@given(lists=some_lists(), name=st.sampled_from(OTHERS))
def test_any_other_measure_will_do(lists, name):
    measure = parse_measure(name)
    assert values_at_once(lists, measure).tolist() == [measure.value(s) for s in lists.seen()]


def test_every_measure_of_the_registry_is_tried():
    assert set(MEASURES) == set(AT_ONCE)
