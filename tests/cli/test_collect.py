"""`judge-tui collect`, through click and through real processes."""

from __future__ import annotations

import base64
import json
import logging
import os
import signal
import subprocess
import traceback
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from judge_tui.cli.asking import _show_progress
from judge_tui.collect import CollectProgress, CollectRequest, collect, read_systems
from judge_tui.model import Query
from tests.as_typed import invoke, judge_tui
from tests.collect.asking import ENGINE, http, program, script, systems_file
from tests.end_to_end.terminal import Terminal
from tests.programs import PROGRAM
from tests.programs import begin as begin_alone
from tests.waiting import BORN, runs, until

EVALUATED = "evaluate systems.toml --answers answers.csv -o b"
QUERIES = "q1\tread a csv file\nq2\tsort a list\nq3\tnothing at all\n"
HOSTILE = "\x1b[31mred\x1b]0;title\x07\u202egnp"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "queries.tsv").write_text(QUERIES)
    return tmp_path


WORDS = ("collect", "systems.toml", "--queries", "queries.tsv", "-o", "out")


def run_collect(*options):
    return invoke(*WORDS, *options)


def begin(*options):
    """The same as a process of its own."""
    return begin_alone(*WORDS, *options)


def last_words_of(work):
    """What it said when it was interrupted, line by line."""
    done = work.ended()
    assert (done.returncode, done.stdout) == (130, b"")
    return done.stderr.decode().splitlines()


def test_the_table(folder, server):
    other = http(server, "/text?q={query}", pattern="a")
    systems_file(folder, {"api": http(server), "other": other})
    result = run_collect()
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0] == (
        "system  queries  failed  nothing found  results  most  repeated  median s  p95 s"
        "  there already"
    )
    # /text holds three letters a in each answer.
    assert lines[1].startswith("api           3       0              1        3     2         0 ")
    assert lines[2].split()[:7] == ["other", "3", "0", "0", "3", "5", "12"]
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        "api.answers.jsonl",
        "api.latency.csv",
        "api.run",
        "collect.json",
        "documents.jsonl",
        "other.answers.jsonl",
        "other.latency.csv",
        "other.run",
        "queries.jsonl",
    ]


def test_columns_have_the_names_of_the_sheet(folder, server):
    sheet = "nr;Question;Right answer\n7;read a csv file;docs/csv.md\n8;sort a list;docs/sort.md\n"
    Path("right.csv").write_text(sheet)
    systems_file(folder, {"api": http(server)})
    words = ("collect", "systems.toml", "--queries", "right.csv", "-o", "out")
    refused = invoke(*words)
    assert refused.exit_code == 2
    assert "say what its columns are called: --columns query_id=…,query=…" in refused.stderr
    assert not Path("out").exists()
    for declared, ids in (
        ("query_id=nr,query=Question,result=Right answer", ["7", "8"]),
        ("query=Question", ["q001", "q002"]),
    ):
        assert invoke(*words, "--fresh", "--columns", declared).exit_code == 0
        lines = [json.loads(line) for line in Path("out/queries.jsonl").read_text().splitlines()]
        assert [line["query_id"] for line in lines] == ids
        assert [line["text"] for line in lines] == ["read a csv file", "sort a list"]


def test_json_and_csv(folder, server):
    server.replies = {
        f"/q{n}": (200 if n != 2 else 503, {}, b'{"results": [{"id": "a"}]}') for n in (1, 2, 3)
    }
    systems_file(folder, {"api": http(server, "/{query_id}", retries=1)})
    document = json.loads(run_collect("-f", "json").stdout)
    (system,) = document["systems"]
    assert document["schema_version"] == 1
    assert {name: system[name] for name in ("system", "queries", "failed", "empty", "results")} == {
        "system": "api",
        "queries": 3,
        "failed": 1,
        "empty": 0,
        "results": 2,
    }
    why = 'HTTP 503 Service Unavailable: {"results": [{"id": "a"}]}'
    (failure,) = document["failures"]
    named = ("system", "query_id", "tries", "why")
    assert [failure[key] for key in named] == ["api", "q2", 2, why]
    warning = f"queries that failed count as nothing found: api 1 of 3 ({why}: q2)"
    assert document["warnings"] == [warning]
    result = run_collect("-f", "csv")
    assert result.stdout.startswith(
        "system,queries,failed,empty,results,most,repeated,median_s,p95_s,identity\napi,3,1,0,2,1,0,"
    )
    assert result.stderr.splitlines() == [f"warning: {warning}"]


