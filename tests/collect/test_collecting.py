"""Pre-flight, resuming, asking again, and the files that come out."""

from __future__ import annotations

import asyncio
import csv
import fcntl
import json
import threading
from dataclasses import replace

import pytest

from judge_tui.collect import Progress, read_systems
from judge_tui.collect.folder import alone_in, describe
from judge_tui.collect.journal import replies_in
from judge_tui.collect.pace import Rest
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.telling import Telling
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import iter_documents, read_run
from judge_tui.model import Query
from judge_tui.report import render
from judge_tui.report.collected import collected_report
from tests.collect.asking import (
    QUERIES,
    collect,
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


@pytest.mark.parametrize(
    ("path", "line", "doc_id"),
    [
        ("a.py", None, "a.py:null"),
        ("null.py", 3, ""),
        ("src/null", 3, ""),
        ("is_null", 3, ""),
    ],
)
def test_ids_with_null_in_place_of_what_is_missing_are_told(server, tmp_path, path, line, doc_id):
    server.found["what"] = [{"path": "b.py", "line": 1}, {"path": path, "line": line}]
    table = http(server, id="join(':', [path, to_string(line)])")
    told = (
        f"1 of 2 results have an id with null in place of what they do not have, as '{doc_id}' of"
        " query q; write id as line && join(':', [path, to_string(line)]) || path",
    )
    queries = [Query("q", "what")]
    assert one(tmp_path, table, queries=queries).notes == (told if doc_id else ())
    # So it is where the answers are there already.
    assert one(tmp_path, table, queries=queries).notes == (told if doc_id else ())


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


def test_an_identity_over_http(server, tmp_path):
    server.replies["/search"] = (200, {}, b'{"results": []}')
    table = http(server, headers={"Authorization": "Bearer ${API_KEY}"})
    table["identify"] = {"url": f"{server.url}/version", "expect": '"index": "books"'}
    found = one(tmp_path, table, environment={"API_KEY": "very secret"})
    assert found.identity == '"index": "books"'
    assert server.asked[0][1] == "/version"
    assert server.asked[0][3]["Authorization"] == "Bearer very secret"
    table["identify"] = {"url": f"{server.url}/version", "expect": "songs"}
    (tmp_path / "other").mkdir()
    told = failure(tmp_path / "other", table, environment={"API_KEY": "very secret"})
    assert "another system, or another version: 'songs' is not in what identify says" in told


def test_a_failed_query_is_recorded_with_its_reason_and_stays_in_the_accounting(server, tmp_path):
    server.replies = {"/q2": (500, {}, b"shard down\n at node 7")}
    for name in ("/q1", "/q3"):
        server.replies[name] = (200, {}, b'{"results": [{"id": "a"}]}')
    found = one(tmp_path, http(server, "/{query_id}", retries=1))
    assert len(found.replies) == 3
    assert [reply.query_id for reply in found.failed] == ["q2"]
    assert found.failed[0].failure == "HTTP 500 Internal Server Error: shard down at node 7"
    assert found.failed[0].tries == 2
    assert len(found.seconds) == 2
    # A run file cannot hold it; the file beside it does.
    assert set(found.run().scores) == {"q1", "q3"}
    with (tmp_path / "out" / "it.latency.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["query_id"], row["results"], row["tries"]) for row in rows] == [
        ("q1", "1", "1"),
        ("q2", "0", "2"),
        ("q3", "1", "1"),
    ]
    assert rows[1]["failure"] == found.failed[0].failure


def test_what_has_an_answer_is_not_asked_again(server, tmp_path):
    one(tmp_path, http(server), queries=QUERIES[:2])
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    server.asked.clear()
    found = one(tmp_path, http(server), queries=QUERIES[:2])
    assert texts(server) == []
    assert [len(reply.hits) for reply in found.replies] == [2, 1]
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    one(tmp_path, http(server))
    assert texts(server) == ["nothing at all", "nothing at all"]


def test_a_query_whose_text_has_changed_is_another_query(server, tmp_path):
    one(tmp_path, http(server))
    server.asked.clear()
    changed = (Query("q1", "sort a list"), *QUERIES[1:])
    found = one(tmp_path, http(server), queries=changed)
    assert texts(server) == ["sort a list", "sort a list"]
    assert [hit.doc_id for hit in found.replies[0].hits] == ["docs/sort.md"]


def test_queries_that_are_gone_are_not_in_what_comes_out(server, tmp_path):
    one(tmp_path, http(server))
    found = one(tmp_path, http(server), queries=QUERIES[1:2])
    assert [reply.query_id for reply in found.replies] == ["q2"]
    assert list(read_run(tmp_path / "out" / "it.run").scores) == ["q2"]


def test_again_asks_everything_anew(server, tmp_path):
    one(tmp_path, http(server))
    server.found["sort a list"] = []
    server.asked.clear()
    found = one(tmp_path, http(server), again=True)
    assert len(texts(server)) == 4
    assert found.replies[1].hits == ()


def test_again_failed_asks_those_that_failed(server, tmp_path):
    server.replies["/q1"] = server.replies["/q3"] = (200, {}, b'{"results": []}')
    server.replies["/q2"] = (500, {}, b"")
    table = http(server, "/{query_id}?q={query}", retries=0)
    assert len(one(tmp_path, table).failed) == 1
    server.asked.clear()
    assert len(one(tmp_path, table).failed) == 1
    assert server.asked == []
    server.replies["/q2"] = (200, {}, b'{"results": [{"id": "a"}]}')
    assert not one(tmp_path, table, again_failed=True).failed
    assert texts(server) == ["sort a list"] * 2


def test_only_queries_that_always_fail_are_left_and_the_work_still_ends(server, tmp_path):
    """After an interruption, say: a query that was answered tells that the system is well."""
    queries = [Query(f"q{n}", f"text {n}") for n in range(6)]
    for n in range(6):
        server.replies[f"/q{n}"] = (200 if n < 2 else 500, {}, b'{"results": []}')
    table = http(server, "/{query_id}", retries=0)
    one(tmp_path, table, queries=queries[:2])
    found = one(tmp_path, table, queries=queries)
    assert len(found.failed) == 4
    assert len(one(tmp_path, table, queries=queries, again_failed=True).failed) == 4


def test_nothing_is_forgotten_where_another_program_collects_into_one_of_them(server, tmp_path):
    tables = {"a": http(server), "b": http(server)}
    collected(tmp_path, tables)
    paths = [tmp_path / "out" / f"{name}.answers.jsonl" for name in "ab"]
    before = [path.read_bytes() for path in paths]
    with paths[1].open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(InputError, match=r"b\.answers\.jsonl: another program collects into"):
            collected(tmp_path, tables, again=True)
    assert [path.read_bytes() for path in paths] == before


def test_only_one_system_and_the_others_stay(server, tmp_path):
    tables = {"a": http(server), "b": http(server, text="text")}
    collected(tmp_path, tables)
    server.asked.clear()
    server.found["sort a list"] = [{"id": "new", "text": "a new one"}]
    assert list(collected(tmp_path, tables, only=["b"], again=True)) == ["b"]
    assert len(texts(server)) == 4
    out = tmp_path / "out"
    assert read_run(out / "a.run").tag == "a"
    assert set(json.loads((out / "collect.json").read_text())) == {"a", "b"}
    # Documents are those of all systems that are there.
    documents = [one.doc_id for _line, one in iter_documents(out / "documents.jsonl")]
    assert documents == ["docs/csv.md", "docs/json file.md", "new"]


def test_changed_settings_are_refused_before_anything_is_asked(server, tmp_path):
    one(tmp_path, http(server))
    server.asked.clear()
    for table, options in ((http(server, id="id || title"), {}), (http(server), {"depth": 3})):
        with pytest.raises(
            InputError, match="use another folder with -o, or --again to begin anew"
        ):
            one(tmp_path, table, **options)
    assert server.asked == []
    assert not one(tmp_path, http(server, retries=7, timeout=9)).failed


def test_a_line_that_a_crash_cut_short_is_asked_again(server, tmp_path):
    one(tmp_path, http(server))
    path = tmp_path / "out" / "it.answers.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1])[:-20])
    server.asked.clear()
    one(tmp_path, http(server))
    assert texts(server) == ["nothing at all"] * 2
    assert len(replies_in(path)) == 3


def test_two_that_collect_into_one_folder(server, tmp_path):
    systems_file(tmp_path, {"it": http(server, "/slow/0.15/search?q={query}")})
    queries = [Query(f"q{n}", f"text {n}") for n in range(4)]
    outcomes: list[object] = []

    def work() -> None:
        systems = read_systems(tmp_path / "systems.toml", environment={})
        try:
            outcomes.append(collect(systems, queries, tmp_path / "out").systems)
        except InputError as error:
            outcomes.append(error.what)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(isinstance(one, str) for one in outcomes) == [False, True]
    assert str(next(one for one in outcomes if isinstance(one, str))).startswith("another program")
    assert len(replies_in(tmp_path / "out" / "it.answers.jsonl")) == 4


def test_the_run_has_the_scores_of_the_system_where_they_order_as_it_did(server, tmp_path):
    collected(tmp_path, {"own": http(server, score="score"), "none": http(server)})
    text = (tmp_path / "out" / "own.run").read_text()
    assert text == (
        "q1 Q0 docs/csv.md 1 2.5 own\nq1 Q0 docs/json%20file.md 2 1.5 own\n"
        "q2 Q0 docs/sort.md 1 3.5 own\n"
    )
    assert (tmp_path / "out" / "none.run").read_text() == (
        "q1 Q0 docs/csv.md 1 1.0 none\nq1 Q0 docs/json%20file.md 2 0.5 none\n"
        "q2 Q0 docs/sort.md 1 1.0 none\n"
    )


@pytest.mark.parametrize("scores", [[1, 2], [2, 2], [1, None], [None, 1]])
def test_scores_that_order_otherwise_are_not_taken(server, tmp_path, scores):
    """Distances, ties, gaps: the order in which the system gave its results is what it is."""
    server.found["sort a list"] = [
        {"id": name, "score": score} for name, score in zip("ab", scores, strict=True)
    ]
    run = one(tmp_path, http(server, score="score")).run()
    text = (tmp_path / "out" / "it.run").read_text().splitlines()
    assert [line.split()[2:5] for line in text if line.startswith("q2")] == [
        ["a", "1", "1.0"],
        ["b", "2", "0.5"],
    ]
    # In the whole run, so that its scores are of one kind.
    assert [line.split()[4] for line in text if line.startswith("q1")] == ["1.0", "0.5"]
    assert len(run.scores) == 2


def test_documents_do_not_tell_whose_they_are(server, tmp_path):
    server.found = {
        "a": [{"id": "d1", "text": "short"}, {"id": "d2"}],
        "b": [{"id": "d1", "text": "longer text", "title": "T"}, {"id": "d0", "url": "u"}],
    }
    table = http(server, text="text", title="title", doc_url="url")
    queries = [Query("q1", "a"), Query("q2", "b")]
    collected(tmp_path, {"x": table, "y": {**table, "text": "title"}}, queries)
    lines = (tmp_path / "out" / "documents.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"doc_id": "d0", "url": "u"},
        {"doc_id": "d1", "title": "T", "text": "longer text"},
    ]


def test_latency_median_and_nearest_rank(server, tmp_path):
    """p95 of 20 values is the 19th, of 21 the 20th; the median of 20 is between two."""
    for count, p95, median in ((20, 19.0, 10.5), (21, 20.0, 11.0), (1, 1.0, 1.0)):
        found = one(tmp_path, http(server), queries=QUERIES[:1])
        replies = tuple(replace(found.replies[0], seconds=float(n)) for n in range(count, 0, -1))
        failed = replace(found.replies[0], seconds=99.0, failure="x")
        report = collected_report([replace(found, replies=(*replies, failed))])
        (row,) = json.loads(render(report, "json", colour=False))["systems"]
        assert (row["median_s"], row["p95_s"]) == (median, p95)
        assert (row["queries"], row["failed"]) == (count + 1, 1)


def test_what_comes_out_of_nothing_answered(server, tmp_path):
    found = one(tmp_path, http(server), queries=QUERIES[2:])
    report = collected_report([found])
    assert report.notes == ["it: nothing found for any query; look at where its results are sought"]
    failed = replace(found, replies=(replace(found.replies[0], failure="HTTP 500: \x1b[2J"),))
    (row,) = json.loads(render(collected_report([failed]), "json", colour=False))["systems"]
    assert (row["median_s"], row["p95_s"]) == (None, None)
    table = render(collected_report([failed]), "table", colour=False)
    assert "1 of 1 queries failed, which counts as nothing found: q3: HTTP 500: " in table
    assert "\x1b" not in table


def test_there_must_be_queries_and_a_folder(server, tmp_path):
    with pytest.raises(UsageError, match="there are no queries"):
        one(tmp_path, http(server), queries=[])
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match="out is no folder; give another one with -o"):
        one(tmp_path, http(server))
    (tmp_path / "out").unlink()
    systems = read_systems(systems_file(tmp_path, {"it": http(server)}), environment={})
    for folder, told in (
        (tmp_path / "systems.toml" / "x", "is no folder"),
        (tmp_path / ("x" * 300), "cannot be made: File name too long"),
    ):
        with pytest.raises(InputError, match=told):
            collect(systems, QUERIES, folder)
    assert server.asked == []


