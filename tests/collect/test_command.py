"""Programs as systems: a real search engine, and scripts with the manners of real programs."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from pathlib import Path

import pytest

from judge_tui.collect.journal import replies_in
from judge_tui.collect.programs import Program, run
from judge_tui.errors import InputError, JudgeTuiError
from judge_tui.model import Query
from tests.collect.asking import ENGINE, QUERIES, asked, collected, failure, one, program, script
from tests.waiting import BORN, runs, until

ONE = [Query("q", "what")]


def engine(index: Path, *more: str, **settings):
    """The real engine, as a system."""
    return program(
        *ENGINE,
        "search",
        str(index),
        "{query}",
        "{k}",
        *more,
        results="hits",
        id="path",
        **settings,
    )


def test_a_real_engine_answers_what_it_answers(index, tmp_path):
    table = engine(index, "--log", score="score", title="title", text="body")
    found = one(tmp_path, table, depth=2)
    with sqlite3.connect(index) as database:
        expected = database.execute(
            "SELECT path, -bm25(docs), title, body FROM docs WHERE docs MATCH ?"
            " ORDER BY bm25(docs) LIMIT 2",
            ['"read" OR "a" OR "csv" OR "file"'],
        ).fetchall()
    got = [(hit.doc_id, hit.score, hit.title, hit.text) for hit in found.replies[0].hits]
    assert got == expected
    assert [len(reply.hits) for reply in found.replies] == [2, 2, 0]
    assert not found.failed
    assert all(reply.seconds > 0 for reply in found.replies)


def test_ids_by_a_pattern(index, tmp_path):
    table = engine(index, "--ids", pattern=r"docs://(.+?) \(")
    del table["results"], table["id"]
    found = one(tmp_path, table)
    assert found.replies[1].hits[0].doc_id == "docs/sort.md"
    assert found.replies[2].hits == ()


def grepped(pattern: str, newline: str = "\n") -> dict:
    """A system that prints as grep -n does."""
    printed = newline.join(["src/a.py:10: x", "src/c.py:3: y", "src/d.py:7: z", ""])
    table = script(f"sys.stdout.buffer.write({printed.encode()!r})", pattern=pattern)
    del table["results"], table["id"]
    return table


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"^(?P<id>[^:\n]+:\d+):", ["src/a.py:10", "src/c.py:3", "src/d.py:7"]),
        (r"\w+.py:\d+: [yz]$", ["c.py:3: y", "d.py:7: z"]),
        (r"\A[^:\n]+:\d+", ["src/a.py:10"]),
    ],
)
def test_the_ends_in_a_pattern_are_those_of_each_line(tmp_path, pattern, found, newline):
    (reply,) = one(tmp_path, grepped(pattern, newline), queries=ONE).replies
    assert [hit.doc_id for hit in reply.hits] == found


def test_no_shell_reads_the_query(tmp_path):
    query = "$(touch owned); `id` | cat > x && * ~ \"'\\ {k}\n-x"
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


def test_a_program_beside_the_systems_file_is_found_from_there(tmp_path):
    tool = tmp_path / "tool"
    tool.write_text('#!/bin/sh\necho "[{\\"id\\": \\"$1\\"}]"\n')
    tool.chmod(0o755)
    found = one(tmp_path, program("./tool", "{query}"), queries=ONE)
    assert [hit.doc_id for hit in found.replies[0].hits] == ["what"]


def test_where_there_is_a_cwd_its_path_begins_there(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    for folder, said in ((tmp_path, "beside"), (inner, "inner")):
        tool = folder / "tool"
        tool.write_text(f'#!/bin/sh\necho \'[{{"id": "{said}"}}]\'\n')
        tool.chmod(0o755)

    def found(argv: str, **more) -> list[str]:
        table = program(argv, "{query}", cwd="inner", **more)
        (reply,) = one(tmp_path, table, queries=ONE, again=True).replies
        return [hit.doc_id for hit in reply.hits]

    assert found("./tool") == ["inner"]
    assert found("../tool") == ["beside"]
    assert found("./tool", identify={"argv": ["./tool"], "expect": "inner"}) == ["inner"]
    (inner / "tool").unlink()
    with pytest.raises(JudgeTuiError) as raised:
        found("./tool")
    assert str(raised.value).endswith(
        f"there is no program './tool'; install it, or give its path from '{inner}'"
    )


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (program("no-such-tool", "{query}"), "there is no program 'no-such-tool'; install it"),
        (
            program("./systems.toml", "{query}"),
            "program './systems.toml' is not executable; chmod +x",
        ),
        (program("./none.sh", "{query}"), "there is no program './none.sh'"),
        (program("sh", "{query}", cwd="none"), "there is no folder"),
        (script("sys.exit(3)"), "does not answer query q: exit code 3"),
        (script("print('x'); sys.exit('first\\nno index')"), "q: exit code 1: no index;"),
        (script("import os; os.kill(os.getpid(), 15)"), "q: killed by signal 15"),
        (script(""), "q: an empty answer"),
        (script("print('ready')"), "q: the answer is no JSON: ready"),
        (script("open('/dev/tty')"), "q: exit code 1: OSError: "),
        (script("import time; time.sleep(60)", timeout=0.3), "q: no answer within 0.3 s"),
    ],
)
def test_what_is_no_answer_is_told(tmp_path, table, told):
    assert told in failure(tmp_path, table, queries=ONE)


def test_other_exit_codes_may_be_good(tmp_path):
    """As of grep, which ends with 1 where it finds nothing."""
    table = program("grep", "-o", "--", "{query}", "words", pattern=r"\w+", ok_codes=[0, 1])
    del table["results"], table["id"]
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


def test_json_lines_with_log_lines_before(tmp_path):
    code = "print('[log] on')\nfor one in 'abc': print('{\"id\": \"%s\"}' % one)"
    found = one(tmp_path, script(code, lines=True), queries=ONE)
    assert [hit.doc_id for hit in found.replies[0].hits] == ["a", "b", "c"]


def test_what_is_no_utf_8_is_no_id(tmp_path):
    code = 'sys.stdout.buffer.write(b\'\\xef\\xbb\\xbf[{"id": "a", "t": "\\xff"}]\')'
    found = one(tmp_path, script(code, text="t"), queries=ONE)
    assert [(hit.doc_id, hit.text) for hit in found.replies[0].hits] == [("a", "\ufffd")]
    code = 'sys.stdout.buffer.write(b\'[{"id": "\\xff"}]\')'
    inner = tmp_path / "inner"
    inner.mkdir()
    assert "its id is not valid text" in failure(inner, script(code), queries=ONE)


def test_much_on_both_streams_stops_nobody(tmp_path):
    code = "sys.stderr.write('e' * 3_000_000); print('[]' + ' ' * 3_000_000)"
    assert not one(tmp_path, script(code), queries=ONE).failed


def test_more_than_anybody_reads_ends_it(tmp_path):
    code = "while True: sys.stdout.write('x' * 1_000_000)"
    assert "it printed more than 64 MB" in failure(tmp_path, script(code, timeout=60), queries=ONE)


LEAVING = (
    BORN
    + """
