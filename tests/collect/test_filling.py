"""Where the query stands in settings, it is filled in as that place writes it."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge_tui.collect.filling import (
    asks_for,
    fill,
    fill_json,
    fill_text_body,
    fill_url,
    unknown_in,
)
from judge_tui.model import Query


def test_names_are_filled_in_and_other_braces_stay():
    query = Query("q 7", 'a "b" {k}')
    assert fill("{query}|{query_id}|{k}|{other}|{}|{{k}}", query, 10) == (
        'a "b" {k}|q 7|10|{other}|{}|{10}'
    )


def test_in_json_every_text_is_filled_and_k_alone_is_a_number():
    body = {"q": {"match": ["{query}", 1, None, True]}, "size": "{k}", "note": "top {k}"}
    assert fill_json(body, Query("q", 'say "hi"\n'), 5) == {
        "q": {"match": ['say "hi"\n', 1, None, True]},
        "size": 5,
        "note": "top 5",
    }


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_in_a_url_any_query_comes_back_as_it_was(text):
    url = fill_url("http://h/{query}/x?q={query}&n={k}#f", Query("q", text), 3)
    parts = urlsplit(url)
    assert parse_qs(parts.query, keep_blank_values=True) == {"q": [text], "n": ["3"]}
    assert parts.path.count("/") == 2


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_in_a_text_that_is_json_any_query_comes_back_as_it_was(text):
    query = Query('q"7', text)
    body = fill_text_body('{"q": "{query}", "id": "{query_id}", "n": {k}}', query, 3)
    assert json.loads(body) == {"q": text, "id": 'q"7', "n": 3}
    lines = fill_text_body('{"index": "a"}\n{"q": "{query}", "n": "{k}"}\n', query, 3)
    assert [json.loads(line) for line in lines.split("\n") if line] == [
        {"index": "a"},
        {"q": text, "n": "3"},
    ]
    assert fill_text_body("find {query}!", query, 3) == f"find {text}!"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_in_a_form_any_query_comes_back_as_it_was(text):
    for media in ("application/x-www-form-urlencoded", "Application/X-WWW-Form-URLencoded; a=b"):
        body = fill_text_body("q={query}&n={k}", Query("q", text), 3, media)
        assert parse_qs(body, keep_blank_values=True) == {"q": [text], "n": ["3"]}


@pytest.mark.parametrize("media", ["text/xml", "application/xml; charset=utf-8", "a/soap+xml"])
@given(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"])))
def test_in_xml_any_query_comes_back_as_it_was(media, text):
    query = Query("q", text.replace("\ufffe", "").replace("\uffff", ""))
    body = fill_text_body(
        "<q a='{query}' b=\"{query}\">{query}<![CDATA[{query}]]>|{k}</q>", query, 3, media
    )
    root = ElementTree.fromstring(body)  # noqa: S314 - of this test
    assert (root.attrib["a"], root.attrib["b"]) == (query.text, query.text)
    assert root.text == f"{query.text}{query.text}|3"


def test_what_would_be_sent_as_it_stands():
    text = "{kk} {K} {query} {query_id} {k} {} { print } ${KEY} {1} {a b} {Query}"
    assert unknown_in(text) == ["kk", "K", "Query"]
    assert unknown_in({"a": ["{q}", {"b": "{n}"}, 3]}) == ["q", "n"]


def test_what_asks_for_the_query():
    assert asks_for({"a": [{"b": "x {query}"}]}, "query")
    assert not asks_for({"{query}": ["a", 3, None]}, "query")
