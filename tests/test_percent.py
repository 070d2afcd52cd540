"""What is not all is never told as all, nor what is something as nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.percent import percent


@pytest.mark.parametrize(
    ("share", "decimals", "words", "short"),
    [
        (0, 0, "0 %", "0 %"),
        (0.004, 0, "less than 1 %", "<1 %"),
        (0.006, 0, "1 %", "1 %"),
        (0.925, 0, "92 %", "92 %"),
        (0.994, 0, "99 %", "99 %"),
        (0.995, 0, "more than 99 %", ">99 %"),
        (1, 0, "100 %", "100 %"),
        (0.995, 1, "99.5 %", "99.5 %"),
        (0.9996, 1, "more than 99.9 %", ">99.9 %"),
        (0.0004, 1, "less than 0.1 %", "<0.1 %"),
    ],
)
def test_as_words_and_short(share, decimals, words, short):
    assert percent(share, decimals) == words
    assert percent(share, decimals, short=True) == short


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(0, 3))
def test_the_ends_are_those_of_all_and_nothing_alone(part, whole, decimals):
    share = min(part, whole) / whole
    text = percent(share, decimals)
    assert text.startswith("100") == (share == 1)
    assert (float(text.split()[-2]) == 0) == (share == 0)
