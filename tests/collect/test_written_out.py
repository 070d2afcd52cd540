"""Keys that are written out in a systems file come into no other file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from judge_tui.cli import cli
from judge_tui.collect import read_systems
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.section import Section
from judge_tui.collect.tasks.checking import Checker
from judge_tui.collect.tasks.settings import Check
from judge_tui.errors import InputError
from judge_tui.formats.toml_file import read_toml
from tests.collect.asking import OUT, QUERIES, collected, http, one, systems_file
from tests.collect.server import serving
from tests.collect.tasks.trying import check, tables, tried

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
    assert KEY not in found.replies[0].hits[0].text
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
    assert found.replies[0].hits[0].text == f"you sent ({where} in body of it)"
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
    assert one(tmp_path, tool).replies[0].hits[0].text == "(MY_TOKEN in env of it) off"
    assert KEY not in files_of(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ([f"--api-key={KEY}"], "api-key"),
        (["--api-key", KEY], "api-key"),
        (["-token", KEY], "token"),
        (["-H", f"Authorization: Bearer {KEY}"], "Authorization"),
        ([f"--header=X-Api-Key: {KEY}"], "X-Api-Key"),
        ([f"http://h/?q={{k}}&api_key={KEY}"], "api_key"),
        ([f"http://bob:{KEY}@h/"], "password in url"),
        (["-d", f'{{"q": "{{k}}", "access_token": "{KEY}"}}'], "access_token"),
        (["sh", "-c", f"HF_TOKEN='{KEY}' tool $1"], "HF_TOKEN"),
        (["sh", "-c", f'curl -s "http://h/?sig={KEY}" -H "X-Plain: a"'], "sig"),
    ],
)
def test_in_the_arguments_of_a_program_too(tmp_path, arguments, where):
    script = """printf '[{"id": "d", "text": "said back: %s"}]' """ + f"'{KEY}'"
    code = tmp_path / "tool"
    code.write_text(script)
    argv = ["sh", str(code), "{query}", *arguments]
    tool = {"kind": "command", "argv": argv, "results": "[*]", "id": "id", "text": "text"}
    path = systems_file(tmp_path, {"it": tool})
    read = read_systems(path, environment={})
    assert list(read.notes) == [
        f"{where} in argv of it is written out; every user of the machine sees the arguments of a"
        ' program; give it as env = { KEY = "${KEY}" }'
    ]
    found = one(tmp_path, tool)
    assert found.replies[0].hits[0].text == f"said back: ({where} in argv of it)"
    assert KEY not in files_of(tmp_path)
    kept = json.loads((tmp_path / OUT / "collect.json").read_text())["it"]["settings"]["argv"]
    assert kept[:3] == argv[:3]
    assert json.dumps(kept).count("(hidden)") == 1


def test_in_the_arguments_of_what_identifies_a_system_too(server, tmp_path):
    identify = {"argv": ["echo", "--token", KEY], "expect": "token"}
    there = http(server, identify=identify)
    read = read_systems(systems_file(tmp_path, {"it": there}), environment={})
    assert [note.partition(";")[0] for note in read.notes] == [
        "token in argv of it.identify is written out"
    ]
    one(tmp_path, there)
    assert KEY not in files_of(tmp_path)


def test_in_the_arguments_of_checks_too(server, tmp_path):
    checks = {"runs": ["sh", "-c", "true", "{file}", f"--password={KEY}"]}
    tried(tmp_path, tables(server, checks=checks))
    assert KEY not in files_of(tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--key", "date", "--token", "--max-tokens", "4096", "--sort-key", "date_of_publication"],
        ["TOKEN={query}", "--api-key={query}", "--api-key", "--verbose", "--password="],
        [
            "-H",
            "Authorization: Bearer $SEARCH_KEY_OF_MINE",
            "-d",
            '{"token": "$OWN_LONG_TOKEN_NAME"}',
        ],
        ["sh", "-c", "API_KEY=$OWN_LONG_KEY_NAME tool --password $PASSWORD"],
        ["python3", "-c", "f(api_key=os.environ['KEY'], key=lambda one: one, password=getpass())"],
        ["Keywords: whatever comes to the mind of one", "http://h/a:b@c"],
    ],
)
def test_what_is_no_key_in_arguments_stays(tmp_path, arguments):
    there = {"kind": "command", "argv": ["tool", "{query}", *arguments], "pattern": "a"}
    read = read_systems(systems_file(tmp_path, {"it": there}), environment={})
    assert list(read.notes) == []
    assert read.systems[0].settings["argv"] == there["argv"]


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


def fingerprint(folder, *, environment=None, **setting):
    there = {"kind": "http", "url": "http://h/?q={query}", "pattern": "a", **setting}
    read = read_systems(systems_file(folder, {"api": there}), environment=environment or {})
    return read.systems[0].fingerprint(50)


@pytest.mark.parametrize(
    ("setting", "values", "other"),
    [
        ({"url": "${A}/s?q={query}"}, ("http://one.test", "http://two.test"), True),
        ({"url": "http://h:${A}/s?q={query}"}, ("8001", "8002"), True),
        ({"url": "http://h/${A}/s"}, ("books", "films"), True),
        ({"url": "http://bob:pass@${A}/?q={query}"}, ("one.test", "two.test"), True),
        ({"url": "${A}/{query}"}, ("http://bob:p1@h", "http://ann:p2@h"), False),
        ({"url": "http://bob:${A}@h/?q={query}"}, ("p1p1", "p2p2"), False),
        ({"url": "http://${A}@h/?q={query}"}, ("bob:p1", "ann:p2"), False),
        ({"url": "http://h/?q={query}&in=${A}"}, ("key1", "key2"), False),
        ({"params": {"in": "${A}"}}, ("key1", "key2"), False),
        ({"headers": {"X-In": "${A}"}}, ("key1", "key2"), False),
    ],
)
def test_where_the_address_comes_from_the_environment_another_one_is_another_system(
    tmp_path, setting, values, other
):
    setting = {"body": {"q": "{query}"}, **setting}
    one_, two = (fingerprint(tmp_path, environment={"A": value}, **setting) for value in values)
    assert (one_ != two) == other
    assert one_ == fingerprint(tmp_path, environment={"A": values[0]}, **setting)


def test_answers_from_another_address_are_not_mixed_with_these(server, tmp_path):
    table = http(server) | {"url": "${SEARCH_URL}/search?q={query}&n={k}"}
    one(tmp_path, table, queries=QUERIES[:1], environment={"SEARCH_URL": server.url})
    assert server.url not in files_of(tmp_path)
    with serving() as other, pytest.raises(InputError, match=r"answers to .* from another address"):
        one(tmp_path, table, environment={"SEARCH_URL": other.url})
    assert other.asked == []


@pytest.mark.parametrize(
    "setting",
    [
        {"url": "http://h/?q={query}&key=WORD"},
        {"url": "http://WORD:pass@h/?q={query}"},
        {"params": {"key": "WORD"}},
        {"params": {"api_key": "WORD"}},
        {"headers": {"Cookie": "index=WORD"}},
        {"headers": {"Cookie": f"session={KEY}; index=WORD"}},
        {"headers": {"X-Keyspace": "WORD"}},
        {"body": {"q": "{query}", "key": "WORD"}},
        {"body": {"q": "{query}", "in": [{"api_key": "WORD"}]}},
        {"body": "q={query}&api_key=WORD"},
    ],
)
def test_what_is_as_short_as_a_word_may_choose_what_is_searched(tmp_path, setting):
    def of(word: str) -> str:
        return fingerprint(tmp_path, **json.loads(json.dumps(setting).replace("WORD", word)))

    assert of("books") == of("books")
    assert of("books") != of("films")
    assert of("customer-documents-en_2024.v2") != of("customer-documents-en_2024.v3")


@pytest.mark.parametrize(
    "setting",
    [
        {"headers": {"Authorization": "Basic WORD"}},
        {"url": "http://bob:WORD@h/?q={query}"},
        {"params": {"password": "WORD", "sig": "WORD"}},
        {"body": {"q": "{query}", "client_secret": "WORD"}},
        {"headers": {"X-Key": f"{KEY}-WORD"}},
        {"headers": {"X-Key": "550e8400-e29b-41d4-a716-WORD"}},
        {"headers": {"X-Key": "sk-letters-abcdefghijklmnopWORD"}},
        {"headers": {"Authorization": "Bearer of-some-more-words-WORD"}},
        {"headers": {"Cookie": f"index=books; session={KEY}-WORD"}},
        {"identify": {"url": "http://h", "expect": "a", "headers": {"X-Key": "WORD"}}},
    ],
)
def test_what_chooses_nothing_may_be_another_one(tmp_path, setting):
    def of(word: str) -> str:
        return fingerprint(tmp_path, **json.loads(json.dumps(setting).replace("WORD", word)))

    assert of("aaaa") == of("bbbb")


def test_a_word_is_not_found_by_the_digests_that_files_have(server, tmp_path):
    """Who guesses it has to pay for each guess: no plain digest of it, nor of all settings."""
    one(tmp_path, http(server, headers={"X-Keyspace": "books"}))
    written = files_of(tmp_path)
    assert "books" not in written
    head = json.loads((tmp_path / OUT / "it.answers.jsonl").read_text().partition("\n")[0])
    systems = read_systems(tmp_path / "systems.toml", environment={}).systems
    marks = systems[0].marks["headers"]
    assert not any(mark in written for mark in marks)
    seen = replace(systems[0], settings={**systems[0].settings, "headers": {"X-Keyspace": "books"}})
    assert head["settings"] == systems[0].fingerprint(50)
    assert head["settings"] not in {replace(seen, marks={}).fingerprint(50), seen.fingerprint(50)}


def test_two_of_one_name_are_hidden_both(tmp_path):
    other = KEY[::-1]
    body = f'{{"api_key": "{KEY}"}}\n{{"api_key": "{other}", "q": "{{query}}"}}'
    url = f"http://h/?token={KEY}b&token={other}b"
    there = {"kind": "http", "url": url, "body": body, "pattern": "a"}
    read = read_systems(systems_file(tmp_path, {"api": there}), environment={})
    assert read.secrets.written_out == ["parameter token of api", "api_key in body of api"]
    assert read.secrets.hidden(f"{KEY} {other} {KEY}b {other}b") == (
        "(api_key in body of api) (api_key in body of api)"
        " (parameter token of api) (parameter token of api)"
    )
    assert KEY[3:] not in (shown := json.dumps(dict(read.systems[0].settings)))
    assert shown.count("(hidden)") == 4


def test_a_user_as_long_as_a_key_is_hidden_with_or_without_a_password(tmp_path):
    for user, told in (
        (KEY, ["user in url"]),
        (f"{KEY}:x", ["user in url", "password in url"]),
        ("bob", []),
        ("bob:", []),
    ):
        there = {"kind": "http", "url": f"http://{user}@h/{{query}}", "pattern": "a"}
        read = read_systems(systems_file(tmp_path, {"api": there}), environment={})
        assert read.secrets.written_out == [f"{one} of api" for one in told]
        shown = read.systems[0].settings["url"]
        assert (KEY in shown, "bob" in shown) == (False, "bob" in user)


@pytest.mark.parametrize("name", ["options", "auth"])
def test_what_a_kind_reads_as_json_is_shown_without_keys_whatever_its_name(tmp_path, name):
    secrets = Secrets({})
    file = read_toml(systems_file(tmp_path, {}, **{name: {"api_key": KEY}}), "")
    section = Section(file, (), file.table, secrets)
    assert section.json(name) == {"api_key": KEY}
    assert section.shown == {name: {"api_key": "(hidden)"}}
    assert secrets.hidden(KEY) == f"(api_key in {name} of )"


def test_a_short_one_hides_no_word_of_a_document(server, tmp_path):
    server.found = {query.text: [{"id": "test.md", "text": "a test"}] for query in QUERIES}
    found = collected(tmp_path, {"a": http(server, headers={"X-Token": "test"}, text="text")})
    assert found["a"].replies[0].hits[0].text == "a test"
    assert '"X-Token": "(hidden)"' in (tmp_path / OUT / "collect.json").read_text()


def test_of_a_chat_endpoint_too(server, tmp_path):
    server.says = lambda _prompt: f"your key is {KEY}"
    tried(tmp_path, tables(server, headers={"Authorization": f"Bearer {KEY}"}))
    assert KEY not in files_of(tmp_path)


def test_of_the_environment_of_checks_too(server, tmp_path):
    code = "import os; print('it reads', os.environ['MY_TOKEN'])"
    there = {"check_env": {"MY_TOKEN": KEY, "MODE": "fast"}, "checks": {"reads": check(code)}}
    told = tried(tmp_path, tables(server, **there))
    read = read_systems(tmp_path / "systems.toml", environment={})
    assert read.notes == (
        "MY_TOKEN in check_env of coder is written out; whatever runs there can read it: take it"
        " out, or write what is no secret",
    )
    assert KEY not in files_of(tmp_path)
    assert told.attempts["t1", "plain"].checks["reads"].output == (
        "it reads (MY_TOKEN in check_env of coder)\n"
    )
    kept = json.loads((tmp_path / OUT / "collect.json").read_text())["coder"]["settings"]
    assert kept["check_env"] == {"MY_TOKEN": "(hidden)", "MODE": "fast"}


def a_check(folder, *arguments: str) -> tuple[Checker, Check]:
    """A check with such arguments, and who runs it."""
    there = {
        "kind": "task",
        "url": "http://h/chat",
        "model": "m",
        "prompt": "{query}",
        "arms": {"plain": {}},
        "checks": {"runs": ["sh", "-c", "true", *arguments]},
    }
    read = read_systems(systems_file(folder, {"coder": there}), environment={})
    (system,) = read.tasks
    return Checker(read.path, system, read.secrets), system.tasks.checks[0]


def digest_of_check(folder, *arguments: str) -> str:
    checker, it = a_check(folder, *arguments)
    return checker.fingerprint(it, QUERIES[0])


def test_a_short_password_of_a_check_is_not_found_by_its_digest(tmp_path):
    first = digest_of_check(tmp_path, "--password", "hunter2", "{query}")
    assert first == digest_of_check(tmp_path, "--password", "letmein", "{query}")
    assert first != digest_of_check(tmp_path, "--password", "hunter2", "{query_id}")


def test_another_short_value_that_may_be_a_word_is_another_check(tmp_path):
    films = digest_of_check(tmp_path, "--api-key=films")
    assert films == digest_of_check(tmp_path, "--api-key=films")
    assert films != digest_of_check(tmp_path, "--api-key=books")
    # Nor is it found by a plain digest.
    checker, it = a_check(tmp_path, "--api-key=films")
    assert it.shown[-1] == "--api-key=(hidden)"
    guesses = [replace(it, shown=it.argv), replace(it, shown=it.argv, marks=())]
    assert films not in {checker.fingerprint(one, QUERIES[0]) for one in guesses}


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