def test_a_folder_that_may_not_be_written_to(server, tmp_path):
    systems = read_systems(systems_file(tmp_path, {"it": http(server)}), environment={})
    with pytest.raises(InputError, match="cannot be"):
        collect(systems, QUERIES, "/proc/out")


def test_settings_are_kept_without_secrets_beside_those_of_others(server, tmp_path):
    table = http(server, headers={"K": "${API_KEY}"})
    one(tmp_path, table, environment={"API_KEY": "very secret"}, depth=9)
    kept = json.loads((tmp_path / "out" / "collect.json").read_text())["it"]
    assert (kept["kind"], kept["depth"], kept["queries"]) == ("http", 9, 3)
    assert kept["settings"]["headers"] == {"K": "${API_KEY}"}
    one(tmp_path, table, environment={"API_KEY": "another one"}, depth=9)


@pytest.mark.parametrize("text", ["[broken", "[]", "", "{" * 100_000])
def test_settings_of_others_that_cannot_be_read_are_not_written_over(server, tmp_path, text):
    one(tmp_path, http(server))
    server.asked.clear()
    (tmp_path / "out" / "collect.json").write_text(text)
    with pytest.raises(InputError) as raised:
        one(tmp_path, http(server), again=True)
    assert str(raised.value) == (
        f"{tmp_path / 'out' / 'collect.json'}: is not what collect wrote there; move it away: it is"
        " written anew, of each system when it is collected from again"
    )
    assert (server.asked, (tmp_path / "out" / "collect.json").read_text()) == ([], text)


