"""Checks as real programs: what they see, what is left of them, how they are ended."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path

import pytest

from judge_tui.collect import read_systems
from judge_tui.collect.tasks.checking import KEPT
from judge_tui.collect.tasks.folders import empty_folder
from judge_tui.errors import JudgeTuiError
from tests.collect.asking import OUT, collect
from tests.collect.tasks.trying import TASKS, chat, check, tried
from tests.waiting import BORN, BORN_IN_SHELL, runs, until


def checked(server, tmp_path, program, answer="```python\nx = 1\n```", **settings):
    """What one check says of one answer."""
    server.says = lambda _prompt: answer
    table = chat(server, arms={"plain": {}}, checks={"it": program}, **settings)
    return tried(tmp_path, {"coder": table}, TASKS[:1]).attempts["t1", "plain"].checks["it"]


def test_it_runs_in_an_empty_folder_without_input_and_with_little_around_it(
    server, tmp_path, monkeypatch
):
    monkeypatch.setenv("OF_THE_TERMINAL", "there")
    code = (
        "import os\nhere = os.getcwd()\n"
        "print(os.listdir(), open('answer.py').read(), sys.stdin.read())\n"
        "print(sorted(set(os.environ) - {'LC_CTYPE', 'LANG', 'LC_ALL'}))\n"
        "print(os.environ['HOME'], os.environ['TMPDIR'], os.environ['MODE'])\n"
        f"print(here.startswith({str(tmp_path)!r}), os.getsid(0) == os.getpid())\n"
        "open('left', 'w')\n"
        f"open({str(tmp_path / 'where')!r}, 'w').write(here)"
    )
    it = checked(server, tmp_path, check(code), check_env={"MODE": "fast"})
    assert it.passed
    assert it.output.splitlines() == [
        "['answer.py'] x = 1",
        " ",
        "['HOME', 'MODE', 'PATH', 'TMPDIR']",
        ". . fast",
        "False True",
    ]
    assert not Path((tmp_path / "where").read_text()).exists()


def test_a_program_of_a_check_that_goes_amid_the_work_ends_nothing(server, tmp_path):
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\nrm $0\n")
    tool.chmod(0o755)
    table = chat(server, arms={"plain": {}}, checks={"it": ["./tool"]})
    found = tried(tmp_path, {"coder": table})
    whys = [found.attempts[task.query_id, "plain"].checks["it"].why for task in TASKS]
    assert whys == ["", *[f"there is no program '{tool}'"] * 2]


def test_each_check_has_a_folder_of_its_own(server, tmp_path):
    code = "import os\nprint(os.listdir())\nopen('left', 'w')\nos.chmod('.', 0)"
    server.says = lambda _prompt: "right"
    table = chat(server, arms={"plain": {}}, checks={"a": check(code), "b": check(code)})
    checks = tried(tmp_path, {"coder": table}, TASKS[:1]).attempts["t1", "plain"].checks
    assert [one.output for one in checks.values()] == ["['answer.py']\n"] * 2


def test_what_it_is_told(server, tmp_path):
    (tmp_path / "own.sh").write_text('#!/bin/sh\necho "$@"\ncat "$1"')
    (tmp_path / "own.sh").chmod(0o755)
    program = ["./own.sh", "{file}", "{query_id}", "{query}", "{folder}/x", "{other}; id"]
    it = checked(server, tmp_path, program, "{query}", extract="all", file="main.rs")
    assert it.output == (
        f"main.rs t1 read a csv file {tmp_path.resolve()}/x {{other}}; id\n{{query}}"
    )


@pytest.mark.parametrize(
    ("code", "seconds", "why", "exit_code"),
    [
        ("exit 3", 30, "exit code 3", 3),
        ("kill -9 $$", 30, "killed by signal 9", -9),
        ("sleep 60", 2, "not done within 2 s", None),
    ],
)
def test_why_it_does_not_pass(server, tmp_path, code, seconds, why, exit_code):
    it = checked(server, tmp_path, ["sh", "-c", f"echo begun; {code}"], check_timeout=seconds)
    assert (it.passed, it.why, it.code) == (False, why, exit_code)
    assert it.output == "begun\n"


def test_a_check_that_came_to_no_end_can_be_run_again_without_asking_again(server, tmp_path):
    program = ["sh", "-c", f"echo once >> '{tmp_path}/runs'; test -e '{tmp_path}/go' || sleep 60"]
    assert not checked(server, tmp_path, program, check_timeout=2).passed
    (tmp_path / "go").touch()
    assert not checked(server, tmp_path, program, check_timeout=2).passed
    server.asked.clear()
    table = chat(server, arms={"plain": {}}, checks={"it": program}, check_timeout=2)
    outcome = tried(tmp_path, {"coder": table}, TASKS[:1], again_failed=True)
    assert outcome.attempts["t1", "plain"].checks["it"].passed
    assert (tmp_path / "runs").read_text() == "once\nonce\n"
    assert server.asked == []


@pytest.mark.parametrize("end", ["sleep 60", "true"])
def test_what_it_started_is_ended_with_it(server, tmp_path, end):
    """Both where it outlasts its time and where it leaves others behind."""
    place = tmp_path / "child"
    program = ["sh", "-c", f"sleep 60 & pid=$!; {BORN_IN_SHELL} > '{place}'; {end}"]
    it = checked(server, tmp_path, program, check_timeout=2 if end == "sleep 60" else 30)
    assert it.passed == (end == "true")
    until(lambda: not runs(place.read_text()))


def test_what_makes_itself_a_daemon_is_ended_too(server, tmp_path):
    """In a session of its own, with its streams closed, by its environment and by its folder."""
    daemon = (
        f"{BORN}\n"
        "import os, sys, time\n"
        "if os.fork(): os._exit(0)\n"
        "os.setsid()\n"
        "open(sys.argv[1], 'w').write(born(os.getpid()))\n"
        "os.close(1); os.close(2); time.sleep(60)"
    )
    places = [tmp_path / "stays", tmp_path / "scrubbed"]
    code = (
        "import os, subprocess, time\n"
        f"daemon, places = {daemon!r}, {[str(place) for place in places]!r}\n"
        "start = [sys.executable, '-S', '-c', daemon]\n"
        "subprocess.Popen([*start, places[0]], cwd='/')\n"
        "subprocess.Popen([*start, places[1]], env={})\n"
        "while not all(os.path.exists(one) and open(one).read() for one in places):\n"
        "    time.sleep(0.01)"
    )
    assert checked(server, tmp_path, check(code)).passed
    until(lambda: not any(runs(place.read_text()) for place in places))


def test_more_folders_within_folders_than_python_goes_down_are_removed():
    with empty_folder() as here:
        with contextlib.chdir(here):
            for _ in range(sys.getrecursionlimit()):
                os.mkdir("a")  # noqa: PTH102 - the way there is longer than a path may be
                os.chdir("a")
        assert (here / "a" / "a").exists()
    assert not here.exists()


def test_what_it_prints_is_cut_and_can_be_shown(server, tmp_path):
    hostile = "\\x1b[31mred\\x1b]0;title\\x07\\u202egnp\\x00"
    it = checked(server, tmp_path, check(f"print('{hostile}')\nprint('ä', file=sys.stderr)"))
    assert it.output == "␛[31mred␛]0;title␇\ufffdgnp␀\nä\n"
    (tmp_path / "long").mkdir()
    it = checked(server, tmp_path / "long", check("print('a' * 5000 + 'b' * 5000)"))
    half = KEPT // 2
    assert it.output == f"{'a' * half}\n… {10_001 - KEPT:,} characters …\n{'b' * (half - 1)}\n"
    assert "… 6,001 characters …" in (tmp_path / "long" / OUT / "coder.checks.csv").read_text()


def test_programs_that_are_not_there_are_told_before_the_work_each_with_its_line(server, tmp_path):
    text = """
