"""Published and hand-computed values; each names its source."""

from math import log2

import pytest

from judge_tui.model import Run
from tests.scored import score_run


def value(measure, grades, ranked):
    """One query whose documents are given best first."""
    scores = {doc_id: float(-place) for place, doc_id in enumerate(ranked)}
    run = Run("r", {"q": scores})
    return score_run({"q": grades}, run, [measure]).mean(measure)


def tied(measure, grades, scores):
    return score_run({"q": grades}, Run("r", {"q": scores}), [measure]).mean(measure)


def test_ties_are_broken_by_descending_doc_id():
    # trec_eval's rule (form_res_rels.c): of a and b with one score, b comes first.
    assert tied("RR", {"b": 1}, {"a": 1.0, "b": 1.0}) == 1.0
    assert tied("nDCG", {"b": 1}, {"a": 1.0, "b": 1.0}) == 1.0
    # ... and c before b, which leaves b the discount of rank 2: 1 / log2(3).
    assert tied("nDCG", {"b": 1}, {"b": 1.0, "c": 1.0}) == pytest.approx(0.6309, abs=5e-5)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("nDCG@10", 0.6697),  # DCG 1.7619 over IDCG 2.6309
        ("nDCG(dcg='exp-log2')@10", 0.6590),
        ("R@10", 1.0),
        ("MRR", 0.5),
        ("Hit@5", 1.0),
    ],
)
def test_octocode_worked_example(measure, expected):
    # octocode's documentation of its benchmark: fileA (2) and fileB (1) found at ranks 2 and 3.
    ranked = ["other", "fileA", "fileB"]
    assert value(measure, {"fileA": 2, "fileB": 1}, ranked) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("measure", "expected"), [("nDCG@10", 0.83361), ("nDCG(dcg='exp-log2')@10", 0.85394)]
)
def test_jarvelin_and_kekalainen_gains(measure, expected):
    # TOIS 2002: gains 3,2,3,0,0,1,2,2,3,0 against the ideal 3,3,3,2,2,2,1,1,1,1.
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    grades = {f"d{place}": gain for place, gain in enumerate(gains)}
    ranked = list(grades)
    grades |= {"missed1": 1, "missed2": 1, "missed3": 1}
    assert value(measure, grades, ranked) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("P@5", 2 / 5),
        ("P@2", 1 / 2),
        ("P(rel=2)@5", 1 / 5),
        ("R@3", 2 / 3),
        ("AP", (1 / 1 + 2 / 3) / 3),
        ("AP@1", 1 / 3),
        ("AP(rel=2)", 1 / 3 / 1),
        ("RR(rel=2)", 1 / 3),
        ("RR(rel=2)@2", 0.0),
        ("Success@1", 1.0),
        ("Success(rel=2)@2", 0.0),
        ("Judged@3", 2 / 3),
        ("Judged@10", 3 / 4),
        ("Unjudged@3", 1 / 3),
        ("Unjudged@10", 1 / 10),
        ("Rprec", 2 / 3),
        ("RprecMult@0.5", 1 / 2),  # rank 2
        ("RelP@2", 1 / 2),
        ("RelP@100", 2 / 3),
        ("Bpref", 2 / 3),  # nothing judged nonrelevant before a relevant one
        ("RBP(p=0.5)", 0.5 * (1 + 0.25)),
        ("RBP(p=0.5)@2", 0.5),
        ("RBPResidual(p=0.5)", 1 - 0.5 * (1 + 0.25 + 0.125)),
        ("ERR(max_rel=2)", 1 / 4 + (3 / 4) * (3 / 4) / 3),
        ("ERR(max_rel=2)@2", 1 / 4),
        ("SetP", 2 / 4),
        ("SetRelP", 2 / 3),
        ("SetR", 2 / 3),
        ("SetF", 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)),
        ("SetAP", 1 / 3),
        ("IPrec@0.5", 2 / 3),  # two of three relevant documents, at rank 3
        ("IPrec@0.0", 1.0),
        ("IPrec@1.0", 0.0),
        ("IPrecAvg", (4 * 1 + 4 * 2 / 3) / 11),  # as trec_eval rounds, .7 takes two of the three
        ("GMAP", (1 / 1 + 2 / 3) / 3),
        ("NumQ", 1),
        ("NumRet", 4),
        ("NumRel", 3),
        ("NumRelRet", 2),
        ("NumRelRet(rel=2)", 1),
        ("NumNonrelRet", 1),
        ("Utility", 2 - 2),
        ("nDCG(gains={1:3,2:1})", (3 + 1 / 2) / (3 + 3 / log2(3) + 1 / 2)),
        ("nDCG(gains={0:-1})", (1 + 2 / 2 - 1 / log2(5)) / (2 + 1 / log2(3) + 1 / 2)),
    ],
)
def test_each_measure_by_hand(measure, expected):
    # Ranks: 1 relevant (1), 2 unjudged, 3 relevant (2), 4 judged not relevant; one more relevant
    # document was not retrieved.
    grades = {"a": 1, "c": 2, "d": 0, "missed": 1}
    assert value(measure, grades, ["a", "unjudged", "c", "d"]) == pytest.approx(expected, abs=1e-15)


