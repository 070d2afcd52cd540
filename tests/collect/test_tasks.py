"""Tasks that are put to a chat endpoint with and without context, and the checks of its answers."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from judge_tui.collect import CollectRequest, TaskOutcome, collect, read_systems
from judge_tui.collect.chat_tasks import find_code
from judge_tui.errors import InputError
from judge_tui.model import Query
from tests.collect.asking import OUT, http, systems_file
from tests.collect.server import Server

TASKS = (Query("t1", "read a csv file"), Query("t2", "sort a list"), Query("t3", "nothing at all"))
COMPILES = [sys.executable, "-m", "py_compile", "{file}"]


def model(prompt: str) -> str:
    """What is right where the context has the right word in it, and else no Python."""
    return f"So:\n\n```python\n{'reader()' if 'read a csv' in prompt else 'reader('}\n```\n"


def check(code: str) -> list[str]:
    """A check that is a few lines of Python; `answer` is what it is shown."""
    before = "import sys\nanswer = open(sys.argv[1]).read()\n"
    return [sys.executable, "-S", "-c", before + code, "{file}"]


def tables(server: Server, path: str = "/chat", **settings: Any) -> dict[str, dict[str, Any]]:
    """`search` finds the texts that the server finds, `coder` is put the tasks."""
    coder = {
        "kind": "task",
        "url": server.url + path,
        "model": "m-1",
        "prompt": "{context}\n\nTask: {query}",
        "temperature": 0,
        "timeout": 5,
        "max_wait": 0.01,
        "arms": {"plain": {}, "docs": {"context": "search", "k": 2}},
        "checks": {"compiles": COMPILES},
    }
    return {"search": http(server, title="title", text="text"), "coder": {**coder, **settings}}


def tried(
    folder: Path,
    systems: Mapping[str, Mapping[str, Any]],
    tasks: Sequence[Query] = TASKS,
    *,
    environment: Mapping[str, str] | None = None,
    **options: Any,
) -> TaskOutcome:
    """What comes of `coder`."""
    read = read_systems(systems_file(folder, systems), environment=environment or {})
    (outcome,) = collect(CollectRequest(read, tasks, folder / OUT, **options)).tasks
    return outcome


def passed(outcome: TaskOutcome, name: str = "compiles") -> dict[str, str]:
    """Of each arm, in the order of the tasks: 1 or 0."""
    return {
        arm: "".join(str(int(outcome.passed[name, arm][one.task])) for one in attempts)
        for arm, attempts in outcome.attempts.items()
    }


def sent(server: Server) -> list[dict[str, Any]]:
    """The bodies that the chat endpoint was sent, in order; the first tries it."""
    return [json.loads(body) for _m, path, _p, _h, body in server.asked if "chat" in path]


def prompts(server: Server) -> list[str]:
    return [one["messages"][-1]["content"] for one in sent(server)]


@pytest.fixture(autouse=True)
def says(server):
    server.says = model
    server.found["sort a list"] = [{"id": "d9", "text": "how to read a csv file"}, {"id": "d8"}]


def test_the_arms_differ_in_the_context_alone(server, tmp_path):
    outcome = tried(tmp_path, tables(server, system="You write.", options={"n": 1}))
    assert passed(outcome) == {"plain": "100", "docs": "110"}
    # Each in all arms before the next.
    _trial, plain, docs, *_ = sent(server)
    assert plain == {
        "model": "m-1",
        "temperature": 0.0,
        "n": 1,
        "messages": [
            {"role": "system", "content": "You write."},
            {"role": "user", "content": "\n\nTask: read a csv file"},
        ],
    }
    context = (
        "[1] docs/csv.md\nReading CSV\nread a csv\n\n[2] docs/json%20file.md\nread a json file"
    )
    assert docs["messages"][-1]["content"] == f"{context}\n\nTask: read a csv file"
    assert prompts(server)[3:5] == [
        "\n\nTask: sort a list",
        "[1] d9\nhow to read a csv file\n\n[2] d8\n\nTask: sort a list",
    ]
    assert outcome.attempts["docs"][0].doc_ids == ("docs/csv.md", "docs/json%20file.md")
    with (tmp_path / OUT / "coder.outcomes.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[:3] == [["task", "arm", "compiles"], ["t1", "plain", "1"], ["t1", "docs", "1"]]


def test_what_is_there_is_not_asked_again_and_checked_as_it_is_now(server, tmp_path):
    (tmp_path / "right").write_text("exit 1")
    systems = tables(server, checks={"it": ["sh", "{folder}/right"]})
    assert passed(tried(tmp_path, systems), "it")["plain"] == "000"
    server.asked.clear()
    (tmp_path / "right").write_text("exit 0")
    systems["coder"]["checks"]["also"] = check("")
    outcome = tried(tmp_path, systems)
    assert (passed(outcome, "it")["plain"], passed(outcome, "also")["plain"]) == ("111", "111")
    assert prompts(server) == []
    # Another prompt is another question.
    systems["coder"]["prompt"] = "{context} Do: {query}"
    tried(tmp_path, systems)
    assert len(prompts(server)) == 6
    with pytest.raises(InputError, match="holds answers to other settings"):
        tried(tmp_path, tables(server, model="m-2"))


def test_failures_of_the_endpoint_and_of_the_search(server, tmp_path):
    server.says = lambda prompt: {} if "sort a list" in prompt else model(prompt)
    server.replies["/t3"] = (500, {}, b"down")
    for n in (1, 2):
        server.replies[f"/t{n}"] = (200, {}, b'{"results": [{"id": "d", "text": "x"}]}')
    systems = tables(server)
    systems["search"] = http(server, "/{query_id}", text="text", retries=0)
    outcome = tried(tmp_path, systems)
    assert "no context from search: HTTP 500" in outcome.attempts["docs"][2].failure
    assert "no choices[0].message" in outcome.attempts["plain"][1].failure
    assert passed(outcome) == {"plain": "100", "docs": "100"}
    text = (tmp_path / OUT / "coder.outcomes.csv").read_text()
    assert "t2,plain,error" in text
    # What failed is asked once more.
    server.says = model
    server.replies["/t3"] = (200, {}, b'{"results": []}')
    outcome = tried(tmp_path, systems, retry_failed=True)
    assert not any(one.failure for attempts in outcome.attempts.values() for one in attempts)


def test_an_endpoint_that_answers_nothing_is_refused_before_the_work(server, tmp_path):
    with pytest.raises(InputError, match="toml:10: system coder: does not answer query t1: "):
        tried(tmp_path, tables(server, "/404/x"))
    with pytest.raises(InputError, match="system coder: check it: there is no program 'no-such'"):
        tried(tmp_path, tables(server, checks={"it": ["no-such", "{file}"]}))
    with pytest.raises(InputError, match="arm docs wants the top 2 of search, and --depth is 1"):
        tried(tmp_path, tables(server), depth=1)


def test_secrets_are_sent_and_kept_nowhere(server, tmp_path):
    secret = "k/e+y-of-mine"  # noqa: S105
    server.says = lambda _prompt: f"```\n{secret}\n```"
    systems = tables(server, headers={"A": "${KEY}"}, checks={"it": check("print(answer)")})
    tried(tmp_path, systems, environment={"KEY": secret})
    assert server.asked[-1][3]["A"] == secret
    written = b"".join(path.read_bytes() for path in (tmp_path / OUT).iterdir())
    assert b"k/e+y" not in written
    assert b"${KEY}" in written


def test_checks_run_in_an_empty_folder_with_a_bare_environment(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OF_THE_TERMINAL", "there")
    code = (
        "import os, json\nhere = os.getcwd()\n"
        f"with open({str(tmp_path / 'seen')!r}, 'w') as seen: json.dump("
        "[sorted(os.listdir()), sorted(os.environ), os.environ['HOME'] == here], seen)"
    )
    tried(tmp_path, tables(server, checks={"it": check(code)}, arms={"plain": {}}), TASKS[:1])
    files, names, is_home = json.loads((tmp_path / "seen").read_text())
    assert (files, is_home) == (["answer.py"], True)
    assert set(names) - {"LANG", "LC_ALL", "LC_CTYPE"} == {"HOME", "PATH", "TMPDIR"}
    assert "OF_THE_TERMINAL" in os.environ


@pytest.mark.parametrize(
    ("answer", "code", "passes"),
    [
        ("", "", "0"),
        ("```\n```", "", "0"),
        ("```\nx\n```", "", "1"),
        ("```\nx\n```", "sys.exit(3)", "0"),
        ("```\nx\n```", "import time; time.sleep(60)", "0"),
    ],
)
def test_which_answers_pass_a_check(server, tmp_path, answer, code, passes):
    server.says = lambda _prompt: answer
    systems = tables(server, checks={"it": check(code)}, arms={"plain": {}}, timeout=0.5)
    assert passed(tried(tmp_path, systems, TASKS[:1]), "it") == {"plain": passes}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("So:\n\n```python\nx = 1\n```\nand\n```\ny\n```", "x = 1\n"),
        ("~~~js\na\n~~~", "a\n"),
        ("- do:\n\n  ```python\n  x = 1\n  ```", "x = 1\n"),
        ("````\n```\nx\n```\n````", "```\nx\n```\n"),
        ("```python\nx = 1", "x = 1"),
        ("```\n\n```\n```\nb\n```", "b\n"),
        ("```\n```", ""),
        ("x = 1\n", "x = 1\n"),
        ("<think>\n```\nno\n```\n</think>\n```\nyes\n```", "yes\n"),
        ("I think so.</think>yes", "yes"),
        ("<think> and never more", ""),
        ("```\na = '</think>'\n```", "a = '</think>'\n"),
    ],
)
def test_what_of_an_answer_is_code(answer, code):
    assert find_code(answer) == code