def test_what_is_of_all_is_written_by_one_program_at_a_time(server, tmp_path):
    """Another program that writes to it is waited for."""
    collected(tmp_path, {"a": http(server)})
    out = tmp_path / "out"
    with alone_in(out):
        thread = threading.Thread(target=describe, args=(out, "b", {"kind": "http"}))
        thread.start()
        thread.join(0.2)
        assert thread.is_alive()
        assert set(json.loads((out / "collect.json").read_text())) == {"a"}
    thread.join()
    assert set(json.loads((out / "collect.json").read_text())) == {"a", "b"}


def test_answers_of_another_system_that_cannot_be_read_stop_nothing(server, tmp_path):
    collected(tmp_path, {"gone": http(server, text="text"), "a": http(server)})
    out = tmp_path / "out"
    systems = read_systems(systems_file(tmp_path, {"a": http(server)}), environment={})
    # They are in the documents as long as they can be.
    documents = (out / "documents.jsonl").read_bytes()
    assert collect(systems, QUERIES, out).notes == ()
    assert (out / "documents.jsonl").read_bytes() == documents
    with (out / "gone.answers.jsonl").open("a") as stream:
        stream.write("broken\n")
    found = collect(systems, QUERIES, out)
    assert found.notes == (
        f"{out / 'gone.answers.jsonl'}:6: is no line of collected answers: what its system returned"
        " is not in documents.jsonl; remove the file, or collect from its system with --again",
    )
    assert len(found.systems[0].replies) == 3
    assert (out / "documents.jsonl").read_bytes() != documents