def test_what_was_collected_goes_on_to_a_campaign_and_to_scores(folder, index, monkeypatch):
    """A real engine finds nothing for q3, and another program fails at q2: both count as 0."""
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    argv = [*ENGINE, "search", str(index), "{query}", "{k}"]
    failing = "if 'sort' in sys.argv[1]: sys.exit('no disk')\nprint('[{\"id\": \"docs/csv.md\"}]')"
    tables = {"engine": program(*argv, results="hits", id="path", text="body")}
    systems_file(folder, {**tables, "failing": script(failing)})
    assert run_collect().exit_code == 0
    # Right: docs/csv.md for q1 and q3, docs/sort.md for q2.
    Path("right.qrels").write_text("q1 0 docs/csv.md 1\nq2 0 docs/sort.md 1\nq3 0 docs/csv.md 1\n")
    judge_tui("init")
    judge_tui("load", "queries", "queries.tsv")
    judge_tui("load", "run", "out")  # the folder as a whole stands for its runs
    judge_tui("load", "docs", "out/documents.jsonl")
    judge_tui("load", "qrels", "right.qrels", "--judge", "ann")
    for words in (("--db", "campaign.db"), ("right.qrels", "out"), ("right.qrels", "out/*.run")):
        found = json.loads(judge_tui("score", *words, "-m", "Success@10", "-f", "json").stdout)
        means = {run["tag"]: run["mean"]["Success@10"] for run in found["runs"]}
        assert means == {"engine": pytest.approx(2 / 3), "failing": pytest.approx(2 / 3)}
    # trec_eval knows the run alone.
    words = ("score", "right.qrels", "out/engine.run", "-m", "success.10", "-f", "trec")
    assert judge_tui(*words).stdout.split() == ["success_10", "all", "1.0000"]
    assert "exit code 1: no disk" in judge_tui("results", "--failures", "failing").output


def test_foreign_text_is_shown_and_never_obeyed(folder, server):
    (folder / "queries.tsv").write_text(f"q1\tfine\nq{HOSTILE}\tfail\n")
    server.found["fine"] = [{"id": f"d{HOSTILE}"}]
    server.replies["/fail"] = (500, {}, HOSTILE.encode())
    server.replies["/fine"] = (200, {}, json.dumps({"results": [{"id": HOSTILE}]}).encode())
    systems_file(folder, {"api": http(server, "/{query}", retries=0)})
    for form in ("table", "json", "csv", "md", "latex"):
        result = run_collect("-f", form)
        assert result.exit_code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(result.stdout + result.stderr), form
    # The id of a query is the user's own, and stays what it is in the file.
    latency = (folder / "out" / "api.latency.csv").read_text()
    assert "[31mred" in latency.rpartition("HTTP 500")[2]
    assert "\x1b" not in latency.rpartition("HTTP 500")[2]


SECRET = 'p@ss/w+rd-q"%41=='  # noqa: S105