import os, subprocess
child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'], **{more})
with open('pids', 'a') as f: print(born(child.pid), file=f)
print('[]', flush=True)
"""
)


def started(folder: Path) -> list[str]:
    return (folder / "pids").read_text().split()


def test_what_outlasts_its_time_is_ended_with_all_that_it_started(tmp_path):
    code = LEAVING.replace("{more}", "{}") + "import time; time.sleep(60)"
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
    code = "import sys\n" + LEAVING.replace("{more}", "{}") + "import time; time.sleep(60)"
    work = asyncio.create_task(
        run(Program((sys.executable, "-S", "-c", code), tmp_path, {}), timeout=60)
    )
    await begun.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert len(started(tmp_path)) == 1
    until(lambda: not any(map(runs, started(tmp_path))))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="there is no other way to find them")
def test_so_is_what_has_a_session_of_its_own(tmp_path):
    more = "{'start_new_session': True}"
    code = LEAVING.replace("{more}", more) + "import time; time.sleep(60)"
    assert "no answer within" in failure(tmp_path, script(code, timeout=3), queries=ONE)
    until(lambda: not any(map(runs, started(tmp_path))))


def test_what_a_program_leaves_behind_is_ended_and_its_answer_holds(tmp_path):
    """The child holds the pipes: who waits for their end waits for a minute."""
    found = one(tmp_path, script(LEAVING.replace("{more}", "{}")), queries=ONE)
    assert not found.failed
    assert len(started(tmp_path)) == 2
    until(lambda: not any(map(runs, started(tmp_path))))


def test_a_daemon_with_a_session_of_its_own_goes_on(tmp_path):
    found = one(
        tmp_path, script(LEAVING.replace("{more}", "{'start_new_session': True}")), queries=ONE
    )
    assert not found.failed
    try:
        assert all(map(runs, started(tmp_path)))
    finally:
        for child in filter(runs, started(tmp_path)):
            os.kill(int(child.partition(":")[0]), 9)


def test_a_query_that_no_argument_can_hold_fails_alone(tmp_path):
    assert asked(tmp_path, script("print('[]')"), "a\0b").failure == (
        "cannot be started: embedded null byte"
    )
    long = asked(tmp_path, script("print('[]')"), "x" * 3_000_000, again=True)
    assert long.failure.startswith("cannot be started: ")
    assert "Argument list too long" in long.failure


def test_so_many_programs_at_once(tmp_path):
    code = 'import os, time\nprint(\'[{"id": "%d"}]\' % os.getpid()); time.sleep(.05)'
    queries = [Query(f"q{at}", f"t{at}") for at in range(6)]
    found = one(tmp_path, script(code), queries=queries, at_once=3)
    assert len({reply.hits for reply in found.replies}) == 6


def test_secrets_come_by_the_environment_and_do_not_come_back(tmp_path):
    code = (
        "import json, os\nkey = os.environ['KEY']\n"
        "if sys.argv[1] == 'fail': sys.exit('denied: ' + key)\n"
        "print(json.dumps([{'id': 'a', 't': key * 2, 'u': 'http://h/?key=' + key}]))"
    )
    table = script(code, text="t", doc_url="u", env={"KEY": "${TOOL_KEY}"})
    queries = [QUERIES[0], Query("q", "fail")]
    found = one(tmp_path, table, queries=queries, environment={"TOOL_KEY": "s3cr/t key"})
    assert found.replies[0].hits[0].text == "${TOOL_KEY}${TOOL_KEY}"
    assert found.replies[0].hits[0].url == "http://h/?key=${TOOL_KEY}"
    assert found.replies[1].failure == "exit code 1: denied: ${TOOL_KEY}"
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert b"s3cr" not in written


def test_an_id_that_holds_a_secret_fails_and_is_not_another_id(tmp_path):
    code = 'print(\'[{"id": "src/test/a.py"}]\')'
    table = script(code, env={"KEY": "${TOOL_KEY}"})
    told = failure(tmp_path, table, queries=ONE, environment={"TOOL_KEY": "test"})
    assert 'a secret (if it is no secret: public = ["NAME"] at the top of the systems' in told
    assert ": src/${TOOL_KEY}/a.py" in told


IDENTIFY = {"argv": [sys.executable, "-S", "-c", "print('tool 2.1, index books')"]}


@pytest.mark.parametrize(
    ("identify", "told"),
    [
        (
            {**IDENTIFY, "expect": "index songs"},
            "another system, or another version: 'index songs' is not in what identify says:"
            " tool 2.1, index books",
        ),
        ({**IDENTIFY, "expect": r"v\d 'x'"}, r"version: 'v\d 'x'' is not in what identify says"),
        ({"argv": ["no-such-tool"], "expect": "a"}, "there is no program 'no-such-tool'"),
        (
            {"argv": [sys.executable, "-c", "raise SystemExit('none')"], "expect": ""},
            "has no expect",
        ),
        (
            {"argv": [sys.executable, "-S", "-c", "raise SystemExit('none')"], "expect": "n"},
            "identify ends with exit code 1: none",
        ),
    ],
)
def test_another_system_than_was_meant_is_refused(tmp_path, identify, told):
    if not identify["expect"]:
        del identify["expect"]
    assert told in failure(tmp_path, script("print('[]')", identify=identify), queries=ONE)


@pytest.mark.parametrize(
    ("expect", "identity"),
    [
        (r"tool 2\.\d", "tool 2.1"),
        (r"index (\w+)", "books"),
        (r"(tool)|index (\w+)", "tool"),
        (r"(song)|index (\w+)", "books"),
        (r"(song)?index \w+", "index books"),
        (r"index ()\w+", "index books"),
    ],
)
def test_what_a_system_is_found_to_be_is_kept(tmp_path, expect, identity):
    table = script("print('[]')", identify={**IDENTIFY, "expect": expect})
    assert one(tmp_path, table, queries=ONE).identity == identity
    assert one(tmp_path, table, queries=ONE).identity == identity
    kept = json.loads((tmp_path / "out" / "collect.json").read_text())["it"]
    assert kept["identity"] == identity


def test_the_ends_in_what_is_expected_are_those_of_each_line(tmp_path):
    says = [sys.executable, "-S", "-c", "print('tool 2.1\\nindex \\x1b[1mbooks\\x1b[m\\nready')"]
    table = script("print('[]')", identify={"argv": says, "expect": r"^index (\w+)$"})
    assert one(tmp_path, table, queries=ONE).identity == "books"


def test_where_nothing_is_left_to_be_asked_it_is_identified_all_the_same(tmp_path):
    (tmp_path / "index").write_text("books")
    table = script("print('[]')", identify={"argv": ["cat", "index"], "expect": r"\w+"})
    one(tmp_path, table, queries=ONE)
    (tmp_path / "index").write_text("songs")
    with pytest.raises(Exception, match="of a system that said 'books', and now it says 'songs'"):
        one(tmp_path, table, queries=ONE)
    (tmp_path / "index").unlink()
    with pytest.raises(Exception, match="identify ends with exit code 1"):
        one(tmp_path, table, queries=ONE)


EXCHANGING = script(
    "if sys.argv[1] == 'sort a list': open('index', 'w').write('index v2')\n"
    "print('[{\"id\": \"' + open('index').read()[-2:] + '\"}]')",
    identify={"argv": ["cat", "index"], "expect": r"index (v\d)"},
)


def test_one_that_is_exchanged_while_it_is_asked_has_no_run_and_the_others_have(tmp_path):
    (tmp_path / "index").write_text("index v1")
    tables = {"a": EXCHANGING, "b": script('print(\'[{"id": "b"}]\')')}
    holds = (
        "a.answers.jsonl: holds answers of a system that was exchanged while it was asked: it said"
        " 'v1' at the start, and 'v2' at the end; use another"
    )
    with pytest.raises(InputError, match=holds):
        collected(tmp_path, tables)
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        *("a.answers.jsonl", "b.answers.jsonl", "b.run", "b.latency.csv"),
        *("collect.json", "documents.jsonl"),
    }
    assert [one.hits[0].doc_id for one in replies_in(out / "a.answers.jsonl")] == ["v1", "v2", "v2"]
    # The next one takes them for those of neither.
    for index in ("index v2", "index v1"):
        (tmp_path / "index").write_text(index)
        with pytest.raises(InputError, match=holds):
            collected(tmp_path, tables)
    (tmp_path / "index").write_text("index v2")
    assert collected(tmp_path, tables, again=True)["a"].identity == "v2"


def test_one_that_is_exchanged_for_something_else_altogether(tmp_path):
    (tmp_path / "index").write_text("index v1")
    code = EXCHANGING["argv"][3].replace("'index v2'", "'songs'")
    table = {**EXCHANGING, "argv": [*EXCHANGING["argv"][:3], code, "{query}"]}
    for _ in range(2):
        with pytest.raises(InputError, match="'v1' at the start, and 'not as expected: songs' at"):
            one(tmp_path, table)
        (tmp_path / "index").write_text("index v1")


def test_where_it_cannot_be_identified_at_the_end_the_same_command_goes_on(tmp_path):
    (tmp_path / "index").write_text("index v1")
    code = EXCHANGING["argv"][3].replace("open('index', 'w')", "__import__('os').remove('index')#")
    code = code.replace("open('index').read()", "'v1'")
    table = {**EXCHANGING, "argv": [*EXCHANGING["argv"][:3], code, "{query}"]}
    with pytest.raises(InputError) as raised:
        one(tmp_path, table, queries=QUERIES[:2])
    told = str(raised.value)
    assert "system it: identify fails at the end: identify ends with exit code 1" in told
    assert told.endswith("its answers are kept; give the command again, without --again")
    (tmp_path / "index").write_text("index v1")
    found = one(tmp_path, table, queries=QUERIES[:2])
    assert (found.identity, found.kept) == ("v1", 2)


def test_answers_from_before_it_was_identified_are_told_and_of_no_known_index(tmp_path):
    (tmp_path / "index").write_text("index v2")
    table = script("print('[]')")
    one(tmp_path, table, queries=QUERIES[:1])
    identified = {**table, "identify": {"argv": ["cat", "index"], "expect": r"v\d"}}
    told = (
        "1 of 3 answers came while there was no identify, and may be of another index than that of"
        " 'v2'; --again asks anew"
    )
    for _ in range(2):
        found = one(tmp_path, identified)
        assert (found.identity, found.notes) == ("", (told,))
    # It stays known of those of which it is known, whoever asks then.
    found = one(tmp_path, table, queries=QUERIES[1:])
    assert (found.identity, found.notes) == ("v2", ())
    found = one(tmp_path, identified, again=True)
    assert (found.identity, found.notes) == ("v2", ())


def test_it_is_identified_where_and_with_what_it_runs(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "index").write_text("of songs")
    say = [
        sys.executable,
        "-S",
        "-c",
        "import os; print(open('index').read(), os.environ['MODE'])",
    ]
    table = script(
        "print('[]')",
        cwd="inner",
        env={"MODE": "${MODE}"},
        identify={"argv": say, "expect": "of songs.*"},
    )
    found = one(tmp_path, table, queries=ONE, environment={"MODE": "very secret"})
    assert found.identity == "of songs ${MODE}"


def test_answers_of_two_versions_are_not_mixed(tmp_path):
    version = tmp_path / "version"
    version.write_text("tool 2.1 at 10:01\n")
    say = ["cat", "version"]
    table = script("print('[]')", identify={"argv": say, "expect": r"tool [\d.]+"})
    one(tmp_path, table, queries=QUERIES[:1])
    version.write_text("tool 2.1 at 10:02\n")
    one(tmp_path, table, queries=QUERIES[:2])
    version.write_text("tool 2.2 at 10:03\n")
    with pytest.raises(
        Exception, match=r"of a system that said 'tool 2.1', and now it says 'tool 2"
    ):
        one(tmp_path, table, queries=QUERIES)
    # Who looks for something else in what it says has not another system by that.
    table["identify"] = {"argv": say, "expect": "tool"}
    one(tmp_path, table, queries=QUERIES)
    table["identify"] = {"argv": say, "expect": r"tool [\d.]+"}
    version.write_text("tool 2.3\n")
    assert one(tmp_path, table, queries=QUERIES, again=True).identity == "tool 2.3"


def test_a_program_that_is_built_anew_amid_the_work_comes_back_or_its_queries_fail(tmp_path):
    """`cut` takes itself away with the second query, `well` with the third, but comes back."""
    for name, taken in (("cut", "sort a list"), ("well", "nothing at all")):
        back = f"(sleep 0.1; mv {name}.away {name}) &" if name == "well" else ""
        (tmp_path / name).write_text(
            f'#!/bin/sh\necho "[]"\n[ "$1" != "{taken}" ] && exit\n'
            f"[ -e {name}.was ] && exit\ntouch {name}.was; mv {name} {name}.away\n{back}\n"
        )
        (tmp_path / name).chmod(0o755)
    queries = [*QUERIES, Query("q4", "more")]
    tables = {
        "cut": program("./cut", "{query}", retries=0),
        "well": program("./well", "{query}", retries=9, longest_wait=1),
    }
    found = collected(tmp_path, tables, queries)
    gone = "there is no program './cut'"
    assert [reply.failure for reply in found["cut"].replies] == ["", "", gone, gone]
    assert not found["well"].failed
    # Once it is to be asked again, it is missed before the work.
    with pytest.raises(JudgeTuiError, match=f"system cut: {gone}; install it"):
        collected(tmp_path, tables, queries, again_failed=True)


def test_a_program_that_goes_while_another_system_is_asked_ends_nothing(tmp_path):
    (tmp_path / "b").write_text("#!/bin/sh\necho '[]'\n")
    (tmp_path / "b").chmod(0o755)
    a = script(
        "import os; os.path.exists('asked') and os.path.exists('b') and os.remove('b')\n"
        "open('asked', 'w'); print('[]')"
    )
    found = collected(tmp_path, {"a": a, "b": program("./b", "{query}", retries=0)})
    assert [len(found[name].failed) for name in "ab"] == [0, 3]


def test_two_systems_are_asked_one_after_another(tmp_path):
    code = "open('log', 'a').write('{0}\\n'); print('[]')"
    tables = {name: script(code.replace("{0}", name)) for name in ("a", "b")}
    assert list(collected(tmp_path, tables)) == ["a", "b"]
    # Both are tried before the work begins.
    assert (tmp_path / "log").read_text().split() == ["a", "b", *["a"] * 3, *["b"] * 3]
