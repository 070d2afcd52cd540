"""Which of several queries of one text the rows of a file are that has no ids."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats.named_queries import NamedQueries
from judge_tui.formats.which_queries import which_queries
from judge_tui.model import Query


def rows_of(*said: str) -> list[Query]:
    """A query of each "text" or "text/class", by the numbers of their places."""
    both = [one.partition("/") for one in said]
    return [
        Query(f"q{place}", text, query_class=its, own_id=False)
        for place, (text, _, its) in enumerate(both, 1)
    ]


def each(known: str, rows: str) -> list[str]:
    """Of each row the numbers of the queries that it may be."""
    named = NamedQueries(rows_of(*known.split()))
    queries = rows_of(*rows.split())
    found = which_queries(queries, named).of_each(len(queries))
    return ["".join(query.query_id[1:] for query in its) for its in found]


@pytest.mark.parametrize(
    ("known", "rows", "which"),
    [
        # What is said of it tells; spellings of a standard class are one.
        ("a s/x s/y c", "a s/y c", "1 3 4"),
        ("a s/lookup s/survey c", "a s/Look-up c", "1 2 4"),
        ("s/x s/y", "s/y s/x", "2 1"),
        ("s/x s/y s", "s/y", "2"),
        ("s/x s/y s", "s/other", "3"),
        ("s/x s/y s", "s/y s", "2 3"),
        # Where there are as many, a class that is another now was mended.
        ("s/x s/y", "s/x s/z", "1 2"),
        ("s/x s/y", "s/z s/x", "2 1"),
        ("s/x s/y", "s/x s/x", "1 2"),
        # What one side alone says tells nothing, and nor does the place of a row.
        ("a s s c", "a s c", "1 23 4"),
        ("a s/x s/y c", "a s c", "1 23 4"),
        ("a s s", "a s/x", "1 23"),
        ("a s/x s/x s/y", "s/x a s/y", "23 1 4"),
        ("s/x s/y", "s/z", "12"),
        # What stands above and below it does, whatever came or went elsewhere.
        ("a s b s c", "a s b c", "1 2 3 5"),
        ("a s b s c", "a b s c", "1 3 4 5"),
        ("a s b s c", "n s m b s s c", "- 2 - 3 4 - 5"),
        ("a s b", "s a s b", "- 1 2 3"),
        ("a s b s c", "c s b a", "5 24 3 1"),
        # Nor does it matter that its neighbour was mended, as the place of each is kept.
        ("a sort_it sort_it c", "a sort_it sort_it. c", "1 2 - 4"),
        ("a s s c", "a s new c", "1 23 - 4"),
        # As many as there were are they, in their order.
        ("a s s c", "n a s s c", "- 1 2 3 4"),
        ("a s b s", "s s b", "2 4 3"),
        # Of more than there were the first ones are, which must be said.
        ("a s c", "a s s c", "1 2 - 3"),
        ("a s/x c", "a s/y s/x c", "1 - 2 3"),
    ],
)
def test_a_row_is_the_one_of_which_the_same_is_said_or_that_stands_between_the_same(
    known: str, rows: str, which: str
) -> None:
    assert [its or "-" for its in each(known, rows)] == which.split()


SAID = st.lists(st.sampled_from(["a", "b", "c", "s", "s", "s/x", "s/y"]), max_size=8)


@given(SAID, st.sets(st.integers(0, 7)))
def test_where_rows_were_taken_out_or_put_in_none_is_taken_for_another(said, gone):
    """Either way the row that was there is the query, or nothing is known of it."""
    every = rows_of(*said)
    left = [query for at, query in enumerate(every) if at not in gone]
    for known, rows in ((every, left), (left, every)):
        which = which_queries([replace(row) for row in rows], NamedQueries(known))
        there = {query.query_id for query in known}
        assert all(rows[at].query_id == its.query_id for at, its in which.sure.items())
        unsure = {at for its in which.unsure for at in its.rows}
        assert {
            at for at, row in enumerate(rows) if row.query_id in there
        } <= which.sure.keys() | unsure
        assert not unsure & which.sure.keys()
        # As many rows as queries would not be unsure.
        assert all(len(its.rows) != len(its.queries) for its in which.unsure)
