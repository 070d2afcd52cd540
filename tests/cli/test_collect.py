"""`judge-tui collect`, through click and through real processes."""

from __future__ import annotations

import base64
import json
import logging
import os
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from judge_tui.cli.asking import _show_progress
from judge_tui.collect import CollectRequest, Progress, collect, read_systems
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
        ".collect.lock",
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


def test_what_was_collected_goes_on_to_a_campaign_and_to_scores(folder, index):
    """From live systems to judged results, each command as the README has it."""
    argv = [*ENGINE, "search", str(index), "{query}", "{k}"]
    tables = {
        "fts": program(*argv, results="hits", id="path", score="score", title="title", text="body"),
        "ids": program(*argv, "--ids", pattern=r"docs://(.+?) \("),
    }
    systems_file(folder, tables)
    assert run_collect().exit_code == 0

    def run(*args):
        return judge_tui(*args, env={"JUDGE_TUI_DB": "campaign.db"}).stdout

    run("init", "--name", "live")
    run("load", "queries", "queries.tsv")
    run("load", "run", "out/fts.run", "out/ids.run")
    # The folder as a whole stands for its runs, and so does a pattern that the shell left alone.
    for whole in ("out", "out/*.run"):
        again = [line.partition(": ")[0] for line in run("load", "run", whole).splitlines()]
        assert again == ["out/fts.run", "out/ids.run"]
    run("load", "docs", "out/documents.jsonl")
    run("pool", "--depth", "5")
    status = run("status", "-f", "json")
    assert json.loads(status)
    qrels = "q1 0 docs/csv.md 2\nq1 0 docs/json%20file.md 1\nq2 0 docs/sort.md 1\nq3 0 x 1\n"
    Path("qrels").write_text(qrels)
    scored = json.loads(run("score", "qrels", "out/fts.run", "-m", "R@5", "-f", "json"))
    # q3, which nothing was found for, counts, as fts.latency.csv says that it was asked.
    assert scored["runs"][0]["mean"]["R@5"] == pytest.approx(2 / 3)
    assert scored["runs"][0]["missing"]["run"] == 1
    # trec_eval knows the run alone.
    assert run("score", "qrels", "out/fts.run", "-m", "recall.5", "-f", "trec").split() == [
        *("recall_5", "all", "1.0000"),
    ]
    for complete in ((), ("--complete",)):
        whole = json.loads(run("score", "qrels", "out", "-m", "R@5", "-f", "json", *complete))
        assert [one["tag"] for one in whole["runs"]] == ["fts", "ids"]
        assert whole["runs"][0]["mean"]["R@5"] == pytest.approx(2 / 3)
    Path("answers.csv").write_text(
        "query_id,query,result1\nq3,nothing at all,x\nq2,sort a list,docs/sort.md\n"
    )
    words = ("--answers", "answers.csv", "out/fts.run", "out/ids.run", "-m", "RR", "-f", "json")
    told = json.loads(run("score", *words))
    assert [one["mean"]["RR"] for one in told["runs"]] == [0.5, 0.5]
    assert json.loads(run("compare", *words))["comparisons"][0]["queries"] == 2


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
        "echo": http(
            server, "/echo?q={query}", text="text", headers=headers, params={"k": "${API_KEY}"}
        ),
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
    assert sum("${API_KEY}" in one for one in written) > 3
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


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_it_ends_what_it_started_and_goes_on_where_it_stopped(folder, how):
    systems_file(folder, {"tool": script(SLOW, timeout=300)})
    pids = folder / "pids"
    work = begin()
    # The first query, and the second one, which does not end.
    until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 2)
    work.process.send_signal(how)
    assert last_words_of(work)[0] == "interrupted; the same command goes on where it stopped"
    started = pids.read_text().split()
    until(lambda: not any(map(runs, started)))
    assert not (folder / "out" / "tool.run").exists()
    (folder / "go").touch()
    pids.unlink()
    result = run_collect()
    assert result.exit_code == 0
    # The two queries that are left.
    assert len(pids.read_text().splitlines()) == 2
    assert (folder / "out" / "tool.run").read_text() == "".join(
        f"q{n} Q0 a 1 1.0 tool\n" for n in (1, 2, 3)
    )


def test_under_nohup_it_outlives_the_terminal(folder):
    systems_file(folder, {"tool": script(SLOW, timeout=300)})
    pids = folder / "pids"
    command = ["nohup", PROGRAM, *WORDS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as work:
        until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 2)
        work.send_signal(signal.SIGHUP)
        (folder / "go").touch()
        time.sleep(0.2)
        assert work.poll() is None
        work.send_signal(signal.SIGINT)
        work.communicate(timeout=60)


def test_interrupted_before_the_work_with_again_the_old_answers_are_there(folder, server):
    # The second system is tried when the first one has been, and does not end.
    systems_file(folder, {"api": http(server), "tool": script(SLOW, timeout=300)})
    (folder / "go").touch()
    assert run_collect().exit_code == 0
    before = (folder / "out" / "api.answers.jsonl").read_bytes()
    (folder / "go").unlink()
    pids = folder / "pids"
    pids.unlink()
    (folder / "queries.tsv").write_text("q2\tsort a list\n")
    work = begin("--fresh")
    until(pids.exists)
    work.process.send_signal(signal.SIGINT)
    assert (
        last_words_of(work)[0]
        == "interrupted; the same command without --fresh goes on where it stopped"
    )
    assert (folder / "out" / "api.answers.jsonl").read_bytes() == before
    assert (folder / "out" / "api.run").exists()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_where_ctrl_c_is_ignored_it_can_be_ended_all_the_same(folder, how):
    """As a script's `judge-tui collect … &`, which Ctrl+c is not for."""
    systems_file(folder, {"tool": script(SLOW, timeout=300)})
    pids = folder / "pids"
    argv = [PROGRAM, *WORDS]
    work = subprocess.Popen(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *argv], stderr=subprocess.PIPE, text=True
    )
    until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 2)
    work.send_signal(signal.SIGINT)
    time.sleep(0.1)
    assert work.poll() is None
    work.send_signal(how)
    _out, err = work.communicate(timeout=60)
    assert work.returncode == 130
    assert err.strip() == "interrupted; the same command goes on where it stopped"
    assert not any(map(runs, pids.read_text().split()))
    (folder / "go").touch()
    result = run_collect()
    assert (result.stderr, result.stdout.split()[-1]) == ("", "1")  # there already


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


