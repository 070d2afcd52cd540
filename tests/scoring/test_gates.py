import re

import pytest

from judge_tui.errors import UsageError
from judge_tui.model import Run
from judge_tui.scoring import (
    parse_class_gate,
    parse_gate,
    parse_measure,
    score_runs,
    unmet,
    worse_by,
)


@pytest.mark.parametrize(
    ("text", "measure", "least", "tag", "beside", "shown"),
    [
        ("nDCG@10>=0.4", "nDCG@10", 0.4, None, False, "nDCG@10>=0.4"),
        (" Hit@5 >= .70 ", "Success@5", 0.7, None, False, "Success@5>=0.7"),
        ("bm25:AP>=1e0", "AP", 1.0, "bm25", False, "bm25:AP>=1"),
        ("RR@10>=1e-1", "RR@10", 0.1, None, False, "RR@10>=0.1"),
        ("AP>=0.00001", "AP", 1e-5, None, False, "AP>=1e-05"),
        ("AP>=baseline - 2.5E-3", "AP", -0.0025, None, True, "AP>=baseline-0.0025"),
        ("AP>=1e", None, None, None, None, None),
        ("NumRet>=1e999", None, None, None, None, None),
        ("bm25:YAAP>=-1", "YAAP", -1.0, "bm25", False, "bm25:YAAP>=-1"),
        ("a:b(c):RR@10>=0.5", "RR@10", 0.5, "a:b(c)", False, "a:b(c):RR@10>=0.5"),
        ("AP>=baseline", "AP", 0.0, None, True, "AP>=baseline"),
        ("AP>=baseline-0.01", "AP", -0.01, None, True, "AP>=baseline-0.01"),
        ("AP >= baseline + .02", "AP", 0.02, None, True, "AP>=baseline+0.02"),
        ("x:AP(rel=2)>=baseline", "AP(rel=2)", 0.0, "x", True, "x:AP(rel=2)>=baseline"),
        ("AP>0.4", None, None, None, None, None),
        ("AP>=base", None, None, None, None, None),
        ("AP>=baseline*2", None, None, None, None, None),
        ("AP>=nan", None, None, None, None, None),
        ("no-regression", None, None, None, None, None),
    ],
)
def test_forms(text, measure, least, tag, beside, shown):
    if measure is None:
        with pytest.raises(UsageError, match="is no gate"):
            parse_gate(text)
        return
    gate = parse_gate(text)
    assert (gate.measure, gate.least) == (parse_measure(measure), least)
    assert (gate.tag, gate.beside_baseline, str(gate)) == (tag, beside, shown)
    assert parse_gate(str(gate)) == gate


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("RR@10>=1.5", "never holds: it is from 0 to 1"),
        ("new:RR@10>=-1", "always holds: it is from 0 to 1"),
        ("AP>=baseline-1.5", "always holds: the difference from the baseline is from -1 to 1"),
        ("AP>=baseline+2", "never holds: the difference from the baseline is from -1 to 1"),
        ("lookup/P@5>=80", "never holds: it is from 0 to 1"),
        ("modern/prefer>=80", "never holds: it is from 0 to 1"),
    ],
)
def test_what_always_or_never_holds_is_no_gate(text, what):
    with pytest.raises(UsageError, match=f"gate {re.escape(text)} {what}"):
        parse_class_gate(text) or parse_gate(text)


@pytest.mark.parametrize(
    "text", ["NumRel>=80", "Utility>=-9", "nDCG(gains={1:-2})>=-1", "RR>=0", "P@5>=1"]
)
def test_what_has_no_such_range_may_be_held_to_any_number(text):
    assert str(parse_gate(text)) == text


def test_a_tag_with_colons_and_a_measure_with_colons_are_told_apart():
    gate = parse_gate("a:b:nDCG(gains={1:3.5})@10>=0.5")
    assert (gate.tag, str(gate.measure)) == ("a:b", "nDCG(gains={1:3.5})@10")


def test_an_unknown_measure_is_named():
    with pytest.raises(UsageError, match="nDGC"):
        parse_gate("nDGC@10>=0.4")


def test_beside_a_baseline():
    gate = parse_gate("AP>=baseline-0.01")
    means = {"a": 0.40, "b": 0.38}
    assert unmet(gate, means, {"a": 0.41, "b": 0.40}) == [
        "AP>=baseline-0.01: b has 0.3800, the baseline 0.4000"
    ]
    assert unmet(parse_gate("a:AP>=baseline"), means, {"a": 0.40}) == []
    with pytest.raises(UsageError, match="there is no baseline for run 'b'"):
        unmet(gate, means, {"a": 0.41})
    with pytest.raises(UsageError, match="there is no baseline for run 'a'"):
        unmet(gate, means)


def test_rounding_fails_no_gate():
    # Ten tenths add up to .9999999999999999 from left to right, and their mean is less than .1.
    tenths = sum([0.1] * 10) / 10
    assert tenths < 0.1
    assert unmet(parse_gate("P@10>=0.1"), {"a": tenths}) == []
    assert unmet(parse_gate("P@10>=baseline"), {"a": 0.6}, {"a": 0.6000000000000001}) == []
    assert unmet(parse_gate("P@10>=0.1"), {"a": 0.1 - 2e-9}) == ["P@10>=0.1: a has 0.099999998"]


@pytest.mark.parametrize(
    ("gate", "mean", "baseline", "told"),
    [
        ("P@10>=0.4", 0.1 + 0.2, None, "0.3000"),
        ("P@10>=0.1", 0.09999, None, "0.09999"),
        ("P@10>=0.12345", 0.12344, None, "0.1234"),
        ("P@10>=baseline", 0.59996, 0.60001, "0.59996, the baseline 0.60001"),
        ("P@10>=baseline-0.01", 0.6 - 0.01 - 0.00003, 0.6, "0.58997, the baseline 0.60000"),
        ("num_ret>=11", 10.0, None, "10"),
    ],
)
def test_numbers_are_told_as_in_tables_with_more_digits_where_they_would_pass(
    gate, mean, baseline, told
):
    read = parse_gate(gate)
    (sentence,) = unmet(read, {"a": mean}, None if baseline is None else {"a": baseline})
    assert sentence == f"{read}: a has {told}"


def test_what_is_worse_is_never_so_by_nothing():
    assert worse_by(-0.30000000000000004) == "-0.3000"
    assert worse_by(-0.00002) == "-0.00002"


def test_what_is_scored_is_held_to_the_gate():
    qrels = {"q": {"good": 1}}
    runs = [Run("one", {"q": {"good": 2.0}}), Run("two", {"q": {"x": 2.0, "good": 1.0}})]
    scores = score_runs(qrels, runs, ["RR"])
    means = {run.tag: run.mean("RR") for run in scores.runs}
    assert unmet(parse_gate("RR>=0.5"), means) == []
    assert unmet(parse_gate("RR>=0.6"), means) == ["RR>=0.6: two has 0.5000"]
    assert unmet(parse_gate("one:RR>=0.6"), means) == []
    assert unmet(parse_gate("RR>=baseline"), means, {"one": 1.0, "two": 0.6}) == [
        "RR>=baseline: two has 0.5000, the baseline 0.6000"
    ]
    with pytest.raises(UsageError, match="no run 'tow'; did you mean 'two'"):
        unmet(parse_gate("tow:RR>=0.5"), means)
