"""Pre-flight, resuming, asking again, and one collector in a folder."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from filelock import FileLock

from judge_tui.collect import CollectRequest, collect, read_systems
from judge_tui.collect.journal import read_replies
from judge_tui.errors import InputError, UsageError
from judge_tui.formats.whole_files import read_run
from judge_tui.model import Query
from tests.collect.asking import (
    OUT,
    QUERIES,
    collected,
    failure,
    http,
    one,
    script,
    systems_file,
)
from tests.collect.server import serving


def texts(server) -> list[str]:
    """The queries that the server was asked, in order."""
    return [params["q"][0] for _m, _p, params, *_ in server.asked if "q" in params]


def files(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / OUT).iterdir()}


def test_every_system_is_tried_before_any_is_asked(server, tmp_path):
    with serving() as other:
        other.found = server.found
        tables = {"a": http(server), "b": http(other), "c": http(server, "/404/search?q={query}")}
        with pytest.raises(InputError, match=r"systems\.toml:\d+: system c: does not answer"):
            collected(tmp_path, tables)
        assert (texts(server), texts(other)) == (
            ["read a csv file", "read a csv file", "sort a list", "nothing at all"],
            ["read a csv file"],
        )
    assert not (tmp_path / "out").exists()


def test_all_that_do_not_answer_are_told_at_once(server, tmp_path):
    tables = {
        "a": http(server, "/404/x?q={query}"),
        "b": script("print('[]')"),
        "c": {**script(""), "argv": ["no-such-tool", "{query}"]},
    }
    with pytest.raises(InputError) as raised:
        collected(tmp_path, tables)
    told = [str(error) for error in (raised.value, *raised.value.also)]
    assert [line.split(": ")[1] for line in told] == ["system a", "system c"]


def test_one_query_that_fails_is_no_reason_to_refuse_three_are(server, tmp_path):
    server.replies = {f"/q{n}": (500, {}, b"") for n in (1, 2)}
    server.replies["/q3"] = (200, {}, b'{"results": [{"id": "a"}]}')
    table = http(server, "/{query_id}", retries=0)
    found = one(tmp_path, table)
    assert [bool(reply.failure) for reply in found.replies] == [True, True, False]
    server.replies["/q3"] = (500, {}, b"down")
    (tmp_path / "again").mkdir()
    assert "does not answer query q1: HTTP 500" in failure(tmp_path / "again", table)


def test_a_failed_query_is_recorded_with_its_reason_and_stays_in_the_accounting(server, tmp_path):
    server.replies = {"/q2": (500, {}, b"shard down\n at node 7")}
    for name in ("/q1", "/q3"):
        server.replies[name] = (200, {}, b'{"results": [{"id": "a"}]}')
    found = one(tmp_path, http(server, "/{query_id}", retries=1))
    assert len(found.replies) == 3
    assert [reply.query_id for reply in found.failed] == ["q2"]
    assert found.failed[0].failure == "HTTP 500 Internal Server Error: shard down at node 7"
    assert found.failed[0].tries == 2
    # A run file cannot hold it; the file beside it does.
    assert set(found.run().scores) == {"q1", "q3"}
    with found.latency_path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["query_id"], row["results"], row["tries"]) for row in rows] == [
        ("q1", "1", "1"),
        ("q2", "0", "2"),
        ("q3", "1", "1"),
    ]
    assert rows[1]["failure"] == found.failed[0].failure


def test_what_has_an_answer_is_not_asked_again_and_the_files_are_the_same(server, tmp_path):
    first = one(tmp_path, http(server))
    before = files(tmp_path)
    server.asked.clear()
    again = one(tmp_path, http(server))
    assert (texts(server), first.kept, again.kept) == ([], 0, 3)
    assert again.replies == first.replies
    assert files(tmp_path) == before


@pytest.mark.parametrize("at", range(1, 4))
def test_interrupted_anywhere_the_run_comes_out_the_same(server, tmp_path, at):
    whole = one(tmp_path, http(server)).run_path.read_bytes()

    def interrupt(progress):
        if not progress.note and progress.done == at:
            raise KeyboardInterrupt

    if at < 3:
        with pytest.raises(KeyboardInterrupt):
            one(tmp_path, http(server), fresh=True, on_progress=interrupt)
        # What is not whole is not there.
        assert not (tmp_path / OUT / "it.run").exists()
        assert len(list(read_replies(tmp_path / OUT / "it.answers.jsonl"))) == at
    server.asked.clear()
    found = one(tmp_path, http(server))
    assert found.run_path.read_bytes() == whole
    assert len(texts(server)) == 3 - at


def test_interrupted_amid_one_system_the_first_reply_of_the_next_is_kept(server, tmp_path):
    def interrupt(progress):
        if progress.done == 2:
            raise KeyboardInterrupt

    tables = {"a": http(server), "b": http(server)}
    with pytest.raises(KeyboardInterrupt):
        collected(tmp_path, tables, on_progress=interrupt)
    counts = [len(list(read_replies(tmp_path / OUT / f"{n}.answers.jsonl"))) for n in "ab"]
    assert counts == [2, 1]
    collected(tmp_path, tables)
    assert sorted(texts(server)) == sorted([one.text for one in QUERIES] * 2)


def test_a_query_whose_text_has_changed_is_another_query(server, tmp_path):
    one(tmp_path, http(server))
    server.asked.clear()
    changed = (Query("q1", "sort a list"), *QUERIES[1:])
    found = one(tmp_path, http(server), queries=changed)
    assert texts(server) == ["sort a list"]
    assert [hit.doc_id for hit in found.replies[0].hits] == ["docs/sort.md"]


def test_fresh_asks_everything_anew(server, tmp_path):
    one(tmp_path, http(server))
    server.found["sort a list"] = []
    server.asked.clear()
    found = one(tmp_path, http(server), fresh=True)
    assert len(texts(server)) == 3
    assert found.replies[1].hits == ()


def test_retry_failed_asks_those_that_failed(server, tmp_path):
    server.replies["/q1"] = server.replies["/q3"] = (200, {}, b'{"results": []}')
    server.replies["/q2"] = (500, {}, b"")
    table = http(server, "/{query_id}?q={query}", retries=0)
    assert len(one(tmp_path, table).failed) == 1
    server.asked.clear()
    assert len(one(tmp_path, table).failed) == 1
    assert server.asked == []
    # Where only such are left, one that was answered tells that the system is well.
    assert len(one(tmp_path, table, retry_failed=True).failed) == 1
    server.replies["/q2"] = (200, {}, b'{"results": [{"id": "a"}]}')
    assert not one(tmp_path, table, retry_failed=True).failed


def test_nothing_is_forgotten_before_every_system_has_been_tried(server, tmp_path):
    tables = {"a": http(server), "b": http(server)}
    collected(tmp_path, tables)
    before = files(tmp_path)
    tables["b"] = http(server, "/404/search?q={query}")
    with pytest.raises(InputError, match="system b: does not answer"):
        collected(tmp_path, tables, fresh=True)
    assert files(tmp_path) == before


def test_one_collector_a_folder(server, tmp_path):
    one(tmp_path, http(server))
    before = files(tmp_path)
    server.asked.clear()
    with (
        FileLock(tmp_path / OUT / ".collect.lock"),
        pytest.raises(InputError, match="another program collects into it; wait for its end"),
    ):
        one(tmp_path, http(server), fresh=True)
    assert (files(tmp_path), server.asked) == (before, [])


def test_only_one_system_and_the_others_stay(server, tmp_path):
    tables = {"a": http(server), "b": http(server, text="text")}
    collected(tmp_path, tables)
    server.asked.clear()
    server.found["sort a list"] = [{"id": "new", "text": "a new one"}]
    assert list(collected(tmp_path, tables, only=["b"], fresh=True)) == ["b"]
    assert len(texts(server)) == 3
    out = tmp_path / OUT
    assert read_run(out / "a.run").tag == "a"
    assert set(json.loads((out / "collect.json").read_text())) == {"a", "b"}
    # Documents are those of all systems that are there.
    lines = (out / "documents.jsonl").read_text().splitlines()
    ids = [json.loads(line)["doc_id"] for line in lines]
    assert ids == ["docs/csv.md", "docs/json%20file.md", "new"]


@pytest.mark.parametrize(("settings", "options"), [({"id": "id || title"}, {}), ({}, {"depth": 3})])
def test_changed_settings_are_refused_before_anything_is_asked(server, tmp_path, settings, options):
    one(tmp_path, http(server))
    server.asked.clear()
    with pytest.raises(InputError, match="give another folder with -o, or --fresh to begin anew"):
        one(tmp_path, http(server, **settings), **options)
    assert server.asked == []
    assert not one(tmp_path, http(server, retries=7, timeout=9)).failed


def test_another_key_is_the_same_system(server, tmp_path):
    table = http(server, headers={"K": "${API_KEY}"})
    one(tmp_path, table, environment={"API_KEY": "very secret"})
    assert one(tmp_path, table, environment={"API_KEY": "another one"}).kept == 3


def test_there_must_be_queries_and_a_folder(server, tmp_path):
    with pytest.raises(UsageError, match="there are no queries"):
        one(tmp_path, http(server), queries=[])
    systems = read_systems(systems_file(tmp_path, {"it": http(server)}), environment={})
    for folder, told in (
        (tmp_path / "systems.toml" / "x", "Not a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
        ("/proc/out", "No such file or directory"),
    ):
        with pytest.raises(InputError, match=f"cannot be written to: {told}; give another folder"):
            collect(CollectRequest(systems, QUERIES, Path(folder)))
    assert server.asked == []


def test_two_systems_are_asked_one_after_another(tmp_path):
    code = "open('log', 'a').write('{0}\\n'); print('[]')"
    tables = {name: script(code.replace("{0}", name)) for name in ("a", "b")}
    assert list(collected(tmp_path, tables)) == ["a", "b"]
    # Both are asked the first query before the work begins.
    assert (tmp_path / "log").read_text().split() == ["a", "b", *["a"] * 2, *["b"] * 2]


def test_progress_says_the_system_and_the_query_and_why_it_waits(server, tmp_path):
    server.retry_after = "0.1"
    told = []
    table = http(server, "/once/429/1/search?q={query}", max_wait=5)
    one(tmp_path, table, queries=QUERIES[:2], on_progress=told.append)
    rests = "waits 1 s (HTTP 429 Too Many Requests)"
    assert [(p.done, p.total, p.query.query_id, p.note) for p in told] == [
        (0, 2, "q1", "is tried"),
        (0, 2, "q1", rests),
        (1, 2, "q2", ""),
        (1, 2, "q2", rests),
    ]
    assert [p.waits for p in told if p.waits] == [0.5, 0.5]