def test_progress_says_the_system_and_the_query(server, tmp_path):
    told = []
    one(tmp_path, http(server), told=told.append)
    assert [(p.system, p.done, p.queries, p.query.query_id) for p in told] == [
        ("it", 0, 3, "q1"),
        ("it", 0, 3, "q1"),
        ("it", 1, 3, "q2"),
        ("it", 2, 3, "q3"),
    ]


def test_progress_says_that_a_system_is_left_alone_and_why(server, tmp_path):
    server.retry_after = "0.2"
    told = []
    table = http(server, "/once/429/1/search?q={query}", longest_wait=5)
    one(tmp_path, table, queries=QUERIES[:2], told=told.append)
    rested = "HTTP 429 Too Many Requests"
    assert [(p.done, p.query.query_id, p.rest and p.rest.why) for p in told] == [
        (0, "q1", None),
        (0, "q1", rested),
        (0, "q1", None),
        (0, "q1", None),
        (1, "q2", None),
        (1, "q2", rested),
        (1, "q2", None),
    ]
    assert 0 < told[1].rest.seconds <= 0.5


def test_why_a_system_is_left_alone_holds_no_secret(tmp_path):
    told = []
    secrets = Secrets({"KEY": "sk-0123456789abcdef"})
    assert secrets.filled("${KEY}") == "sk-0123456789abcdef"
    telling = Telling(told.append, secrets)

    async def resting():
        telling(Progress("it", 0, 3, QUERIES[0]))
        telling.rested("it", Rest(30.0, "HTTP 429 sk-0123456789abcdef has no quota"))
        telling(Progress("other", 0, 3, QUERIES[0]))

    asyncio.run(resting())
    assert [p.rest and p.rest.why for p in told] == [
        None,
        "HTTP 429 ${KEY} has no quota",
        None,
    ]


def test_progress_of_work_that_goes_on_begins_where_that_stopped(server, tmp_path):
    one(tmp_path, http(server), queries=QUERIES[:2])
    told = []
    one(tmp_path, http(server), told=told.append)
    assert [(p.done, p.query.query_id) for p in told] == [(2, "q3"), (2, "q3")]


def test_ids_that_a_run_file_has_otherwise_are_told(server, tmp_path):
    server.found = {"read a csv file": [{"id": "a b"}, {"id": "50%"}, {"id": "/my%20file"}]}
    found = one(tmp_path, http(server))
    ids = [line.split()[2] for line in (tmp_path / "out" / "it.run").read_text().splitlines()]
    assert ids == ["a%20b", "50%", "/my%2520file"]
    assert collected_report([found]).notes[1:] == [
        "it: its run has the id /my%20file as /my%2520file, and so have qrels exported from a"
        " campaign; qrels from elsewhere must have it so, too"
    ]
    server.found = {"read a csv file": [{"id": "a b"}, {"id": "50%"}, {"id": "a%25b"}]}
    assert collected_report([one(tmp_path, http(server), again=True)]).notes[1:] == []
