"""The trial before the work, resuming, asking anew, and one collector in a folder."""

from __future__ import annotations

import csv
import json

import pytest
from filelock import FileLock

from judge_tui.collect.journal import read_replies
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.whole_files import read_run
from judge_tui.model import Query
from tests.collect.asking import OUT, QUERIES, collected, failure, http, one, script

FOUND = (200, {}, b'{"results": [{"id": "a"}]}')


def texts(server) -> list[str]:
    """The queries that the server was asked, in order, since this was called."""
    queries = [params["q"][0] for _m, _p, params, *_ in server.asked if "q" in params]
    server.asked.clear()
    return queries


def files(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / OUT).iterdir()}


def test_nothing_is_asked_or_forgotten_before_every_system_has_been_tried(server, tmp_path):
    tables = {"a": http(server), "b": script("print('[]')")}
    collected(tmp_path, tables)
    assert texts(server) == ["read a csv file", *(query.text for query in QUERIES)]
    before = files(tmp_path)
    tables["c"] = http(server, "/404/x?q={query}")
    tables["d"] = {**script(""), "argv": ["no-such-tool", "{query}"]}
    with pytest.raises(InputError) as raised:
        collected(tmp_path, tables, fresh=True)
    assert [str(error).split(": ")[1:3] for error in (raised.value, *raised.value.also)] == [
        ["system c", "does not answer query q1"],
        ["system d", "does not answer query q1"],
    ]
    assert texts(server) == ["read a csv file", *(query.text for query in QUERIES)]  # of c
    assert files(tmp_path) == before


def test_one_query_that_fails_is_no_reason_to_refuse_three_are(server, tmp_path):
    server.replies = {"/q1": (500, {}, b""), "/q2": (500, {}, b""), "/q3": FOUND}
    table = http(server, "/{query_id}", retries=0)
    found = one(tmp_path, table)
    assert [bool(reply.failure) for reply in found.replies] == [True, True, False]
    server.replies["/q3"] = (500, {}, b"down")
    (tmp_path / "again").mkdir()
    assert "does not answer query q1: HTTP 500" in failure(tmp_path / "again", table)


def test_a_failed_query_is_recorded_with_its_reason_and_stays_in_the_accounting(server, tmp_path):
    server.replies = {"/q1": FOUND, "/q2": (500, {}, b"shard down\n at node 7"), "/q3": FOUND}
    found = one(tmp_path, http(server, "/{query_id}", retries=1))
    assert [reply.query_id for reply in found.failed] == ["q2"]
    why = "HTTP 500 Internal Server Error: shard down at node 7"
    # A run file cannot hold it; the file beside it does.
    assert set(found.run().scores) == {"q1", "q3"}
    with found.latency_path.open(newline="") as stream:
        rows = [
            (r["query_id"], r["results"], r["tries"], r["failure"]) for r in csv.DictReader(stream)
        ]
    assert rows == [("q1", "1", "1", ""), ("q2", "0", "2", why), ("q3", "1", "1", "")]


def test_what_has_an_answer_is_not_asked_again_and_the_files_are_the_same(server, tmp_path):
    first = one(tmp_path, http(server))
    before = files(tmp_path)
    server.asked.clear()
    again = one(tmp_path, http(server))
    assert (server.asked, first.earlier, again.earlier) == ([], (), first.replies)
    assert again.replies == first.replies
    assert files(tmp_path) == before


@pytest.mark.parametrize("at", [1, 2])
def test_interrupted_anywhere_the_run_comes_out_the_same(server, tmp_path, at):
    def interrupt(progress):
        if not progress.note and progress.done == at:
            raise KeyboardInterrupt

    whole = one(tmp_path, http(server)).run_path.read_bytes()
    with pytest.raises(KeyboardInterrupt):
        one(tmp_path, http(server), fresh=True, on_progress=interrupt)
    # What is not whole is not there.
    assert not (tmp_path / OUT / "it.run").exists()
    assert len(list(read_replies(tmp_path / OUT / "it.answers.jsonl"))) == at
    texts(server)
    assert one(tmp_path, http(server)).run_path.read_bytes() == whole
    left = [query.text for query in QUERIES[at:]]
    assert texts(server) == [left[0], *left]


