"""Queries found as files name them: by id in the spelling of TREC, or by text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judge_tui.formats import encode_id
from judge_tui.formats.named_queries import NamedQueries
from judge_tui.model import Query

QUERIES = (
    Query("my q", "read  a\tfile"),
    Query("twin", "read a file"),
    Query("own", "twin"),
    Query("my%20q", "a code in its id"),
)


def ids(found: list[Query]) -> list[str]:
    return [query.query_id for query in found]


def test_an_id_goes_before_a_text():
    assert ids(NamedQueries(QUERIES).named("twin")) == ["twin"]


def test_a_text_means_all_that_have_its_words_in_their_order():
    named = NamedQueries(QUERIES)
    assert ids(named.of_text(" read a  file ")) == ["my q", "twin"]
    assert ids(named.named("read%20a%20file")) == ["my q", "twin"]
    assert named.of_text("nobody asks this") == []


def test_a_native_id_is_taken_as_it_is():
    named = NamedQueries(QUERIES)
    assert named.of_id("my%20q") is QUERIES[3]
    assert named.of_id("my q") is QUERIES[0]
    assert named.of_id("read a file") is None


@given(st.lists(st.text(min_size=1), unique=True))
def test_what_was_written_for_trec_names_the_query_it_was_written_for(query_ids):
    queries = [Query(query_id, "one text for all") for query_id in query_ids]
    named = NamedQueries(queries)
    assert all(named.named(encode_id(query.query_id)) == [query] for query in queries)
