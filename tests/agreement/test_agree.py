"""The whole of `agreement -f json`, from grades."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.agreement import agree, band, shown_alpha, shown_span
from judge_tui.errors import UsageError
from tests.imports import imported_by

SCALE = (0, 1, 2, 3)


def graded(*rows):
    """judge a, b, c ... -> pair -> grade, from one string for each judge; "." is not judged."""
    return {
        judge: {("q1", f"d{at}"): int(grade) for at, grade in enumerate(row) if grade != "."}
        for judge, row in zip("abcdefgh", rows, strict=False)
    }


def test_a_small_campaign_by_hand():
    found = agree(graded("0012", "0.12", "...."), SCALE).to_dict()
    assert list(found) == [
        "schema_version",
        "judges",
        "pairs_judged",
        "pairs_shared",
        "alpha",
        "fleiss",
        "fleiss_ci95",
        "why",
        "between",
    ]
    assert found["schema_version"] == 1
    assert found["judges"] == ["a", "b", "c"]
    assert found["pairs_judged"] == 4
    assert found["fleiss"] is None
    assert "some pairs have 1 and some 2" in found["why"]["fleiss"]
    first = found["between"][0]
    assert list(first) == [
        "judges",
        "pairs",
        "agreement",
        "kappa",
        "kappa_linear",
        "kappa_quadratic",
        "ac2",
        "ci95",
        "why",
        "confusion",
    ]
    assert (first["judges"], first["pairs"]) == (["a", "b"], 3)
    assert (first["agreement"], first["kappa"], first["ac2"]) == (1.0, 1.0, 1.0)
    assert first["confusion"] == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert found["between"][1]["pairs"] == 0
    assert found["between"][1]["kappa"] is None
    assert "no pair in common" in found["between"][1]["why"]["kappa"]


def test_rows_of_the_confusion_are_the_first_judge():
    two = agree(graded("0001", "0122"), SCALE).between[0]
    assert two.confusion == ((1, 1, 1, 0), (0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0))


def test_nothing_is_missing_where_everything_is_defined():
    found = agree(graded("00112233" * 8, "01122230" * 8), SCALE).to_dict()
    assert list(found["alpha"]) == ["nominal", "ordinal", "interval"]
    for alpha in found["alpha"].values():
        assert list(alpha) == ["value", "ci95"]
        assert alpha["ci95"][0] < alpha["value"] < alpha["ci95"][1]
    assert "why" not in found
    between = found["between"][0]
    assert "why" not in between
    assert list(between["ci95"]) == ["agreement", "kappa", "kappa_linear", "kappa_quadratic", "ac2"]
    for name, (low, high) in between["ci95"].items():
        assert low < between[name] < high


def test_all_grades_the_same():
    found = agree(graded("1111", "1111"), SCALE).to_dict()
    between = found["between"][0]
    assert (between["agreement"], between["ac2"]) == (1.0, 1.0)
    assert (between["kappa"], between["kappa_linear"], between["kappa_quadratic"]) == (None,) * 3
    assert found["fleiss"] is None
    for alpha in found["alpha"].values():
        assert (alpha["value"], alpha["ci95"], alpha["why"]) == (
            None,
            None,
            "all grades are the same",
        )


@st.composite
def campaigns(draw):
    row = st.text("0123.", min_size=6, max_size=6)
    return graded(*draw(st.lists(row, max_size=4)))


@given(campaigns(), st.randoms())
def test_order_of_judges_and_pairs_does_not_matter(grades, random):
    shuffled = {}
    for judge in random.sample(sorted(grades), len(grades)):
        pairs = list(grades[judge].items())
        random.shuffle(pairs)
        shuffled[judge] = dict(pairs)
    one = agree(grades, SCALE, resamples=20)
    assert agree(shuffled, SCALE, resamples=20) == one

    backwards = agree(grades, SCALE, judges=sorted(grades, reverse=True), resamples=20)
    assert (backwards.alpha, backwards.fleiss) == (one.alpha, one.fleiss)
    turned = {other.judges[::-1]: other for other in backwards.between}
    for two in one.between:
        other = turned.pop(two.judges)
        assert two.confusion == tuple(zip(*other.confusion, strict=True))
    assert not turned


@given(campaigns())
def test_the_json_is_plain_and_has_no_nan(grades):
    fields = agree(grades, SCALE, resamples=20).to_dict()
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields


@given(campaigns(), st.permutations(SCALE))
def test_renaming_the_grades_leaves_what_is_nominal(grades, names):
    renamed = {
        judge: {pair: names[grade] for pair, grade in row.items()} for judge, row in grades.items()
    }
    one, other = (agree(each, SCALE, resamples=1) for each in (grades, renamed))
    assert one.fleiss == other.fleiss
    assert one.pairs_judged == other.pairs_judged
    for two, same in zip(one.between, other.between, strict=True):
        assert two.estimates["agreement"] == same.estimates["agreement"]


def test_only_the_judges_asked_for():
    grades = graded("0123", "0123", "3210")
    found = agree(grades, SCALE, judges=["c", "a"])
    assert found.judges == ("c", "a")
    assert [two.judges for two in found.between] == [("c", "a")]
    assert agree(grades, SCALE, judges=["a"]).between == ()


@pytest.mark.parametrize(
    ("judges", "what"),
    [(["anne"], "did you mean 'anna'"), (["anna", "anna"], "named twice")],
)
def test_judges_that_cannot_be(judges, what):
    with pytest.raises(UsageError, match=what):
        agree({"anna": {"p": 1}, "bert": {"p": 1}}, SCALE, judges=judges)


def test_a_grade_off_the_scale_is_refused_with_its_judge():
    with pytest.raises(UsageError, match="grade 7 of judge 'b' is not on the scale"):
        agree({"a": {"p": 1}, "b": {"p": 7}}, SCALE)


@pytest.mark.parametrize("scale", [(), (1,), (1, 0), (0, 0, 1)])
def test_a_scale_that_is_none(scale):
    with pytest.raises(UsageError, match="scale"):
        agree({}, scale)


def test_any_hashable_is_a_pair():
    assert agree({"a": {1: 0, "x": 1}, "b": {1: 0, "x": 1}}, SCALE).pairs_shared == 2


@pytest.mark.parametrize(
    ("alpha", "decimals", "said"),
    [
        (0.75, 2, "0.75"),
        (0.797, 2, "0.797"),
        (0.79999, 2, "0.799"),
        (0.79999, 4, "0.7999"),
        (0.8, 2, "0.80"),
        (0.804, 2, "0.80"),
        (0.6669, 2, "0.666"),
        (0.6669, 3, "0.666"),
        # Not .67, which is tentative.
        (0.665, 2, "0.665"),
        (0.667, 2, "0.67"),
        (0.667, 3, "0.667"),
        (-0.001, 2, "0.00"),
        (-0.2, 2, "-0.20"),
        (1.0, 2, "1.00"),
    ],
)
def test_a_number_never_stands_in_another_band_than_its_word(alpha, decimals, said):
    assert shown_alpha(alpha, decimals) == said


def test_an_interval_is_shown_as_its_ends_are():
    assert shown_span((0.6669, 0.7999)) == "0.666 to 0.799"


@given(st.floats(-1, 1), st.integers(2, 4))
def test_number_and_band_agree(alpha, decimals):
    assert band(float(shown_alpha(alpha, decimals))) == band(alpha)


def test_bands():
    # Krippendorff (2004), Content Analysis, 11.4.
    assert [band(a) for a in (-0.2, 0.6669, 0.667, 0.7999, 0.8, 1)] == [
        "weak",
        "weak",
        "tentative",
        "tentative",
        "firm",
        "firm",
    ]


def test_importing_the_rooms_imports_nothing_heavy():
    names = imported_by("import judge_tui.agreement, judge_tui.pooling")
    assert names.isdisjoint({"numpy", "scipy", "sqlite3", "click", "textual"})
