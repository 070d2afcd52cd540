"""What is filled into settings, and what is not."""

from __future__ import annotations

import pytest

from judge_tui.collect.template import asks_query, fill, fill_json, query_values
from judge_tui.model import Query

QUERY = Query("q 1", 'a "b"&{k} {query_id}')


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{query}|{query_id}|{k}", 'a "b"&{k} {query_id}|q 1|7'),
        ("{ query } {print} {K} ${k}", "{ query } {print} {K} $7"),
        ("{{query}}", '{a "b"&{k} {query_id}}'),
    ],
)
def test_names_in_braces_are_filled_in_once(text, filled):
    assert fill(text, query_values(QUERY, 7)) == filled


def test_in_json_texts_are_filled_in_and_k_alone_is_a_number():
    value = {"q": ["{query}", True, None, 1.5], "k": "{k}", "n": "top {k}", "{k}": 1}
    assert fill_json(value, query_values(Query("q", '"'), 7)) == {
        "q": ['"', True, None, 1.5],
        "k": 7,
        "n": "top 7",
        "{k}": 1,
    }


@pytest.mark.parametrize(
    ("value", "asks"),
    [("{query}", True), ({"a": ["x{query_id}"]}, True), (["{k}", 3, None], False), (None, False)],
)
def test_whether_a_setting_asks_for_the_query(value, asks):
    assert asks_query(value) == asks