def test_fresh_asks_everything_and_else_a_query_whose_text_has_changed(server, tmp_path):
    one(tmp_path, http(server))
    texts(server)
    changed = (Query("q1", "sort a list"), *QUERIES[1:])
    found = one(tmp_path, http(server), queries=changed)
    assert texts(server) == ["sort a list"] * 2
    assert [hit.doc_id for hit in found.replies[0].hits] == ["docs/sort.md"]
    server.found["sort a list"] = []
    assert one(tmp_path, http(server), fresh=True).replies[1].hits == ()
    assert len(texts(server)) == 4


def test_retry_failed_asks_those_that_failed(server, tmp_path):
    server.replies = {"/q1": FOUND, "/q2": (500, {}, b""), "/q3": FOUND}
    table = http(server, "/{query_id}?q={query}", retries=0)
    assert len(one(tmp_path, table).failed) == 1
    texts(server)
    assert len(one(tmp_path, table).failed) == 1
    assert texts(server) == []
    # Where only such are left, one that was answered tells that the system is well.
    assert len(one(tmp_path, table, retry_failed=True).failed) == 1
    server.replies["/q2"] = FOUND
    assert not one(tmp_path, table, retry_failed=True).failed


def test_one_collector_a_folder(server, tmp_path):
    one(tmp_path, http(server))
    before = files(tmp_path)
    server.asked.clear()
    with (
        FileLock(tmp_path / OUT / ".collect.lock"),
        pytest.raises(InputError, match="another program collects into it; wait for its end"),
    ):
        one(tmp_path, http(server), fresh=True)
    (tmp_path / OUT / ".collect.lock").unlink()
    assert (files(tmp_path), server.asked) == (before, [])


def test_a_refusal_leaves_nothing_in_the_folder_nor_a_new_folder(server, tmp_path):
    said = {"identify": {"url": f"{server.url}/search?q=x", "expect": "v2"}}
    with pytest.raises(InputError, match="so it may be another system"):
        one(tmp_path, http(server, **said))
    assert not (tmp_path / OUT).exists()
    one(tmp_path, http(server))
    before = files(tmp_path)
    with pytest.raises(InputError, match="holds answers to other settings"):
        one(tmp_path, http(server, id="title"))
    assert files(tmp_path) == before


def test_only_one_system_and_the_others_stay(server, tmp_path):
    tables = {"a": http(server), "b": http(server, text="text")}
    collected(tmp_path, tables)
    server.found["sort a list"] = [{"id": "new", "text": "a new one"}]
    assert list(collected(tmp_path, tables, only=["b"], fresh=True)) == ["b"]
    out = tmp_path / OUT
    assert read_run(out / "a.run").tag == "a"
    assert set(json.loads((out / "collect.json").read_text())) == {"a", "b"}
    # Documents are those of all systems that are there.
    lines = (out / "documents.jsonl").read_text().splitlines()
    ids = [json.loads(line)["doc_id"] for line in lines]
    assert ids == ["docs/csv.md", "docs/json%20file.md", "new"]


@pytest.mark.parametrize(("settings", "options"), [({"id": "id || title"}, {}), ({}, {"depth": 3})])
def test_changed_settings_are_refused_before_anything_is_asked(server, tmp_path, settings, options):
    secret = {"headers": {"K": "${API_KEY}"}}
    one(tmp_path, http(server, **secret), environment={"API_KEY": "very secret"})
    server.asked.clear()
    new = {"environment": {"API_KEY": "another one"}}
    with pytest.raises(InputError, match="give another folder with -o, or --fresh to begin anew"):
        one(tmp_path, http(server, **secret, **settings), **new, **options)
    # Another key and other patience are the same system.
    assert one(tmp_path, http(server, **secret, retries=7, timeout=9), **new).earlier
    assert server.asked == []


def test_there_must_be_queries_and_a_folder(server, tmp_path):
    with pytest.raises(UsageError, match="there are no queries"):
        one(tmp_path, http(server), queries=[])
    (tmp_path / OUT).write_text("no folder")
    with pytest.raises(InputError, match="cannot be written to: File exists; give another folder"):
        one(tmp_path, http(server))
    assert server.asked == []


def test_two_systems_are_asked_one_after_another(tmp_path):
    code = "open('log', 'a').write('{0}\\n'); print('[]')"
    tables = {name: script(code.replace("{0}", name)) for name in ("a", "b")}
    assert list(collected(tmp_path, tables)) == ["a", "b"]
    # Both are tried with the first query before the work begins.
    assert (tmp_path / "log").read_text().split() == ["a", "b", *["a"] * 3, *["b"] * 3]


