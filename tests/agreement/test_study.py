"""The whole of `agreement -f json`: all judges, one by one and slice by slice; what is missing."""

import json
from dataclasses import replace

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_1samp

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.coefficients import ac2, cohen_kappa
from judge_tui.agreement.estimates import Estimate
from judge_tui.agreement.pooled import pooled_agreement
from judge_tui.agreement.ratings import patterns_of
from judge_tui.agreement.study import agree, agreement_by, study
from judge_tui.errors import UsageError
from tests.agreement.grades_drawn import SCALE, grade_arrays, grades, ratings, rows_of

BETWEEN = ["agreement", "kappa", "kappa_linear", "kappa_quadratic", "ac2"]
# First and later grades of twelve pairs: 9 alike, 2 one grade apart, 1 three apart.
FIRST, LATER = "000011222233", "000111122003"


def with_checks(*rows, repeats=None, gold=None, **more):
    """`ratings`, and a second string of grades for judge a or of gold grades."""
    whole = ratings(*rows)
    again = whole.repeats.copy()
    if repeats:
        again[0] = list(map(int, repeats))
    known = whole.gold if gold is None else np.array([*map(int, gold)], dtype=np.int8)
    return replace(whole, repeats=again, gold=known, **more)


def test_the_keys_are_those_that_are_promised():
    found = study(ratings("01230", "01220", "0...."), by="query", resamples=20).to_dict(
        {"measure": "nDCG@10", "between": []}
    )
    assert set(found) == {
        *("schema_version", "judges", "pairs_judged", "pairs_shared", "alpha", "fleiss"),
        *("fleiss_ci95", "between", "system_order", "self", "gold", "against_others"),
        *("by", "slices", "why"),
    }
    assert (found["self"], found["gold"]) == ({}, {})
    assert list(found["why"]) == ["fleiss", "self", "gold"]
    assert set(found["between"][0]) == {"judges", "pairs", *BETWEEN, "ci95", "confusion"}
    assert list(found["between"][0]["ci95"]) == BETWEEN
    beside = found["against_others"]["a"]
    estimates = ["agreement", "kappa_quadratic", "bias"]
    assert set(beside) == {"pairs", *estimates, "ci95", "alpha_without", "why"}
    assert {*found["slices"]["q1"]} >= {"pairs", "pairs_shared", "alpha", *estimates[:2], "ci95"}


def test_a_small_campaign_by_hand():
    found = agree(grades("0012", "0.12", "...."), SCALE).to_dict()
    assert (found["schema_version"], found["judges"]) == (1, ["a", "b", "c"])
    assert (found["pairs_judged"], found["pairs_shared"], found["fleiss"]) == (4, 3, None)
    assert "some pairs have 1 and some 2" in found["why"]["fleiss"]
    first, second, _ = found["between"]
    assert (first["judges"], first["pairs"]) == (["a", "b"], 3)
    assert (first["agreement"], first["kappa"], first["ac2"]) == (1.0, 1.0, 1.0)
    assert first["confusion"] == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert (second["pairs"], second["kappa"]) == (0, None)
    assert second["why"]["kappa"] == "no pair has two grades to compare"


