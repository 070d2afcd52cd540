"""The whole of `agreement -f json`: what is checked, what is missing, what is said of alpha."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from scipy.stats import binomtest, ttest_1samp

from judge_tui.agreement import Estimate, agree, cohen_kappa, study, verdict_of
from judge_tui.errors import UsageError
from tests.agreement.grades_drawn import SCALE, data, judged, places

# First and later grades of twelve pairs: 9 alike, 2 one grade apart, 1 three apart.
REPEATED = ((3, 1, 0, 0), (0, 2, 0, 0), (0, 1, 2, 0), (1, 0, 0, 2))
GOLD = ((4, 0, 0, 0), (1, 3, 0, 0), (0, 0, 2, 0), (0, 0, 0, 0))


def test_the_keys_are_those_that_are_promised():
    found = study(data("01230", "01220", "0...."), by="query", resamples=20).to_dict(
        {"measure": "nDCG@10", "between": []}
    )
    assert list(found) == [
        "schema_version",
        "judges",
        "pairs_judged",
        "pairs_shared",
        "alpha",
        "fleiss",
        "fleiss_ci95",
        "between",
        "system_order",
        "self",
        "gold",
        "against_others",
        "drift",
        "by",
        "slices",
        "why",
        "warnings",
    ]
    assert (found["self"], found["gold"]) == ({}, {})
    assert list(found["why"]) == ["fleiss", "self", "gold"]
    assert "hidden repeat" in found["why"]["self"]


@given(places(least=1))
def test_the_json_is_plain_has_no_nan_and_says_what_is_missing(codes):
    rows = ["".join("." if code < 0 else str(code) for code in row) for row in codes.tolist()]
    for by in (None, "query", "half"):
        fields = study(data(*rows), by=by, resamples=20).to_dict()
        assert json.loads(json.dumps(fields, allow_nan=False)) == fields
    for two in (*fields["between"], *fields["against_others"].values()):
        for key in ("agreement", "kappa_quadratic"):
            missing = two[key] is None or two["ci95"][key] is None
            assert missing == (key in two.get("why", {}))


@given(places())
def test_what_it_says_of_all_judges_is_what_agree_says(codes):
    rows = ["".join("." if code < 0 else str(code) for code in row) for row in codes.tolist()]
    assert study(data(*rows), resamples=20).agreement == agree(judged(*rows), SCALE, resamples=20)


def test_repeats_by_hand_and_by_oracles():
    found = study(replace(data("01", "01"), repeats={"a": REPEATED})).to_dict()["self"]
    own = found["a"]
    assert (own["pairs"], own["agreement"]) == (12, 9 / 12)
    assert own["ci95"]["agreement"] == pytest.approx(
        tuple(binomtest(9, 12).proportion_ci(method="wilson"))
    )
    assert own["kappa_quadratic"] == cohen_kappa(REPEATED, "quadratic").value
    # 1 pair from 3 to 0, 1 from 2 to 1, 1 from 0 to 1: the first grade less the later one.
    assert own["bias"] == pytest.approx((3 + 1 - 1) / 12)
    oracle = ttest_1samp([3, 1, -1] + [0] * 9, 0).confidence_interval()
    assert own["ci95"]["bias"] == pytest.approx((oracle.low, oracle.high))
    assert own["confusion"] == [list(row) for row in REPEATED]
    # b has none, where a has some.
    assert (found["b"]["pairs"], found["b"]["kappa"]) == (0, None)
    assert set(found["b"]["why"].values()) == {"this judge has graded no hidden repeat"}


def test_gold_says_how_far_off_a_judge_is():
    found = study(replace(data("01", "01"), gold={"b": GOLD})).to_dict()["gold"]
    assert (found["b"]["pairs"], found["b"]["agreement"]) == (10, 0.9)
    # One pair of gold grade 0 was graded 1.
    assert found["b"]["bias"] == pytest.approx(0.1)
    assert found["a"]["why"]["agreement"] == "this judge has graded no gold pair"


def test_a_judge_who_always_hits_gold_has_no_interval_of_the_bias():
    always = ((3, 0, 0, 0), (0, 4, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    own = study(replace(data("01", "01"), gold={"a": always})).gold["a"]
    assert own.estimates["bias"] == Estimate(
        0, None, "no interval: the difference is the same everywhere"
    )
    assert own.estimates["agreement"].ci95[1] == 1


def test_what_is_planned_and_not_graded_yet_is_not_advised():
    grades = replace(data("01", "01"), repeats_planned={"a": 2, "z": 1}, gold_planned={"b": 1})
    why = study(grades, resamples=20).missing
    assert why == {
        "self": "no judge has graded a hidden repeat yet; 3 are planned",
        "gold": "no judge has graded a gold pair yet; 1 is planned",
    }
    # Of the judges asked for, one has any.
    why = study(grades, judges=["a"], resamples=20).missing
    assert why["self"] == "no judge has graded a hidden repeat yet; 2 are planned"
    assert why["gold"] == "no judge has graded a gold pair; plan them with assign --gold"


def test_one_judge_can_be_checked_alone():
    found = study(replace(data("0123"), repeats={"a": REPEATED})).to_dict()
    assert (found["between"], found["against_others"], found["drift"]) == ([], {}, {})
    assert found["self"]["a"]["pairs"] == 12


def test_only_the_judges_asked_for():
    whole = replace(data("0123", "0122", "3..0"), repeats={"a": REPEATED}, gold={"c": GOLD})
    found = study(whole, judges=["c", "a"], resamples=20)
    assert found.agreement == agree(
        judged("0123", "0122", "3..0"), SCALE, judges=["c", "a"], resamples=20
    )
    assert list(found.against_others) == list(found.drift) == list(found.own) == ["c", "a"]
    assert study(whole, judges=["b", "c"], resamples=20).own == {}
    with pytest.raises(UsageError, match="named twice"):
        study(whole, judges=["a", "a"])
    with pytest.raises(UsageError, match="'anna'"):
        study(whole, judges=["anna"])


@pytest.mark.parametrize(
    ("alpha", "pairs", "said"),
    [
        (Estimate(0.9, (0.85, 0.94)), 400, "firm"),
        (Estimate(0.7, (0.68, 0.72)), 400, "tentative"),
        (Estimate(0.5, (0.4, 0.6)), 400, "weak"),
        (Estimate(0.9, (0.85, 0.94)), 4, "firm, but from only 4 pairs"),
        (Estimate(0.9, (0.85, 0.94)), 1, "firm, but from only 1 pair"),
        (
            Estimate(0.9, (0.41, 0.94)),
            4,
            "firm, but from only 4 pairs and the interval reaches down to 0.41 (weak)",
        ),
        (
            Estimate(0.7, (0.68, 0.91)),
            400,
            "tentative, but the interval reaches up to 0.91 (firm)",
        ),
        (
            Estimate(0.797, (0.6669, 0.79)),
            400,
            "tentative, but the interval reaches down to 0.666 (weak)",
        ),
        (Estimate(1.0, None, "no interval: ..."), 40, "firm, but without an interval"),
        (Estimate(None, None, "all grades are the same"), 40, "undefined: all grades are the same"),
    ],
)
def test_the_band_heeds_the_interval_and_the_number_of_pairs(alpha, pairs, said):
    assert verdict_of(alpha, pairs) == said
