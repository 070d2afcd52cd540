"""Where answers are there to other settings, it is said which: never with what is secret."""

from __future__ import annotations

import json

import pytest

from judge_tui.collect.differing import settings_that_differ
from judge_tui.errors import InputError
from tests.collect.asking import OUT, QUERIES, collected, http, one

ANEW = "use another folder with -o, or --again to begin anew"
GENERAL = "holds answers to other settings, from another address, out of other files"


def told(tmp_path, table, **options) -> str:
    """Why what is there is not gone on with."""
    with pytest.raises(InputError) as raised:
        one(tmp_path, table, **options)
    return str(raised.value).removeprefix(f"{tmp_path}/{OUT}/it.answers.jsonl:1: ")


def test_what_differs_is_named(server, tmp_path):
    one(tmp_path, http(server, score="score", params={"lang": "en"}))
    others = "holds answers to other settings: "
    table = http(server, score="score", params={"lang": "en"})
    assert told(tmp_path, table, depth=10) == f"{others}depth was 50, is 10; {ANEW}"
    assert told(tmp_path, table | {"id": "url"}) == f"{others}id was 'id', is 'url'; {ANEW}"
    table |= {"params": {"lang": "de", "sort": "new"}}
    del table["score"]
    # How patiently it is asked changes no reply.
    assert told(tmp_path, table | {"timeout": 7}, depth=5) == (
        f"{others}depth was 50, is 5, and params.lang was 'en', is 'de', and params.sort was not"
        f" there, is 'new', and score was 'score', is not there; {ANEW}"
    )


def test_a_secret_is_told_by_its_name_and_a_key_not_at_all(server, tmp_path):
    keys = {"OLD_KEY": "very secret", "NEW_KEY": "more secret"}
    table = http(server, headers={"X-Key": "${OLD_KEY}", "Y-Key": "written out, too"})
    one(tmp_path, table, environment=keys)
    other = {"headers": {"X-Key": "${NEW_KEY}", "Y-Key": "written out, too"}}
    said = told(tmp_path, table | other, environment=keys)
    assert "settings: headers.X-Key was '${OLD_KEY}', is '${NEW_KEY}'; use" in said
    other = {"headers": {"X-Key": "${OLD_KEY}", "Y-Key": "${NEW_KEY}"}}
    said = told(tmp_path, table | other, environment=keys)
    assert "written" not in said
    assert "secret" not in said


def test_what_cannot_be_told_is_said_as_such(server, tmp_path):
    """Where nothing is described: of interrupted work; or what is described is of others."""
    one(tmp_path, http(server))
    described = tmp_path / OUT / "collect.json"
    whole = described.read_text()
    for text in (
        None,
        "{}",
        '{"it": 3}',
        '{"it": {"settings": {"kind": "http"}}}',
        whole.replace('"depth": 50', '"depth": 49'),
    ):
        if text is None:
            described.unlink()
        else:
            described.write_text(text)
        assert told(tmp_path, http(server), depth=10).startswith(GENERAL)
    described.write_text(whole)
    assert told(tmp_path, http(server, "/version?q={query}"), depth=10).startswith(
        "holds answers to other settings: depth was 50, is 10, and url was "
    )


def test_files_that_have_changed_are_not_taken_for_settings(server, tmp_path):
    (tmp_path / "docs.jsonl").write_text('{"doc_id": "a", "text": "one"}\n')
    table = {"kind": "embedding", "url": f"{server.url}/embeddings", "model": "hashed"}
    table |= {"documents": "docs.jsonl", "longest_wait": 0.01}
    one(tmp_path, table, queries=QUERIES[:1])
    (tmp_path / "docs.jsonl").write_text('{"doc_id": "a", "text": "two"}\n')
    assert told(tmp_path, table, queries=QUERIES[:1], depth=10).startswith(GENERAL)
    assert told(tmp_path, table, queries=QUERIES[:1]) == (
        "holds answers to other settings: what is in its documents, 'docs.jsonl', was another, or"
        f" an earlier version read a setting otherwise; {ANEW}"
    )


def test_lists_and_tables_are_told_by_what_differs_in_them():
    long = "a" * 80
    before = {"argv": ["tool", "--old", "{query}"], "body": {"a": {"b": 1}}, "id": f"{long}1"}
    now = {"argv": ["tool", "--new", "{query}"], "body": {"a": {"b": True}}, "id": f"{long}2"}
    assert list(settings_that_differ(before, json.loads(json.dumps(now)))) == [
        "argv[1] was '--old', is '--new'",
        "body.a.b was 1, is true",
        "id was another",
    ]
    assert list(settings_that_differ({"argv": ["a"]}, {"argv": ["a", "b"]})) == [
        'argv was ["a"], is ["a", "b"]'
    ]
    hidden = {"headers": {"Authorization": "(hidden)"}}
    assert list(settings_that_differ(hidden, {"headers": {"Authorization": "${KEY}"}})) == [
        "headers.Authorization was another"
    ]


def test_each_of_several_systems_is_told_by_its_own(server, tmp_path):
    collected(tmp_path, {"a": http(server), "b": http(server)})
    with pytest.raises(InputError, match=r"b\.answers\.jsonl:1: .* settings: id was 'id', is 'x';"):
        collected(tmp_path, {"a": http(server), "b": http(server, id="x")})
