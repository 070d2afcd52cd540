"""Keys that are written out in a systems file come into no other file."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.collect import read_systems
from tests.collect.asking import OUT, QUERIES, collected, http, one, systems_file
from tests.collect.tasks.trying import tables, tried

KEY = "sk-0123456789abcdef"


def files_of(folder) -> str:
    return "".join(path.read_text() for path in (folder / OUT).iterdir())


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Authorization", f"Bearer {KEY}"),
        ("X-Api-Key", KEY),
        ("x-auth-token", KEY),
        ("Cookie", f"session={KEY}"),
    ],
)
def test_it_is_sent_and_written_nowhere_even_where_it_is_said_back(server, tmp_path, header, value):
    server.found = {query.text: [{"id": "d", "text": f"you sent {value}"}] for query in QUERIES}
    headers = {header: value, "X-Plain": "to be seen"}
    found = one(tmp_path, http(server, headers=headers, text="text"))
    assert server.asked[0][3].get(header) == value
    assert KEY not in files_of(tmp_path)
    assert KEY not in found.answers[0].hits[0].text
    kept = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]["settings"]["headers"]
    assert kept == {header: "(hidden)", "X-Plain": "to be seen"}


@pytest.mark.parametrize(
    ("setting", "where"),
    [
        ({"url": f"http://h/?q={{query}}&api_key={KEY}"}, "parameter api_key"),
        ({"url": f"http://h/?sig={KEY}&q={{query}}#x"}, "parameter sig"),
        ({"url": f"http://bob:{KEY}@h/{{query}}"}, "password in url"),
        ({"params": {"access_token": KEY, "q": "{query}"}}, "parameter access_token"),
    ],
)
def test_in_a_url_it_is_told_and_kept_out_of_what_is_written(tmp_path, setting, where):
    there = {"kind": "http", "url": "http://h/", "pattern": "a", **setting}
    read = read_systems(systems_file(tmp_path, {"api": there}), environment={})
    assert read.secrets.written_out == [f"{where} of api"]
    kept = json.dumps(dict(read.systems[0].settings))
    assert KEY not in kept
    assert kept.count("(hidden)") == 1
    assert "{query}" in kept
    assert read.secrets.hidden(f"asked with {KEY}.") == f"asked with ({where} of api)."


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"q": "{query}", "api_key": KEY}, "api_key"),
        ({"q": "{query}", "auth": [{"user": "bob", "password": KEY}]}, "auth.1.password"),
        ('{"q": "{query}", "apiKey" : "' + KEY + '"}', "apiKey"),
        ('{"index": "a"}\n{"q": "{query}", "token": "' + KEY + '"}\n', "token"),
        (f"q={{query}}&api_key={KEY}", "api_key"),
        (f"access_token={KEY}&q={{query}}", "access_token"),
    ],
)
def test_in_a_body_too(server, tmp_path, body, where):
    server.found = {query.text: [{"id": "d", "text": f"you sent {KEY}"}] for query in QUERIES}
    there = http(server, method="POST", body=body, text="text")
    read = read_systems(systems_file(tmp_path, {"it": there}), environment={})
    assert read.secrets.written_out == [f"{where} in body of it"]
    found = one(tmp_path, there)
    assert KEY.encode() in server.asked[0][4]
    assert found.answers[0].hits[0].text == f"you sent ({where} in body of it)"
    assert KEY not in files_of(tmp_path)
    kept = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]["settings"]["body"]
    assert json.dumps(kept).count("(hidden)") == 1
    assert "{query}" in json.dumps(kept)
    if isinstance(body, dict):
        assert kept.keys() == body.keys()


@pytest.mark.parametrize(
    "body",
    [
        {"key": "{query}", "token": "${OWN}", "max_tokens": "7", "secret": True, "password": ""},
        {"q": "{query}", "sort": {"key": "date"}},
        '{"key": "{query}", "token": "${OWN}", "sort": "key"}',
        "key={query}&token=${OWN}&sort=key",
    ],
)
def test_what_is_no_key_in_a_body_stays(tmp_path, body):
    there = {"kind": "http", "url": "http://h/", "pattern": "a", "body": body}
    read = read_systems(systems_file(tmp_path, {"api": there}), environment={"OWN": "another"})
    assert (read.secrets.written_out, read.systems[0].settings["body"]) == ([], body)


def test_in_the_environment_of_a_program_too(tmp_path):
    script = 'echo "[{\\"id\\": \\"$1\\", \\"text\\": \\"$MY_TOKEN $TOKENIZERS\\"}]"'
    tool = {
        "kind": "command",
        "argv": ["sh", "-c", script, "sh", "{query}"],
        "env": {"MY_TOKEN": KEY, "TOKENIZERS": "off"},
        "results": "[*]",
        "id": "id",
        "text": "text",
    }
    read = read_systems(systems_file(tmp_path, {"it": tool}), environment={})
    assert read.secrets.written_out == ["MY_TOKEN in env of it"]
    assert one(tmp_path, tool).answers[0].hits[0].text == "(MY_TOKEN in env of it) off"
    assert KEY not in files_of(tmp_path)


@pytest.mark.parametrize(
    "url",
    [
        "http://h/?key={query}",
        "http://h/?q={query}&key=${OWN}",
        "http://b:${OWN}@h/{query}?a=b@c:d",
    ],
)
def test_what_is_no_key_in_a_url_stays(tmp_path, url):
    there = {"kind": "http", "url": url, "pattern": "a"}
    read = read_systems(systems_file(tmp_path, {"api": there}), environment={"OWN": "another"})
    assert (read.secrets.written_out, read.systems[0].settings["url"]) == ([], url)


def test_another_key_is_the_same_system(server, tmp_path):
    one(tmp_path, http(server, headers={"X-Key": KEY}))
    asked = len(server.asked)
    one(tmp_path, http(server, headers={"X-Key": f"{KEY}-new"}))
    assert len(server.asked) == asked


def test_a_short_one_hides_no_word_of_a_document(server, tmp_path):
    server.found = {query.text: [{"id": "test.md", "text": "a test"}] for query in QUERIES}
    found = collected(tmp_path, {"a": http(server, headers={"X-Token": "test"}, text="text")})
    assert found["a"].answers[0].hits[0].text == "a test"
    assert '"X-Token": "(hidden)"' in (tmp_path / OUT / "collect.json").read_text()


def test_of_a_chat_endpoint_too(server, tmp_path):
    server.says = lambda _prompt: f"your key is {KEY}"
    tried(tmp_path, tables(server, headers={"Authorization": f"Bearer {KEY}"}))
    assert KEY not in files_of(tmp_path)


def test_of_what_identifies_a_system_too(server, tmp_path):
    identify = {"url": f"{server.url}/version", "expect": ".", "headers": {"X-Key": KEY}}
    one(tmp_path, http(server, identify=identify))
    assert KEY in [
        headers.get("X-Key") for _, path, _, headers, *_ in server.asked if "ver" in path
    ]
    assert KEY not in files_of(tmp_path)


def test_it_is_told_at_the_start(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.tsv").write_text("q1\tread a csv file\n")
    headers = {"Authorization": f"Bearer {KEY}", "X-Key": "Bearer ${OWN}"}
    systems_file(tmp_path, {"api": http(server, headers=headers)})
    words = ["collect", "systems.toml", "--queries", "q.tsv", "-o", "out"]
    result = CliRunner().invoke(cli, words, env={"OWN": "another key"})
    assert result.exit_code == 0
    assert result.stderr == (
        "header Authorization of api is written out in systems.toml; write it as ${NAME}, from the"
        " environment\n"
    )
    assert KEY not in result.output