def test_rows_of_the_confusion_are_the_first_judges_over_the_whole_scale():
    two = agree(grades("0001", "0122"), SCALE).between[0]
    assert two.confusion == ((1, 1, 1, 0), (0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    # Nobody gave a 3: it could have been given all the same.
    assert two.estimates["ac2"] == ac2(two.confusion, SCALE)
    assert (
        two.estimates["ac2"].value != ac2([row[:3] for row in two.confusion[:3]], SCALE[:3]).value
    )


def test_nothing_is_missing_where_everything_is_defined():
    found = agree(grades("00112233" * 8, "01122230" * 8), SCALE).to_dict()
    assert list(found["alpha"]) == ["nominal", "ordinal", "interval"]
    for alpha in found["alpha"].values():
        assert list(alpha) == ["value", "ci95"]
        assert alpha["ci95"][0] < alpha["value"] < alpha["ci95"][1]
    between = found["between"][0]
    assert "why" not in found
    assert "why" not in between
    for name, (low, high) in between["ci95"].items():
        assert low < between[name] < high


def test_all_grades_the_same():
    found = agree(grades("1111", "1111"), SCALE).to_dict()
    between = found["between"][0]
    assert (between["agreement"], between["ac2"]) == (1.0, 1.0)
    assert {between[name] for name in ("kappa", "kappa_linear", "kappa_quadratic")} == {None}
    assert found["fleiss"] is None
    for alpha in found["alpha"].values():
        assert alpha == {"value": None, "ci95": None, "why": "all grades are the same"}


@given(grade_arrays(least=1), st.randoms())
def test_order_of_judges_and_pairs_changes_no_digit(codes, random):
    given = grades(*rows_of(codes))
    shuffled = {
        judge: dict(random.sample(list(given[judge].items()), len(given[judge])))
        for judge in random.sample(sorted(given), len(given))
    }
    one = agree(given, SCALE, resamples=20)
    assert agree(shuffled, SCALE, resamples=20) == one
    backwards = agree(given, SCALE, judges=sorted(given, reverse=True), resamples=20)
    assert (backwards.alpha, backwards.fleiss) == (one.alpha, one.fleiss)
    turned = {other.judges[::-1]: other.confusion for other in backwards.between}
    expected = {two.judges: tuple(zip(*two.confusion, strict=True)) for two in one.between}
    assert turned == expected


@given(grade_arrays(least=1))
def test_the_json_is_plain_has_no_nan_and_says_what_is_missing(codes):
    for by in (None, "query", "half"):
        fields = study(ratings(*rows_of(codes)), by=by, resamples=20).to_dict()
        assert json.loads(json.dumps(fields, allow_nan=False)) == fields
    for two in (*fields["between"], *fields["against_others"].values()):
        for key in ("agreement", "kappa_quadratic"):
            missing = two[key] is None or two["ci95"][key] is None
            assert missing == (key in two.get("why", {}))


@given(grade_arrays(least=3))
def test_alpha_without_a_judge_is_that_of_the_others(codes):
    found = study(ratings(*rows_of(codes)), resamples=0).against_others
    for at, one in enumerate(found.values()):
        left = np.delete(codes, at, axis=0)
        units = left[:, (left >= 0).sum(axis=0) >= 2]
        without = one.estimates["alpha_without"]
        if units.shape[1] < 2 or len(np.unique(units[units >= 0])) < 2:
            assert without.value is None
            assert without.why
            continue
        oracle = krippendorff.alpha(
            np.where(units < 0, np.nan, units),
            value_domain=[*SCALE],
            level_of_measurement="ordinal",
        )
        assert without.value == pytest.approx(oracle, abs=1e-9)


def test_repeats_by_hand_and_by_oracles():
    found = study(with_checks(FIRST, FIRST, repeats=LATER)).to_dict()["self"]
    own, confusion = found["a"], [[3, 1, 0, 0], [0, 2, 0, 0], [1, 1, 2, 0], [1, 0, 0, 1]]
    assert own["confusion"] == confusion
    assert (own["pairs"], own["agreement"]) == (12, 8 / 12)
    wilson = binomtest(8, 12).proportion_ci(method="wilson")
    assert own["ci95"]["agreement"] == pytest.approx(tuple(wilson))
    assert own["kappa_quadratic"] == cohen_kappa(confusion, "quadratic").value
    # The first grade less the later one: 0 to 1, 2 to 1, 2 to 0, 3 to 0.
    assert own["bias"] == pytest.approx((-1 + 1 + 2 + 3) / 12)
    oracle = ttest_1samp([-1, 1, 2, 3] + [0] * 8, 0).confidence_interval()
    assert own["ci95"]["bias"] == pytest.approx((oracle.low, oracle.high))
    # b has none, where a has some.
    assert (found["b"]["pairs"], found["b"]["kappa"]) == (0, None)
    assert set(found["b"]["why"].values()) == {"no pair has two grades to compare"}


def test_gold_says_how_far_off_a_judge_is():
    found = study(with_checks("000", "0000112223", gold="0000011222")).gold
    # Three of the ten were graded one higher than gold has them.
    own = found["b"]
    assert (own.pairs, own.estimates["agreement"].value) == (10, 0.7)
    assert own.estimates["bias"].value == pytest.approx(0.3)
    # Who always hits gold has no interval of the bias, but one of the share.
    hits = found["a"].estimates
    assert hits["bias"] == Estimate(0, None, "no interval: the difference is the same everywhere")
    assert (found["a"].pairs, hits["agreement"].ci95[1]) == (3, 1)


def test_one_judge_can_be_checked_alone():
    found = study(with_checks(FIRST, repeats=LATER)).to_dict()
    assert (found["between"], found["against_others"]) == ([], {})
    assert found["self"]["a"]["pairs"] == 12
    assert found["why"]["gold"] == "no judge has graded a gold pair (assign --gold plans them)"


def test_only_the_judges_asked_for():
    rows = "0123", "0122", "3..0"
    whole = with_checks(*rows, repeats="0123", gold="3333")
    found = study(whole.only(["c", "a"]), resamples=20)
    assert found.agreement == agree(grades(*rows), SCALE, judges=["c", "a"], resamples=20)
    assert list(found.against_others) == list(found.repeats) == ["c", "a"]
    assert study(whole.only(["b", "c"]), resamples=20).repeats == {}
    assert [two.judges for two in found.agreement.between] == [("c", "a")]
    for judges, what in ((["a", "a"], "named twice"), (["anna"], "'anna'")):
        with pytest.raises(UsageError, match=what):
            whole.only(judges)


@given(grade_arrays())
def test_a_slice_says_what_its_pairs_say_by_themselves(codes):
    whole = ratings(*rows_of(codes))
    found = agreement_by(whole, "query", resamples=20)
    assert sum(one.pairs for one in found.values()) == whole.grades.shape[1]
    for name, one in found.items():
        own = whole.grades[:, whole.queries == whole.query_ids.index(name)]
        patterns = patterns_of(replace(whole, grades=own))
        pooled = pooled_agreement(patterns)
        assert one.pairs == own.shape[1]
        assert one.pairs_shared == ((own >= 0).sum(axis=0) >= 2).sum() == pooled.pairs
        assert {"agreement": one.agreement, "kappa_quadratic": one.kappa_quadratic} == {
            **pooled.estimates
        }
        alpha = krippendorff_alpha(patterns, SCALE, resamples=20)
        assert one.alpha == alpha["ordinal"]


def test_classes_are_those_of_the_queries():
    whole = replace(ratings("0123", "0122"), classes=("how-to", ""))
    found = agreement_by(whole, "class", resamples=20)
    # 2 and 3 of the second query, of no class, graded 2 and 2 by b: one of two agrees.
    assert {name: (one.pairs, one.agreement.value) for name, one in found.items()} == {
        "": (2, 0.5),
        "how-to": (2, 1.0),
    }


def test_halves_are_by_when_the_second_grade_came():
    # When a and b graded documents 0 to 4; c was late, and graded two first of all.
    came = np.array([[1, 2, 3, 4, 5], [10, 9, 8, 7, 6], [11, 0, 0, 0, 0]], dtype=np.int32)
    found = agreement_by(replace(ratings("00000", "01101", "1...1"), came=came), "half")
    # Second grades came: 10, 9, 8, 7, and 5 for the last (0 and 5): order 4, 3, 2 | 1, 0.
    # Of the three judges of document 4, b and c agree; on 3, a and b do, and on 2 they do not. On
    # document 1 they do not, and on 0 they do, but c with neither.
    assert {name: (one.pairs, one.agreement.value) for name, one in found.items()} == {
        "first half": (3, pytest.approx((1 + 1 + 0) / (3 + 1 + 1))),
        "second half": (2, pytest.approx((0 + 1) / (1 + 3))),
    }


def test_slices_that_say_nothing_say_why():
    found = study(ratings("0..1", "0..."), by="query", resamples=20).to_dict()
    q2 = found["slices"]["q2"]
    assert (found["by"], q2["pairs"], q2["pairs_shared"], q2["agreement"]) == ("query", 1, 0, None)
    assert q2["alpha"]["ordinal"]["value"] is None
    assert q2["why"]["agreement"] == "no pair has two grades to compare"
