"""Bounds equal the least and the greatest of all gradings, each scored as if it were the qrels."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.scoring import MEASURES, parse_measure
from judge_tui.scoring.bounds import bounds_of, unbounded
from tests.scoring.lists import list_of, values_of

BOUNDED = {
    "nDCG": [
        "nDCG",
        "nDCG@1",
        "nDCG@3",
        "nDCG@8",
        "nDCG(dcg='exp-log2')",
        "nDCG(dcg='exp-log2')@2",
    ],
    "RR": ["RR", "RR@2", "RR(rel=2)"],
    "P": ["P@1", "P@3", "P(rel=2)@8"],
    "R": ["R@1", "R@3", "R(rel=2)@2", "R(rel=3)@8"],
    "AP": ["AP", "AP@2", "AP@4", "AP(rel=2)", "AP(rel=3)@3"],
    "Success": ["Success@2", "Success(rel=2)@1"],
    "Rprec": ["Rprec", "Rprec(rel=2)"],
    "RBP": ["RBP", "RBP(rel=2)@3", "RBP(p=0.99)"],
    "ERR": ["ERR", "ERR@3", "ERR(max_rel=7)"],
    "SetP": ["SetP", "SetP@2", "SetP(rel=2)@4"],
    "SetR": ["SetR", "SetR(rel=2)", "SetR@2"],
    "SetF": ["SetF", "SetF(beta=7,rel=2)", "SetF(beta=0.2)", "SetF(beta=3)@2"],
    "SetAP": ["SetAP", "SetAP@3"],
    "SetRelP": ["SetRelP", "SetRelP(rel=3)", "SetRelP@2"],
    "GMAP": ["GMAP"],
    "NumQ": ["NumQ"],
    "NumRet": ["NumRet"],
    "NumRel": ["NumRel", "NumRel(rel=2)"],
    "NumRelRet": ["NumRelRet"],
    "NumNonrelRet": ["NumNonrelRet", "NumNonrelRet(rel=2)"],
    "RelP": ["RelP@2", "RelP(rel=2)@5"],
    "Utility": ["Utility", "Utility(rel=2)"],
}
NOT_BOUNDED = [
    *("Judged@5", "Unjudged@5", "RBPResidual", "Prefer", "Authority"),
    *("Bpref", "infAP", "IPrec@0.1", "IPrecAvg", "GMBpref", "RprecMult@0.6"),
]

SCALES = [(0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 2, 3), (1, 2), (0, 4), (3,)]
MOST_UNJUDGED = {1: 5, 2: 5, 3: 4, 4: 3}  # by the number of grades: at most 81 gradings


@st.composite
def queries(draw):
    """The qrels of one query, its results in order, and the grades that an unjudged one may get."""
    scale = draw(st.sampled_from(SCALES))
    states = draw(st.lists(st.sampled_from(["judged", "judged", "new", "pooled"]), max_size=8))
    unjudged = [f"d{i}" for i, state in enumerate(states) if state != "judged"]
    unjudged = unjudged[: MOST_UNJUDGED[len(scale)]]
    grades = st.integers(0, draw(st.sampled_from([1, 3, 4])))
    qrels = {f"d{i}": draw(grades) for i in range(len(states)) if f"d{i}" not in unjudged}
    pooled = {doc_id: -1 for doc_id in unjudged if states[int(doc_id[1:])] == "pooled"}
    missed = draw(st.lists(grades, max_size=4))
    qrels |= pooled | {f"missed {i}": grade for i, grade in enumerate(missed)}
    scores = {f"d{i}": -float(i) for i in range(len(states))}
    return qrels | {"pooled, not retrieved": -2}, scores, unjudged, scale


def check_against_all_gradings(name, qrels, scores, unjudged, scale):
    measure = parse_measure(name)
    gradings = [
        qrels | dict(zip(unjudged, grading, strict=True))
        for grading in product(scale, repeat=len(unjudged))
    ]
    score, *others = values = values_of(measure, [qrels, *gradings], scores)
    assert len(others) == len(scale) ** len(unjudged)

    [low], [high] = bounds_of(list_of(qrels, scores), measure, scale)
    assert low <= score <= high
    # They are values of gradings, to the last digit; another grading's may round below or above.
    assert {low, high} <= set(values)
    assert (low, high) == pytest.approx((min(values), max(values)), abs=1e-12)


@pytest.mark.parametrize("name", [name for names in BOUNDED.values() for name in names])
@given(query=queries())
def test_no_grading_is_worth_less_or_more(name, query):
    check_against_all_gradings(name, *query)


# Cases that a plausible shortcut gets wrong, found by searching: the best number of relevant ones
# ends inside a stretch of unjudged places; relevant documents lie beyond the cutoff.
@pytest.mark.parametrize(
    ("name", "qrels", "results", "scale"),
    [
        ("AP@3", {"d0": 1}, 4, (0, 1)),
        ("AP@6", {"d0": 1}, 7, (0, 1)),
        ("nDCG", {"d0": 2, "d2": 2, "x": 1}, 6, range(4)),
    ],
)
def test_cases_that_are_easily_got_wrong(name, qrels, results, scale):
    scores = {f"d{i}": -float(i) for i in range(results)}
    unjudged = [doc_id for doc_id in scores if doc_id not in qrels]
    check_against_all_gradings(name, qrels, scores, unjudged, scale)


def test_every_measure_is_bounded_or_says_why_not():
    assert {*BOUNDED, *(parse_measure(name).definition.name for name in NOT_BOUNDED)} == {*MEASURES}
    for name in NOT_BOUNDED:
        measure = parse_measure(name)
        assert unbounded(measure)
        assert bounds_of(list_of({"a": 1}, {"a": 2.0, "b": 1.0}), measure, (0, 1)) is None
    for names in BOUNDED.values():
        assert not any(unbounded(parse_measure(name)) for name in names)
