"""The whole of `agreement -f json`: what is checked, what is missing, what is said of alpha."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import ttest_1samp
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from judge_tui.agreement import Estimate, agree, cohen_kappa, study, verdict_of
from judge_tui.agreement.caveats import about_checks
from judge_tui.agreement.confusion import Confusion
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


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=30, deadline=None)
@given(places())
def test_what_it_says_of_all_judges_is_what_agree_says(codes):
    rows = ["".join("." if code < 0 else str(code) for code in row) for row in codes.tolist()]
    assert study(data(*rows), resamples=20).agreement == agree(judged(*rows), SCALE, resamples=20)


def test_repeats_by_hand_and_by_oracles():
    found = study(replace(data("01", "01"), repeats={"a": REPEATED})).to_dict()["self"]
    own = found["a"]
    assert (own["pairs"], own["agreement"]) == (12, 9 / 12)
    assert own["ci95"]["agreement"] == pytest.approx(proportion_confint(9, 12, method="wilson"))
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
    assert any("only one judge" in warning for warning in found["warnings"])


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


def test_few_pairs_are_warned_of():
    warnings = agree(judged("0123", "0123"), SCALE).warnings
    assert any("only 4 documents with grades of two judges" in warning for warning in warnings)
    enough = agree(judged("0123" * 8, "0123" * 8), SCALE).warnings
    assert not any("uncertain below" in warning for warning in enough)


def shared_out(alike: int, apart: int) -> Confusion:
    """So many grades 0 and 3 met by the same grade, and so many by the other of the two."""
    return ((alike, 0, 0, apart), (0, 0, 0, 0), (0, 0, 0, 0), (apart, 0, 0, alike))


@pytest.mark.parametrize(
    ("alike", "apart"), [(10, 10), (4, 30), (20, 5), (40, 5), (400, 50), (45, 5), (5, 3)]
)
def test_a_judge_surely_below_the_lower_band_is_warned_of(alike, apart):
    counts = shared_out(alike, apart)
    oracle = cohens_kappa(np.array(counts), wt="quadratic")
    for kind, what in (("repeats", "own earlier grades"), ("gold", "gold grades")):
        found = study(replace(data("01", "01"), **{kind: {"b": counts}}), resamples=20)
        told = [
            one
            for one in found.warnings
            if f"weak agreement with the {what}" in one
            or f"weak agreement with the judge's {what}" in one
        ]
        assert bool(told) == (oracle.kappa_upp < 0.667)
        for one in told:
            assert f"b graded {100 * alike / (alike + apart):.0f} % of {2 * (alike + apart)}" in one
            shown = float(one.rsplit("quadratic kappa ", 1)[1])
            assert shown == pytest.approx(oracle.kappa, abs=0.001)
            assert shown <= oracle.kappa + 1e-9


def test_of_judges_below_the_lower_band_the_worst_come_first():
    gold = {name: shared_out(10 + at, 20) for name, at in zip("dacb", range(4), strict=True)}
    (told,) = about_checks({}, study(replace(data("0", "0", "0", "0"), gold=gold)).gold)
    assert [told.index(f"{name} graded") for name in "dac"] == sorted(
        told.index(f"{name} graded") for name in "dac"
    )
    assert "b graded" not in told
    assert told.endswith("; and 1 more")


def test_a_check_without_an_interval_warns_of_nothing():
    always = ((32, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    own = study(replace(data("01", "01"), repeats={"a": always})).own
    assert own["a"].estimates["kappa_quadratic"].ci95 is None
    assert list(about_checks(own, {})) == []


def too_few(warnings):
    """What the pairs are -> the names that are told, by the warnings on intervals of kappa."""
    told = {}
    for one in warnings:
        if ", too few for the intervals of kappa on 4 grades: " in one:
            what, _, names = one.partition(", too few for the intervals of kappa on 4 grades: ")
            assert what.startswith("fewer than 32 ")
            told[what.removeprefix("fewer than 32 ")] = names
    return told


def test_a_check_of_few_pairs_is_said_to_be_one_and_concludes_nothing():
    """Four pairs, all graded the other way round, have an interval far below the band."""
    wrong = ((0, 0, 0, 1), (0, 0, 0, 0), (0, 0, 0, 0), (2, 0, 0, 1))
    for kind, what in (("repeats", "hidden repeats"), ("gold", "gold pairs")):
        found = study(replace(data("01", "01"), **{kind: {"b": wrong}}), resamples=20)
        check = (found.own or found.gold)["b"]
        assert check.estimates["kappa_quadratic"].ci95[1] < 0.667
        assert not any("all through the interval" in one for one in found.warnings)
        assert too_few(found.warnings)[what] == "b (4)"
        # The share of like grades has Wilson's interval, which holds for so few.
        assert check.estimates["agreement"].ci95 == pytest.approx(
            proportion_confint(1, 4, method="wilson")
        )


@pytest.mark.parametrize("pairs", [31, 32])
def test_from_how_many_pairs_on_a_check_concludes_is_the_limit_of_two_judges(pairs):
    wrong = ((0, 0, 0, pairs - 16), (0, 0, 0, 0), (0, 0, 0, 0), (15, 0, 0, 1))
    warnings = study(replace(data("01", "01"), gold={"b": wrong}), resamples=20).warnings
    assert any("all through the interval" in one for one in warnings) == (pairs == 32)
    assert ("gold pairs" in too_few(warnings)) == (pairs == 31)


def test_few_pairs_for_kappa_are_told_wherever_it_has_an_interval():
    many, few = "0123" * 10, "0122" * 5
    two = study(data(many, "0122" * 10), by="half", resamples=20)
    # What is said of the two judges is not said of each beside the other one again.
    assert too_few(two.warnings) == {
        "pairs in a half of the work": "a (20); b (20)",
        "pairs shared in a slice": "first half (20); second half (20)",
    }
    assert too_few(study(data(few, few[::-1]), resamples=20).warnings) == {
        "documents in common": "a and b (20)"
    }
    three = study(data(many * 2, "0122" * 20, few + "." * 60), resamples=20)
    assert too_few(three.warnings) == {
        "documents in common": "a and c (20); b and c (20)",
        "pairs that another judge graded": "c (20)",
    }
    assert too_few(study(data(many * 2, many * 2), by="half", resamples=20).warnings) == {}
