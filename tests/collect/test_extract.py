"""Results out of replies: JSON, lines of JSON, and text."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from judge_tui.collect import Hit
from judge_tui.collect.extract import extract, find
from judge_tui.collect.search_system import SearchError, SearchSystem
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.settings import ResultSettings

PLAIN = ResultSettings(results="hits", id="id")


def results(**settings) -> ResultSettings:
    return ResultSettings(**{"results": "hits", "id": "id", **settings})


class Extracting(SearchSystem):
    async def fetch(self, query):
        """Nothing is asked: replies are given."""

    def find_hits(self, reply):
        return extract(*reply, 5)


def ids(settings: ResultSettings, reply: str, depth: int = 50) -> list[str]:
    system = Extracting(SimpleNamespace(depth=depth, secrets=Secrets({})))
    hits, repeated = system.take_hits((settings, reply))
    return [hit.doc_id for hit in hits] + ["again"] * repeated


@pytest.mark.parametrize(
    ("settings", "reply", "found"),
    [
        (PLAIN, '{"hits": [{"id": "a"}, {"id": 7}, {"id": " b c "}]}', ["a", "7", "b%20c"]),
        (PLAIN, '{"hits": []}', []),
        (results(results="[*]"), '[{"id": "a"}]', ["a"]),
        (results(results="@", lines=True), '{"id": "a"}\n\n{"id": "b"}\r\n', ["a", "b"]),
        (results(results="[].hits[]", lines=True), '{"hits": [{"id": "a"}]}\n{"x": 1}', ["a"]),
        (results(results="@", lines=True), "", []),
        (
            results(id="join(':', [path, to_string(line)])"),
            '{"hits": [{"path": "a.py", "line": 3}]}',
            ["a.py:3"],
        ),
        *((results(results="hits || `[]`"), reply, []) for reply in ("{}", "null", "")),
        (
            ResultSettings(pattern=r"docs://\S+"),
            "see docs://a and docs://b, docs://a",
            ["docs://a", "docs://b,", "again"],
        ),
        (ResultSettings(pattern=r"id=(\w+)( x)?"), "id=a x id=b", ["a", "b"]),
        (ResultSettings(pattern=r"(\d+) (?P<id>\w+)"), "1 a\n2 b", ["a", "b"]),
        (ResultSettings(pattern=r"^\w+$"), "a\r\nb c\r\nd", ["a", "d"]),
        (ResultSettings(pattern=r"x*"), "yy", []),
    ],
)
def test_what_is_found(settings, reply, found):
    assert ids(settings, reply) == found


@pytest.mark.parametrize(
    ("settings", "reply", "told"),
    [
        (
            PLAIN,
            "[info] ready\n{}",
            "the answer is not one JSON value; logs belong on stderr: [info] ready {}",
        ),
        (PLAIN, '{"hits": [{"id": ', "the answer is not one JSON value"),
        (PLAIN, '{"hits": []} {"hits": []}', "the answer is not one JSON value"),
        (PLAIN, "[" * 100_000, "the answer is not one JSON value"),
        (results(lines=True), '{"a": 1}\nnow', "the answer is not lines of JSON"),
        (PLAIN, "", "an empty answer (if that is how it says that nothing was found: results = "),
        (
            PLAIN,
            '{"error": "down", "n": 1}',
            "nothing at hits in the answer (if that is how it says that nothing was found: "
            'results = "hits || `[]`"), but: error, n',
        ),
        (PLAIN, '{"hits": {"a": 1}}', "hits of the answer is not a list"),
        (
            PLAIN,
            '{"hits": [{"name": 1, "file": "a"}]}',
            "result 1 has nothing at id = 'id', but: name, file",
        ),
        (PLAIN, '{"hits": ["a"]}', "result 1 has nothing at id = 'id', but: a"),
        (PLAIN, '{"hits": [{"id": true}]}', "result 1: its id (id) is not a text"),
        (PLAIN, '{"hits": [{"id": "a"}, {"id": "  "}]}', "result 2: its id (id) is empty or has"),
        (PLAIN, '{"hits": [{"id": "a\\u0000"}]}', "result 1: its id (id) is empty or has"),
        (PLAIN, '{"hits": [{"id": "\\ud800"}]}', "result 1: its id (id) is empty or has"),
        (
            results(score="s"),
            '{"hits": [{"id": "a", "s": "x"}]}',
            "result 1: its score is not a numb",
        ),
        (
            results(score="s"),
            '{"hits": [{"id": "a", "s": NaN}]}',
            "result 1: its score is not a numb",
        ),
        (results(results="length(hits)"), '{"hits": 3}', "length(hits): In function length()"),
        (
            ResultSettings(pattern=r"([a])|b"),
            "a b",
            "result 2: group 1 of pattern matches nothing",
        ),
    ],
)
def test_what_is_no_answer(settings, reply, told):
    with pytest.raises(SearchError) as raised:
        list(extract(settings, reply, 5))
    assert raised.value.line(str).startswith(told)


def test_scores_and_texts_as_they_are():
    settings = results(score="s", title="t", text="x", doc_url="u")
    reply = (
        '{"hits": [{"id": "a", "s": "1.5", "t": "T\\u0000", "x": {"a": 1}, "u": "U"}, {"id": "b"}]}'
    )
    assert list(extract(settings, reply, 5)) == [
        Hit("a", 1.5, "T\N{SYMBOL FOR NULL}", '{"a": 1}', "U"),
        Hit("b"),
    ]


def test_what_stands_behind_the_last_document_that_is_kept_is_not_judged():
    reply = '{"hits": [{"id": "a"}, {"id": "a"}, {"id": "b"}, {"id": null}]}'
    assert ids(PLAIN, reply, 2) == ["a", "b", "again"]
    with pytest.raises(SearchError, match="result 4"):
        ids(PLAIN, reply, 3)


def test_a_search_that_does_not_end_is_ended():
    begun = time.monotonic()
    with pytest.raises(SearchError, match=r"the search for .* takes longer than 0.1 s"):
        list(find("(a|aa)+$", "a" * 60 + "b", 0.1))
    assert time.monotonic() - begun < 5
