"""Grades of several judges, by hand and for property tests."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from judge_tui.agreement.ratings import ratings_of

SCALE = (0, 1, 2, 3)


def grades(*rows):
    """judge a, b, c ... -> pair -> grade, from one string for each judge; "." is not graded. The
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


def ratings(*rows):
    """The same as arrays, each judge's grades in the order of the string."""
    found = grades(*rows)
    pairs = dict.fromkeys(pair for row in found.values() for pair in row)
    came = {(judge, pair): at for judge, row in found.items() for at, pair in enumerate(row)}
    return replace(
        ratings_of(found, SCALE),
        came=np.array([[came.get((judge, pair), 0) for pair in pairs] for judge in found]),
        queries=np.array([int(query_id == "q2") for query_id, _ in pairs]),
        query_ids=("q1", "q2"),
        classes=("", ""),
    )


@st.composite
def grade_arrays(draw, least=2, most=5, pairs=12):
    """int8[judges, pairs]."""
    row = st.lists(st.integers(-1, 3), min_size=pairs, max_size=pairs)
    return np.array(draw(st.lists(row, min_size=least, max_size=most)), dtype=np.int8)


def rows_of(codes):
    """The strings that `grades` takes."""
    return ["".join("." if code < 0 else str(code) for code in row) for row in codes.tolist()]


@st.composite
def tables(draw, most=15):
    """A scale, and pairs x grades: how often each pair got each grade of it."""
    scale = draw(st.sampled_from([(0, 1), SCALE, (0, 1, 3, 9)]))
    pair = st.lists(st.integers(0, 4), min_size=len(scale), max_size=len(scale))
    return scale, draw(st.lists(pair, min_size=2, max_size=most))