def test_progress_says_the_system_and_the_query_and_why_it_waits(server, tmp_path):
    server.retry_after = "0.1"
    told = []
    table = http(server, "/once/429/1/search?q={query}", max_wait=5)
    one(tmp_path, table, queries=QUERIES[:1], on_progress=told.append)
    assert [(p.done, p.total, p.query.query_id, p.note, p.waits) for p in told] == [
        (0, 1, "q1", "is tried", 0),
        (0, 1, "q1", "waits 1 s (HTTP 429 Too Many Requests)", 0.5),
        (0, 1, "q1", "", 0),
    ]


SAYS = {"argv": ["cat", "version"], "expect": r"index (\w+)|tool [\d.]+"}
VERSIONED = script("print('[]')", identify=SAYS)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"expect": "index songs"},
            "what it says does not match 'index songs', so it may be another",
        ),
        ({"argv": ["no-such-tool"]}, "cannot start 'no-such-tool'"),
        ({"argv": ["sh", "-c", "echo none >&2; exit 1"]}, "identify: exit code 1: none"),
    ],
)
def test_another_system_than_was_meant_is_refused(tmp_path, settings, told):
    (tmp_path / "version").write_text("tool 2.1, index of books")
    assert told in failure(tmp_path, {**VERSIONED, "identify": {**SAYS, **settings}})


def test_over_http_it_is_asked_with_the_headers_of_the_system(server, tmp_path):
    table = http(server, headers={"Authorization": "Bearer ${API_KEY}"})
    table["identify"] = {"url": f"{server.url}/version", "expect": '"index": "(books)"'}
    assert one(tmp_path, table, environment={"API_KEY": "very secret"}).identity == "books"
    assert server.asked[0][1] == "/version"
    assert server.asked[0][3]["Authorization"] == "Bearer very secret"
    assert json.loads((tmp_path / OUT / "collect.json").read_text())["it"]["identity"] == "books"


def test_a_program_is_identified_where_and_with_what_it_runs(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "index").write_text("of songs")
    identify = {"argv": ["sh", "-c", "cat index; echo $MODE"], "expect": "of songs.*"}
    table = script("print('[]')", cwd="inner", env={"MODE": "${MODE}"}, identify=identify)
    found = one(tmp_path, table, environment={"MODE": "very secret"})
    assert found.identity == "of songs${MODE}"


def test_answers_of_two_versions_are_not_mixed(tmp_path):
    (tmp_path / "version").write_text("tool 2.1 at 10:01\n")
    one(tmp_path, VERSIONED, queries=QUERIES[:1])
    (tmp_path / "version").write_text("tool 2.1 at 10:02\n")
    assert one(tmp_path, VERSIONED).identity == "tool 2.1"
    (tmp_path / "version").write_text("tool 2.2 at 10:03\n")
    # Also where nothing is left to be asked.
    with pytest.raises(InputError, match=r"that said 'tool 2\.1', and now it says 'tool 2"):
        one(tmp_path, VERSIONED)
    assert one(tmp_path, VERSIONED, fresh=True).identity == "tool 2.2"


@pytest.mark.parametrize(("new", "said"), [("index v2", "v2"), ("songs", "not as expected: .*")])
def test_one_that_is_exchanged_while_it_is_asked_has_no_run_and_others_have(tmp_path, new, said):
    code = f"print('[]'); 'sort' in sys.argv[1] and open('version', 'w').write('{new}')"
    tables = {"a": script(code, identify=SAYS), "b": script("print('[]')")}
    (tmp_path / "version").write_text("index v1")
    with pytest.raises(
        InputError, match=rf"it said 'v1' at the start and '{said}' at the end; give"
    ):
        collected(tmp_path, tables)
    assert not (tmp_path / OUT / "a.run").exists()
    assert (tmp_path / OUT / "b.run").exists()
    # Its answers are taken for those of neither.
    (tmp_path / "version").write_text("index v1")
    with pytest.raises(InputError, match=r"of a system that said 'v1, then .*', and now it says"):
        collected(tmp_path, tables)


def test_where_it_cannot_be_identified_at_the_end_the_same_command_goes_on(tmp_path):
    (tmp_path / "version").write_text("index v1")
    code = "import os\nprint('[]'); 'sort' in sys.argv[1] and os.remove('version')"
    table = script(code, identify=SAYS)
    with pytest.raises(InputError, match=r"identify fails at the end: .*; its answers are kept"):
        one(tmp_path, table, queries=QUERIES[:2])
    (tmp_path / "version").write_text("index v1")
    found = one(tmp_path, table, queries=QUERIES[:2])
    assert (found.identity, len(found.earlier)) == ("v1", 2)