def test_on_a_terminal_one_line_says_the_query_that_is_asked(folder):
    long = "sort " + "日本語 and more words " * 9
    (folder / "queries.tsv").write_text(f"q1\tread\nquery-with-a-long-id\t{long}{HOSTILE}\n")
    systems_file(folder, {"a-system-of-a-long-name": script(SLOW, timeout=300)})
    argv = [PROGRAM, "collect", "systems.toml", "--queries", "queries.tsv", "-o", "out dir"]
    with Terminal(argv, cwd=folder, size=(60, 30)) as terminal:
        terminal.wait_for("a-system-of-a-long-name 1/2 query-with-a-long-id s")
        assert len([line for line in terminal.lines if line.strip()]) == 1, terminal.text
        until(lambda: len((folder / "pids").read_text().splitlines()) == 2)
        (folder / "go").touch()
        last = (folder / "pids").read_text().split()[-2]
        os.kill(int(last.partition(":")[0]), signal.SIGKILL)
        terminal.wait_for("Next: judge-tui score QRELS 'out dir/a-system")
        assert "1/2" not in terminal.text
        assert terminal.lines[0].startswith("system ")


@pytest.mark.parametrize("width", [40, 80])
def test_on_a_terminal_that_it_was_interrupted_has_its_own_row(folder, server, width):
    server.retry_after = "60"
    systems_file(folder, {"api": http(server, "/429/search?q={query}", max_wait=100)})
    argv = [PROGRAM, *WORDS]
    with Terminal(argv, cwd=folder, size=(width, 10)) as terminal:
        terminal.wait_for("api 0/3 waits 60 s (HTTP 429 ")
        terminal.send("\x03")
        terminal.wait(lambda now: any(one.startswith("interrupted; the s") for one in now.lines))


def test_the_time_left_is_of_the_queries_or_the_vectors():
    lines, seconds = [], iter([0, 0, 1, 10, 20, 20, 40])
    tell = _show_progress(lines.append, lambda: next(seconds))
    query = Query("q", "what")
    for progress in (
        Progress("a", 100, 500, note="vectors of documents"),
        Progress("a", 200, 500, note="vectors of documents"),
        Progress("a", 300, 500, note="vectors of documents"),
        Progress("a", 0, 4, query),
        Progress("a", 1, 4, query),
    ):
        tell(progress)
    assert lines == [
        "a 100/500 vectors of documents",
        "a 200/500 vectors of documents",
        "a 300/500 10 s left vectors of documents",
        "a 0/4 q what",
        "a 1/4 60 s left q what",
    ]


def test_where_there_is_no_room_the_file_is_told_and_what_was_written_holds(folder):
    """A limit to the size of files stands for a disk that is full."""
    systems_file(folder, {"tool": script("print('[{\"id\": \"%s\"}]' % ('x' * 700))")})
    work = subprocess.run(
        [
            sys.executable,
            "-B",  # what it compiled would be cut off as well
            "-c",
            "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000));"
            "from judge_tui.cli import main; sys.argv[0] = 'judge-tui'; main()",
            *WORDS,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert work.returncode == 2
    assert work.stderr == (
        "error: out/tool.answers.jsonl: cannot be written: File too large; check the folder, its"
        " permissions and the space left\n"
    )
    assert run_collect().exit_code == 0


def test_what_failed_counts_in_a_campaign_as_it_does_everywhere(folder, index, monkeypatch):
    """From a real engine and one that fails at a query to the means of a campaign."""
    monkeypatch.delenv("JUDGE_TUI_DB", raising=False)
    failing = script(
        "if 'sort' in sys.argv[1]: sys.exit('no disk')\nprint('[{\"id\": \"docs/csv.md\"}]')"
    )
    engine = program(*ENGINE, "search", str(index), "{query}", "{k}", results="hits", id="path")
    systems_file(folder, {"engine": engine, "failing": failing})
    assert run_collect().exit_code == 0

    judge_tui("init")
    judge_tui("load", "queries", "queries.tsv")
    judge_tui("load", "run", "out/engine.run", "out/failing.run")
    # Right: docs/csv.md for q1 and q3, docs/sort.md for q2. The engine finds nothing for q3.
    Path("right.qrels").write_text("q1 0 docs/csv.md 1\nq2 0 docs/sort.md 1\nq3 0 docs/csv.md 1\n")
    judge_tui("load", "qrels", "right.qrels", "--judge", "ann")
    words = ("score", "--db", "campaign.db", "-m", "Success@10", "-f", "json")
    means = {run["tag"]: run["mean"] for run in json.loads(judge_tui(*words).stdout)["runs"]}
    right = {"Success@10": pytest.approx(2 / 3)}
    assert means == {"engine": right, "failing": right}
    assert "exit code 1: no disk" in judge_tui("results", "--failures", "failing").output
