"""What alpha allows to say."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge_tui.agreement.estimates import (
    Estimate,
    shown_alpha,
    shown_span,
    strength_of,
    verdict_of,
)


@pytest.mark.parametrize(
    ("alpha", "decimals", "shown"),
    [
        (0.75, 2, "0.75"),
        (0.797, 2, "0.797"),
        (0.79999, 2, "0.79999"),
        (0.8, 2, "0.80"),
        (0.804, 2, "0.80"),
        (0.6669, 2, "0.6669"),
        # Not .67, which is tentative.
        (0.665, 2, "0.665"),
        (0.667, 2, "0.67"),
        (-0.001, 2, "0.00"),
        (-0.2, 2, "-0.20"),
        (1.0, 2, "1.00"),
    ],
)
def test_a_number_never_stands_in_another_band_than_its_word(alpha, decimals, shown):
    assert shown_alpha(alpha, decimals) == shown


@given(st.floats(-1, 1), st.integers(2, 4))
@example(0.7999999999999999, 2)
def test_number_and_band_agree(alpha, decimals):
    assert strength_of(float(shown_alpha(alpha, decimals))) == strength_of(alpha)


def test_bands():
    # Krippendorff (2004), Content Analysis, 11.4.
    alphas = (-0.2, 0.6669, 0.667, 0.7999, 0.8, 1)
    bands = ["weak", "weak", "tentative", "tentative", "firm", "firm"]
    assert [strength_of(alpha) for alpha in alphas] == bands
    assert shown_span((0.6669, 0.7999)) == "0.6669 to 0.7999"


@pytest.mark.parametrize(
    ("alpha", "pairs", "verdict"),
    [
        (Estimate(0.9, (0.85, 0.94)), 400, "firm"),
        (Estimate(0.7, (0.68, 0.72)), 400, "tentative"),
        (Estimate(0.5, (0.4, 0.6)), 400, "weak"),
        (Estimate(0.9, (0.85, 0.94)), 4, "firm, but from only 4 pairs"),
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
            "tentative, but the interval reaches down to 0.6669 (weak)",
        ),
        (Estimate(1.0, None, "no interval: ..."), 40, "firm, but without an interval"),
        (Estimate(None, None, "all grades are the same"), 40, "undefined: all grades are the same"),
    ],
)
def test_the_band_heeds_the_interval_and_the_number_of_pairs(alpha, pairs, verdict):
    assert verdict_of(alpha, pairs) == verdict
