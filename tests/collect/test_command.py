"""Programs as systems: a real search engine, and scripts with the manners of real programs."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path

import pytest

from judge_tui.collect.command_system import run_program
from judge_tui.model import Query
from tests.collect.asking import ENGINE, asked, failure, one, program, script
from tests.waiting import BORN, runs, until

ONE = [Query("q", "what")]


def test_a_real_engine_answers_what_it_answers(index, tmp_path):
    argv = [*ENGINE, "search", str(index), "{query}", "{k}"]
    texts = {"score": "score", "title": "title", "text": "body"}
    found = one(tmp_path, program(*argv, results="hits", id="path", **texts), depth=2)
    with sqlite3.connect(index) as database:
        expected = database.execute(
            "SELECT path, -bm25(docs), title, body FROM docs WHERE docs MATCH ?"
            " ORDER BY bm25(docs) LIMIT 2",
            ['"read" OR "a" OR "csv" OR "file"'],
        ).fetchall()
    got = [
        (hit.doc_id.replace("%20", " "), hit.score, hit.title, hit.text)
        for hit in found.replies[0].hits
    ]
    assert got == expected
    assert [len(reply.hits) for reply in found.replies] == [2, 2, 0]
    assert not found.failed
    assert all(reply.seconds > 0 for reply in found.replies)
    by_pattern = one(tmp_path, program(*argv, "--ids", pattern=r"docs://(.+?) \("), fresh=True)
    assert by_pattern.replies[1].hits[0].doc_id == "docs/sort.md"


def test_no_shell_reads_the_query(tmp_path):
    query = "$(touch${IFS}owned);`id`|cat>x&&*~\"'\\{k}-x"
    reply = asked(tmp_path, script("import json; print(json.dumps([{'id': sys.argv[1]}]))"), query)
    assert [hit.doc_id for hit in reply.hits] == [query]
    assert not (tmp_path / "owned").exists()


def test_where_it_runs_and_what_with(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.setenv("OF_THE_TERMINAL", "there")
    code = (
        "import json, os\nprint(json.dumps([{'id': os.getcwd()}, {'id': os.environ['MODE']},"
        " {'id': os.environ['OF_THE_TERMINAL']}, {'id': str(sys.stdin.read() == '')},"
        " {'id': str(os.getsid(0) == os.getpid())}]))"
    )
    found = one(tmp_path, script(code, cwd="inner", env={"MODE": "fast"}), queries=ONE)
    assert [hit.doc_id for hit in found.replies[0].hits] == [
        str(tmp_path / "inner"),
        "fast",
        "there",
        "True",
    ]
    assert found.replies[0].repeated == 1


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (program("no-such-tool", "{query}"), "cannot start 'no-such-tool': No such file or"),
        (program("./systems.toml", "{query}"), "cannot start './systems.toml': Permission denied"),
        (program("sh", "{query}", cwd="none"), "there is no folder"),
        (script("sys.exit(3)"), "does not answer query q: exit code 3"),
        (script("print('x'); sys.exit('first\\nno index')"), "q: exit code 1: no index;"),
        (script("import os; os.kill(os.getpid(), 15)"), "q: killed by signal 15"),
        (script(""), "q: an empty answer"),
        (
            script("print('ready')"),
            "q: the answer is not one JSON value; logs belong on stderr: ready",
        ),
        (script("open('/dev/tty')"), "q: exit code 1: OSError: "),
        (script("import time; time.sleep(60)", timeout=0.3), "q: no answer within 0.3 s"),
    ],
)
def test_what_is_no_answer_is_told(tmp_path, table, told):
    assert told in failure(tmp_path, table, queries=ONE)


def test_other_exit_codes_may_be_good(tmp_path):
    """As of grep, which ends with 1 where it finds nothing."""
    table = program("grep", "-o", "--", "{query}", "words", pattern=r"\w+", ok_codes=[0, 1])
    (tmp_path / "words").write_text("sort a list\n")
    found = one(tmp_path, table, queries=[Query("a", "list"), Query("b", "csv")])
    assert [len(reply.hits) for reply in found.replies] == [1, 0]
    assert not found.failed


def test_a_query_that_would_be_an_option_is_refused(tmp_path):
    queries = [Query("q1", "fine"), Query("q2", "-rf /")]
    told = failure(tmp_path, script("print('[]')"), queries=queries)
    assert "query 'q2' begins with -, as the options of a program do; write \"--\" before" in told
    table = script("print('[]')")
    table["argv"].insert(-1, "--")
    assert not one(tmp_path, table, queries=queries).failed


def test_more_than_anybody_reads_ends_it(tmp_path):
    code = "while True: sys.stdout.write('x' * 1_000_000)"
    assert "it printed more than 64 MB" in failure(tmp_path, script(code, timeout=60), queries=ONE)


LEAVING = (
    BORN
    + """
import os, subprocess
child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])
with open('pids', 'a') as f: print(born(child.pid), file=f)
print('[]', flush=True)
"""
)


def started(folder: Path) -> list[str]:
    return (folder / "pids").read_text().split()


def test_what_outlasts_its_time_is_ended_with_all_that_it_started(tmp_path):
    code = LEAVING + "import time; time.sleep(60)"
    assert "no answer within" in failure(tmp_path, script(code, timeout=3), queries=ONE)
    until(lambda: not any(map(runs, started(tmp_path))))


async def test_interrupted_while_it_is_started_all_of_it_is_ended(tmp_path, monkeypatch):
    """A busy machine comes back to us when it has long started others."""
    begun = asyncio.Event()
    start = asyncio.create_subprocess_exec

    async def start_slowly(*args, **settings):
        process = await start(*args, **settings)
        while not (tmp_path / "pids").exists() or not started(tmp_path):
            await asyncio.sleep(0.01)
        begun.set()
        await asyncio.sleep(0.1)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_slowly)
    code = "import sys\n" + LEAVING + "import time; time.sleep(60)"
    argv = (sys.executable, "-S", "-c", code)
    work = asyncio.create_task(run_program(argv, tmp_path, {}, timeout=60))
    await begun.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert started(tmp_path)
    until(lambda: not any(map(runs, started(tmp_path))))


def test_what_a_program_leaves_behind_is_ended_and_its_answer_holds(tmp_path):
    """The child holds the pipes: who waits for their end waits for a minute."""
    assert not one(tmp_path, script(LEAVING), queries=ONE).failed
    assert started(tmp_path)
    until(lambda: not any(map(runs, started(tmp_path))))


def test_a_query_that_no_argument_can_hold_fails_alone(tmp_path):
    for query, told in (
        ("a\0b", "embedded null byte"),
        ("x" * 3_000_000, "Argument list too long"),
    ):
        reply = asked(tmp_path, script("print('[]')"), query, fresh=True)
        assert reply.failure == f"cannot start {sys.executable!r}: {told}"
