"""Judged runs that hypothesis draws: up to four runs, five queries, nine documents."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.analysis.small import GREATEST, grades_text

__all__ = ["campaigns"]

LETTERS = "abcdefghi"


@st.composite
def campaigns(draw, least_runs=1, greatest=GREATEST, letters=LETTERS):
    """(lists, grades) for `judged_runs_of`."""
    queries = [f"q{number}" for number in range(draw(st.integers(1, 5)))]
    count = draw(st.integers(least_runs, 4))
    lists = {
        f"r{number}": {
            query: "".join(draw(st.permutations(letters))[: draw(st.integers(0, len(letters)))])
            for query in queries
        }
        for number in range(count)
    }
    grades = {
        query: grades_text(
            draw(st.dictionaries(st.sampled_from(letters), st.integers(0, greatest)))
        )
        for query in queries
    }
    return lists, grades
