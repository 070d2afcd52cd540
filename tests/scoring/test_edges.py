"""Every measure of the registry where there is next to nothing to measure, or too much."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import Measure, parse_measure
from tests.scored import score_run
from tests.scoring.lists import every_measure

EVERY = every_measure(1, 3, 10, 999999999)
SHARES = {
    str(one) for one in EVERY if not one.definition.whole and one.definition.name != "Utility"
}

grades = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1, 4), min_size=1)
results = st.dictionaries(st.sampled_from("abcdefghuvwxyz"), st.integers(0, 3), min_size=1)


def values(qrels, results, **rules) -> dict[str, float]:
    scored = score_run({"q": qrels}, Run("r", {"q": results}), EVERY, **rules)
    return {name: column[0] for name, column in scored.values.items()}


@given(grades, results, st.booleans(), st.none() | st.integers(1, 5))
def test_values_are_finite_and_shares_lie_between_0_and_1(qrels, results, judged_only, depth):
    for name, value in values(qrels, results, judged_only=judged_only, depth=depth).items():
        assert math.isfinite(value), name
        assert name not in SHARES or 0 <= value <= 1 + 1e-12, name


@pytest.mark.parametrize("qrels", [{"a": 0}, {"a": 0, "b": 0}, {"a": -1}, {"a": -2, "b": -1}])
def test_nothing_relevant_is_worth_nothing(qrels):
    scored = values(qrels, {"a": 2.0, "u": 1.0})
    seen = {name for name, value in scored.items() if value}
    judged = {"Judged", "NumNonrelRet", *(f"Judged@{at}" for at in (1, 3, 10, 999999999))}
    always = {"NumQ", "NumRet", "RBPResidual", "Utility"}
    unjudged = {f"Unjudged@{at}" for at in (1, 3, 10, 999999999)}
    assert seen <= judged | always | unjudged
    assert (judged <= seen) == (qrels["a"] == 0)


def test_a_list_that_was_emptied_is_worth_nothing():
    scored = values({"a": 1}, {"u": 1.0}, judged_only=True)
    left = {"NumQ", "NumRel", "RBPResidual", *(f"Unjudged@{at}" for at in (1, 3, 10, 999999999))}
    assert {name for name, value in scored.items() if value} == left


def test_a_query_without_results_scores_0_but_in_counts_of_the_qrels():
    # trec_eval -c: missing queries contribute 0; num_q and num_rel count them.
    qrels = {"q": {"a": 1}, "missing": {"a": 1, "b": 1, "c": 0}}
    scored = score_run(qrels, Run("r", {"q": {"a": 1.0}}), EVERY, complete=True)
    missing = {name: column[0] for name, column in scored.values.items() if column[0]}
    assert missing == {"NumQ": 1.0, "NumRel": 2.0}
    assert scored.mean("NumRel") == 3.0
    assert scored.mean("NumQ") == 2.0
    assert scored.mean("GMAP") == pytest.approx(math.sqrt(1 * 0.00001))  # MIN_GEO_MEAN


def test_logarithms_and_powers_are_those_of_the_c_library(monkeypatch):
    # numpy's own may differ in the last digit from those that trec_eval calls.
    for name in ("log", "log2", "exp", "exp2", "power", "float_power"):
        monkeypatch.delattr(np, name)
    scored = values({"a": 1, "b": 2, "c": 0}, {"u": 4.0, "a": 3.0, "b": 2.0, "c": 1.0})
    assert scored["nDCG"] == (1 / math.log2(3) + 2 / math.log2(4)) / (2 / 1 + 1 / math.log2(3))
    assert scored["RBP"] == (1 - 0.8) * (0.8**1 + 0.8**2)


def test_the_greatest_grade_that_a_file_may_hold():
    top = 2**31 - 1
    measures = [m for m in EVERY if m.definition.name != "ERR" and "dcg" not in dict(m.chosen)]
    scored = score_run(
        {"q": {"a": top, "b": top - 1}}, Run("r", {"q": {"a": 2.0, "b": 1.0}}), measures
    )
    for name in ("nDCG", "AP"):
        assert scored.mean(name) == 1.0, name
    assert scored.mean("P@1") == 1.0


def test_a_grade_above_the_scale_of_err_is_refused():
    with pytest.raises(UsageError) as error:
        values({"a": 5}, {"u": 1.0})
    assert str(error.value) == (
        "the qrels hold grade 5, above the greatest that ERR knows, 4; write ERR(max_rel=5)"
    )


def test_a_cut_list_is_condensed_after_the_cut():
    # trec_eval -M 2 -J: of u a, then b, only a is left.
    measure: Measure = parse_measure("NumRet")
    run = Run("r", {"q": {"u": 3.0, "a": 2.0, "b": 1.0}})
    scored = score_run({"q": {"a": 1, "b": 1}}, run, measure, depth=2, judged_only=True)
    assert scored.mean(measure) == 1.0


def changed(lists, gradings):
    """The measures of which the value is not the same for all of these lists and gradings."""
    every = [
        values(grades, {d: -float(at) for at, d in enumerate(ids)})
        for ids in lists
        for grades in gradings
    ]
    return {one.definition for one in EVERY if len({scored[str(one)] for scored in every}) > 1}


def test_which_measures_look_at_results():
    looking = changed(("ac", "xcb", "bxya", "xyz"), [{"a": 1, "b": 0, "c": 2}])
    assert looking == {one.definition for one in EVERY if one.definition.looks_at_results}


def test_which_measures_a_judgment_that_something_is_not_right_changes():
    # Answers never say that: these cannot be scored by them.
    now = {"a": 1, "b": 0, "c": 2}
    found = changed(["axcb"], [now, {**now, "x": 0}])
    names = {"Judged", "Unjudged", "Bpref", "infAP", "RBPResidual", "NumNonrelRet"}
    assert names <= {definition.name for definition in found}
    assert not any(definition.credited for definition in found)