def test_a_secret_is_in_no_file_output_log_or_traceback(folder, server, monkeypatch, caplog):
    """Servers and programs that say back all they got, and fail in every way."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("API_KEY", SECRET)
    spelled = [
        SECRET,
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        quote(SECRET, safe="").lower(),
        json.dumps(SECRET)[1:-1],
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
    ]
    said = json.dumps({"you said": spelled}).encode()
    server.replies = {
        "/fails": (500, {}, said),
        "/denies": (401, {}, SECRET.encode() * 3),
        "/moves": (302, {"Location": f"/x?key={quote(SECRET)}"}, b""),
        "/garbles": (200, {}, b"you sent " + SECRET.encode()),
        "/ids": (200, {}, b'{"results": [{"id": %s}]}' % json.dumps(f"a{SECRET}").encode()),
    }
    headers = {"Authorization": "Bearer ${API_KEY}"}
    code = "import os; print(os.environ['K'], file=sys.stderr); sys.exit(os.environ['K'] * 9)"
    tables = {
        "echo": http(server, "/echo?q={query}", text="text", headers=headers),
        "body": http(server, "/echo", text="text", body={"q": "{query}", "k": "${API_KEY}"}),
        "url": http(server, "/echo?q={query}&k=${API_KEY}", text="text"),
        **{
            what: http(server, f"/{what}?q={{query}}", headers=headers, retries=1)
            for what in ("fails", "denies", "moves", "garbles", "ids", "hangup")
        },
        "program": script(code, env={"K": "${API_KEY}"}),
        "identified": {
            **http(server, headers=headers),
            "identify": {"url": f"{server.url}/denies", "expect": "x"},
        },
    }
    shown = []
    for name, table in tables.items():
        systems_file(folder, {name: table})
        for options in ((), ("-f", "json"), ("--retry-failed",)):
            result = run_collect(*options)
            assert result.exit_code in (0, 2)
            shown.append(result.stdout + result.stderr)
        try:
            collect(
                CollectRequest(
                    read_systems("systems.toml"), [Query("q", "other")], Path("elsewhere")
                )
            )
        except Exception:
            shown.append(traceback.format_exc())
    assert "HTTP Request: GET" in caplog.text
    text = "\n".join([*shown, caplog.text])
    assert "${API_KEY}" in text
    written = [path.read_text() for path in folder.rglob("*") if path.is_file()]
    assert sum("${API_KEY}" in one for one in written) >= 3
    for what in spelled:
        assert what not in text, what
        assert not any(what in one for one in written), what


SLOW = f"""
{BORN}
import os, subprocess, time
child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])
with open('pids', 'a') as f: print(born(os.getpid()), born(child.pid), file=f)
if sys.argv[1].startswith('sort') and not os.path.exists('go'): time.sleep(60)
print('[{{"id": "a"}}]')
"""
"""It answers the first query, and the second one when there is a file `go`."""

GOES_ON = "interrupted; the same command goes on where it stopped"


@pytest.fixture
def slow(folder):
    systems_file(folder, {"tool": script(SLOW, timeout=300)})
    return folder


def amid_the_second(folder):
    """Tried with the first query, asked it, and then the second one."""
    pids = folder / "pids"
    until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 3)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_it_ends_what_it_started_and_goes_on_where_it_stopped(slow, how):
    work = begin()
    amid_the_second(slow)
    work.process.send_signal(how)
    assert last_words_of(work)[0] == GOES_ON
    started = (slow / "pids").read_text().split()
    until(lambda: not any(map(runs, started)))
    assert not (slow / "out" / "tool.run").exists()
    (slow / "go").touch()
    (slow / "pids").unlink()
    assert run_collect().exit_code == 0
    # Tried, and asked the two queries that are left.
    assert len((slow / "pids").read_text().splitlines()) == 3
    lines = [f"q{n} Q0 a 1 1.0 tool\n" for n in (1, 2, 3)]
    assert (slow / "out" / "tool.run").read_text() == "".join(lines)


@pytest.mark.parametrize(
    ("shell", "ignored", "ends"),
    [
        ("trap '' HUP", signal.SIGHUP, signal.SIGINT),  # under nohup it outlives the terminal
        ("trap '' INT", signal.SIGINT, signal.SIGTERM),  # as a script's `judge-tui collect … &`
    ],
)
def test_what_is_ignored_does_not_end_it(slow, shell, ignored, ends):
    argv = ["sh", "-c", f'{shell}; exec "$@"', "sh", PROGRAM, *WORDS]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as work:
        amid_the_second(slow)
        work.send_signal(ignored)
        work.send_signal(ends)
        _out, err = work.communicate(timeout=60)
    assert (work.returncode, err.strip()) == (130, GOES_ON)
    started = (slow / "pids").read_text().split()
    until(lambda: not any(map(runs, started)))


def test_interrupted_before_the_work_with_fresh_the_old_answers_are_there(slow, server):
    # The second system is tried when the first one has been, and does not end.
    systems_file(slow, {"api": http(server), "tool": script(SLOW, timeout=300)})
    (slow / "go").touch()
    assert run_collect().exit_code == 0
    before = (slow / "out" / "api.answers.jsonl").read_bytes()
    (slow / "go").unlink()
    (slow / "pids").unlink()
    (slow / "queries.tsv").write_text("q2\tsort a list\n")
    work = begin("--fresh")
    until((slow / "pids").exists)
    work.process.send_signal(signal.SIGINT)
    assert last_words_of(work)[0] == GOES_ON.replace("command", "command without --fresh")
    assert (slow / "out" / "api.answers.jsonl").read_bytes() == before
    assert (slow / "out" / "api.run").exists()


def test_with_standard_output_closed_all_is_in_the_folder(folder, server):
    systems_file(folder, {"api": http(server)})
    (folder / "answers.csv").write_text("query,result1\nread a csv file,docs/csv.md\n")
    for words in ("collect systems.toml --queries queries.tsv -o a", EVALUATED):
        done = subprocess.run(
            ["sh", "-c", f'exec "{PROGRAM}" {words} >&-'],
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "standard output" not in done.stderr
    assert (folder / "a" / "api.run").exists()
    assert json.loads((folder / "b" / "results.json").read_text())["systems"]


def test_on_a_terminal_one_line_says_the_query_that_is_asked(slow):
    long = "sort " + "日本語 and more words " * 9
    (slow / "queries.tsv").write_text(f"q1\tread\nquery-with-a-long-id\t{long}{HOSTILE}\n")
    argv = [PROGRAM, "collect", "systems.toml", "--queries", "queries.tsv", "-o", "out dir"]
    with Terminal(argv, cwd=slow, size=(60, 30)) as terminal:
        terminal.wait_for("tool 1/2 query-with-a-long-id s")
        assert len([line for line in terminal.lines if line.strip()]) == 1, terminal.text
        amid_the_second(slow)
        (slow / "go").touch()
        last = (slow / "pids").read_text().split()[-2]
        os.kill(int(last.partition(":")[0]), signal.SIGKILL)
        terminal.wait_for("Next: judge-tui score QRELS 'out dir/tool.run'")
        assert "1/2" not in terminal.text
        assert terminal.lines[0].startswith("system ")


def test_on_a_terminal_that_it_was_interrupted_has_its_own_row(folder, server):
    # A day: however slow the machine is, it is not over before the interruption.
    server.retry_after = "86400"
    limits = {"max_wait": 86_400, "timeout": 300}
    systems_file(folder, {"api": http(server, "/429/search?q={query}", **limits)})
    with Terminal([PROGRAM, *WORDS], cwd=folder, size=(40, 10)) as terminal:
        terminal.wait_for("api 0/3 waits 86,400 s (HTTP")
        terminal.send("\x03")
        terminal.wait(lambda now: any(one.startswith("interrupted; the s") for one in now.lines))


def test_the_time_left_is_of_the_queries_or_the_vectors():
    lines, seconds = [], iter([0, 0, 1, 10, 20, 20, 40])
    tell = _show_progress(lines.append, lambda: next(seconds))
    query = Query("q", "what")
    for progress in (
        CollectProgress("a", 100, 500, note="vectors of documents"),
        CollectProgress("a", 200, 500, note="vectors of documents"),
        CollectProgress("a", 300, 500, note="vectors of documents"),
        CollectProgress("a", 0, 4, query),
        CollectProgress("a", 1, 4, query),
    ):
        tell(progress)
    assert lines == [
        "a 100/500 vectors of documents",
        "a 200/500 vectors of documents",
        "a 300/500 10 s left vectors of documents",
        "a 0/4 q what",
        "a 1/4 60 s left q what",
    ]
