"""Published and hand-computed values; each names its source."""

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
    ("measure", "expected"), [("nDCG@10", 0.83361), ("nDCG(dcg='exp-log2')@10", 0.85394)]
)
def test_jarvelin_and_kekalainen_gains(measure, expected):
    # TOIS 2002: gains 3,2,3,0,0,1,2,2,3,0 against the ideal 3,3,3,2,2,2,1,1,1,1.
    gains = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    grades = {f"d{place}": gain for place, gain in enumerate(gains)}
    ranked = list(grades)
    grades |= {"missed1": 1, "missed2": 1, "missed3": 1}
    assert value(measure, grades, ranked) == pytest.approx(expected, abs=5e-6)


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


def test_a_negative_grade_is_no_judgment():
    # trec_eval: pooled, not judged. It gains nothing, costs nothing, and is not judged.
    assert value("Judged@2", {"a": -1, "b": 1}, ["a", "b"]) == 0.5
    assert value("nDCG", {"a": -1, "b": 1}, ["b", "a"]) == 1.0


def test_too_great_a_grade_for_exponential_gain_is_refused():
    with pytest.raises(Exception, match="grade 2000 is too great"):
        value("nDCG(dcg='exp-log2')", {"a": 2000}, ["a"])