def test_what_rbp_could_still_gain_is_that_of_the_whole_list_under_judged_only():
    # Of u a, a alone is judged, at rank 2: 1 - (1 - .8) .8; a list of a alone would have .8.
    run = Run("r", {"q": {"u": 2.0, "a": 1.0}})
    for judged_only in (False, True):
        scored = score_run({"q": {"a": 1}}, run, "RBPResidual", judged_only=judged_only)
        assert scored.mean("RBPResidual") == pytest.approx(0.84, abs=1e-12)


def test_judged_is_a_share_of_what_was_retrieved():
    # ir_measures divides by the number retrieved where that is less than k, and so do we.
    assert value("Judged@10", {"a": 0, "b": 0}, ["a", "b"]) == 1.0
    assert value("P@10", {"a": 1, "b": 1}, ["a", "b"]) == 0.2


def test_inferred_ap_takes_what_was_pooled_but_not_judged_for_as_good_as_the_rest():
    # By the formula of Yilmaz and Aslam as m_infap.c has it: rank 3 is relevant; before it stand a
    # relevant document and one that was pooled, not judged.
    grades = {"a": 1, "b": -1, "c": 1}
    e = 0.00001
    expected = (1 + 1 / 3 + (2 / 3) * (2 / 2) * (1 + e) / (1 + 2 * e)) / 2
    assert value("infAP", grades, ["a", "b", "c"]) == pytest.approx(expected, abs=1e-15)


def test_bpref_counts_the_first_nonrelevant_ones_only():
    # Buckley and Voorhees 2004: R = 1, so of n n r only one nonrelevant document counts.
    assert value("Bpref", {"n1": 0, "n2": 0, "r": 1}, ["r", "n1", "n2"]) == 1.0
    assert value("Bpref", {"n1": 0, "n2": 0, "r": 1}, ["n1", "r", "n2"]) == 0.0
    assert value("Bpref", {"n": 0, "r": 1, "s": 1}, ["r", "n", "s"]) == 0.5


def test_f_of_trec_eval_does_not_square_beta():
    # scikit-learn: fbeta_score([1, 1, 1, 0, 0], [1, 0, 0, 1, 0], beta=2) == 0.35714285714285715
    grades = {"a": 1, "b": 1, "c": 1, "d": 0}
    assert value("SetF(beta=4)", grades, ["a", "d"]) == pytest.approx(0.35714285714285715)


def test_a_negative_grade_is_no_judgment():
    # trec_eval: pooled, not judged. It gains nothing, costs nothing, and is not judged.
    assert value("Judged@2", {"a": -1, "b": 1}, ["a", "b"]) == 0.5
    assert value("nDCG", {"a": -1, "b": 1}, ["b", "a"]) == 1.0


def test_too_great_a_grade_for_exponential_gain_is_refused():
    with pytest.raises(Exception, match="grade 2000 is too great"):
        value("nDCG(dcg='exp-log2')", {"a": 2000}, ["a"])
