"""Grades of several judges for property tests."""

import numpy as np
from hypothesis import strategies as st

from judge_tui.agreement import data_of

__all__ = ["SCALE", "data", "judged", "places"]

SCALE = (0, 1, 2, 3)


def judged(*rows):
    """judge a, b, c ... -> pair -> grade, from one string for each judge; "." is not judged. The
    first half of the pairs is of query q1, the second of q2."""
    half = (max(map(len, rows), default=0) + 1) // 2
    return {
        judge: {
            (f"q{1 + (at >= half)}", f"d{at}"): int(grade)
            for at, grade in enumerate(row)
            if grade != "."
        }
        for judge, row in zip("abcdefgh", rows, strict=False)
    }


@st.composite
def places(draw, least=2, most=5, pairs=12):
    """int8[judges, pairs]."""
    count = draw(st.integers(least, most))
    row = st.text("0123.", min_size=pairs, max_size=pairs)
    rows = draw(st.lists(row, min_size=count, max_size=count))
    whole = [[-1 if grade == "." else int(grade) for grade in one] for one in rows]
    return np.array(whole, dtype=np.int8)


def data(*rows):
    """The same as arrays, each judge's grades in the order of the string."""
    return data_of(judged(*rows), SCALE)