[systems.coder.arms]
plain = {}
[systems.coder.checks]
a = ["./no-such", "{file}"]
b = ["true"]
c = ["no-such-program"]
"""
    path = tmp_path / "systems.toml"
    path.write_text(
        f"[systems.coder]\nkind = 'task'\nmodel = 'm'\nurl = '{server.url}/500/chat'{text}"
    )
    with pytest.raises(JudgeTuiError) as raised:
        collect(read_systems(path, environment={}), TASKS[:1], tmp_path / OUT)
    assert [str(one).removeprefix(f"{path}:") for one in (raised.value, *raised.value.also)] == [
        "8: system coder: check a: there is no program './no-such'; install it, or give its path"
        f" from '{tmp_path}'",
        "10: system coder: check c: there is no program 'no-such-program'; install it, or give its"
        f" path from '{tmp_path}'",
    ]
    assert server.asked == []
    assert not (tmp_path / OUT).exists()


def test_a_program_that_may_not_be_executed_is_named_as_such(server, tmp_path):
    (tmp_path / "my check.sh").write_text("#!/bin/sh\n")
    with pytest.raises(JudgeTuiError) as raised:
        checked(server, tmp_path, ["./my check.sh", "{file}"])
    assert str(raised.value).endswith(
        "check it: program './my check.sh' is not executable;"
        f" chmod +x {shlex.quote(f'{tmp_path}/my check.sh')}"
    )


def test_an_answer_is_what_the_file_holds_byte_by_byte(server, tmp_path):
    answer = "\ufeffä\r\n\u2028\x00\x1b \n\n"
    program = [sys.executable, "-S", "-c", "print(ascii(open('answer.py', 'rb').read()))"]
    it = checked(server, tmp_path, program, answer, extract="all")
    assert it.output == f"{answer.encode()!a}\n"


def test_where_no_temporary_folder_can_be_made_it_says_so(server, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", os.devnull)
    with pytest.raises(JudgeTuiError, match="no answer can be put into a temporary folder"):
        checked(server, tmp_path, check(""))


def test_words_without_code_are_told_apart_from_an_answer_with_nothing_in_it(server, tmp_path):
    it = checked(server, tmp_path, check(""), "So:\n```python\n\n```\n")
    assert (it.passed, it.why, it.code) == (False, "no code in it", None)
    (tmp_path / "empty").mkdir()
    assert checked(server, tmp_path / "empty", check(""), " \n").why == "the answer is empty"


def test_code_of_the_language_that_is_asked_for_is_checked_alone(server, tmp_path):
    answer = "```bash\npip install x\n```\n```py\nx = 1\n```"
    program = ["cat", "{file}"]
    assert checked(server, tmp_path, program, answer).output == "pip install x\n"
    # The answers that are there are taken, and checked again, since the check sees something else.
    server.asked.clear()
    assert checked(server, tmp_path, program, answer, language="python").output == "x = 1\n"
    assert server.asked == []
