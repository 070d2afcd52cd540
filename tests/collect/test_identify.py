"""What a system says that it is: asked before the work and after it, and kept with its answers."""

from __future__ import annotations

import json
import sys

import pytest

from judge_tui.collect.journal import read_replies
from judge_tui.errors import InputError
from judge_tui.model import Query
from tests.collect.asking import QUERIES, collected, failure, http, one, script

ONE = [Query("q", "what")]
SAYS = [sys.executable, "-S", "-c", "print('tool 2.1, index books\\nready')"]
EMPTY = "print('[]')"


@pytest.mark.parametrize(
    ("identify", "told"),
    [
        (
            {"argv": SAYS, "expect": "index songs"},
            "another system, or another version: 'index songs' is not in what it says: tool 2.1, ",
        ),
        ({"argv": ["no-such-tool"], "expect": "a"}, "cannot start 'no-such-tool'"),
        (
            {"argv": [sys.executable, "-S", "-c", "raise SystemExit('none')"], "expect": "n"},
            "identify: exit code 1: none",
        ),
    ],
)
def test_another_system_than_was_meant_is_refused(tmp_path, identify, told):
    assert told in failure(tmp_path, script(EMPTY, identify=identify), queries=ONE)


@pytest.mark.parametrize(
    ("expect", "identity"),
    [
        (r"tool 2\.\d", "tool 2.1"),
        (r"index (\w+)", "books"),
        (r"(song)|index (\w+)", "books"),
        (r"index ()\w+", "index books"),
        (r"^(ready)$", "ready"),
    ],
)
def test_what_a_system_is_found_to_be_is_kept(tmp_path, expect, identity):
    table = script(EMPTY, identify={"argv": SAYS, "expect": expect})
    for _ in range(2):
        assert one(tmp_path, table, queries=ONE).identity == identity
    kept = json.loads((tmp_path / "out" / "collect.json").read_text())["it"]
    assert kept["identity"] == identity


def test_over_http_it_is_asked_with_the_headers_of_the_system(server, tmp_path):
    server.replies["/search"] = (200, {}, b'{"results": []}')
    table = http(server, headers={"Authorization": "Bearer ${API_KEY}"})
    table["identify"] = {"url": f"{server.url}/version", "expect": '"index": "books"'}
    found = one(tmp_path, table, environment={"API_KEY": "very secret"})
    assert found.identity == '"index": "books"'
    assert server.asked[0][1] == "/version"
    assert server.asked[0][3]["Authorization"] == "Bearer very secret"


def test_it_is_identified_where_and_with_what_it_runs(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "index").write_text("of songs")
    code = "import os; print(open('index').read(), os.environ['MODE'])"
    table = script(
        EMPTY,
        cwd="inner",
        env={"MODE": "${MODE}"},
        identify={"argv": [sys.executable, "-S", "-c", code], "expect": "of songs.*"},
    )
    found = one(tmp_path, table, queries=ONE, environment={"MODE": "very secret"})
    assert found.identity == "of songs ${MODE}"


def test_answers_of_two_versions_are_not_mixed(tmp_path):
    version = tmp_path / "version"
    version.write_text("tool 2.1 at 10:01\n")
    table = script(EMPTY, identify={"argv": ["cat", "version"], "expect": r"tool [\d.]+"})
    one(tmp_path, table, queries=QUERIES[:1])
    version.write_text("tool 2.1 at 10:02\n")
    one(tmp_path, table)
    version.write_text("tool 2.2 at 10:03\n")
    # Also where nothing is left to be asked.
    with pytest.raises(InputError, match=r"that said 'tool 2\.1', and now it says 'tool 2"):
        one(tmp_path, table)
    assert one(tmp_path, table, fresh=True).identity == "tool 2.2"


EXCHANGING = script(
    "if sys.argv[1] == 'sort a list': open('index', 'w').write('index v2')\n"
    "print('[{\"id\": \"' + open('index').read()[-2:] + '\"}]')",
    identify={"argv": ["cat", "index"], "expect": r"index (v\d)"},
)


def test_one_that_is_exchanged_while_it_is_asked_has_no_run_and_the_others_have(tmp_path):
    (tmp_path / "index").write_text("index v1")
    tables = {"a": EXCHANGING, "b": script('print(\'[{"id": "b"}]\')')}
    with pytest.raises(InputError, match="it said 'v1' at the start and 'v2' at the end; give ano"):
        collected(tmp_path, tables)
    out = tmp_path / "out"
    assert not (out / "a.run").exists()
    assert (out / "b.run").exists()
    replies = read_replies(out / "a.answers.jsonl")
    assert [one.hits[0].doc_id for one in replies] == ["v1", "v2", "v2"]
    # The next one takes them for those of neither.
    for index in ("index v2", "index v1"):
        (tmp_path / "index").write_text(index)
        with pytest.raises(InputError, match="of a system that said 'v1, then v2', and now it"):
            collected(tmp_path, tables)
    (tmp_path / "index").write_text("index v2")
    assert collected(tmp_path, tables, fresh=True)["a"].identity == "v2"


def test_one_that_is_exchanged_for_something_else_altogether(tmp_path):
    (tmp_path / "index").write_text("index v1")
    code = EXCHANGING["argv"][3].replace("'index v2'", "'songs'")
    table = {**EXCHANGING, "argv": [*EXCHANGING["argv"][:3], code, "{query}"]}
    with pytest.raises(InputError, match="'v1' at the start and 'not as expected: songs' at the"):
        one(tmp_path, table)


def test_where_it_cannot_be_identified_at_the_end_the_same_command_goes_on(tmp_path):
    (tmp_path / "index").write_text("index v1")
    code = "import os, sys\nif sys.argv[1] == 'sort a list': os.remove('index')\nprint('[]')"
    table = {**EXCHANGING, "argv": [*EXCHANGING["argv"][:3], code, "{query}"]}
    with pytest.raises(InputError) as raised:
        one(tmp_path, table, queries=QUERIES[:2])
    assert "system it: identify fails at the end: identify: exit code 1" in str(raised.value)
    assert "its answers are kept" in str(raised.value)
    (tmp_path / "index").write_text("index v1")
    found = one(tmp_path, table, queries=QUERIES[:2])
    assert (found.identity, found.kept) == ("v1", 2)
