"""A systems file with a search system and one that is put tasks, and what comes of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judge_tui.collect import TaskOutcome, read_systems
from judge_tui.model import Query
from tests.collect.asking import OUT, collect, http, systems_file
from tests.collect.server import Server

__all__ = [
    "COMPILES",
    "TASKS",
    "attempts",
    "chat",
    "check",
    "model",
    "passed",
    "prompts",
    "sent",
    "tables",
    "tried",
]

TASKS = (Query("t1", "read a csv file"), Query("t2", "sort a list"), Query("t3", "nothing at all"))

COMPILES = [sys.executable, "-m", "py_compile", "{file}"]

_ARMS = {"plain": {}, "docs": {"context": "search", "k": 2}}


def model(prompt: str) -> str:
    """What is right where the context has the right word in it, and else no Python."""
    return f"So:\n\n```python\n{'reader()' if 'with a reader' in prompt else 'reader('}\n```\n"


def chat(server: Server, path: str = "/chat", **settings: Any) -> dict[str, Any]:
    """A system that is put tasks."""
    there = {
        "kind": "task",
        "url": server.url + path,
        "model": "m-1",
        "prompt": "{context}\n\nTask: {query}",
        "temperature": 0,
        "timeout": 5,
        "longest_wait": 0.01,
        "arms": _ARMS,
        "checks": {"compiles": COMPILES},
    }
    return {**there, **settings}


def check(code: str) -> list[str]:
    """A check that is a few lines of Python; `answer` is what it is shown."""
    before = "import sys\nanswer = open(sys.argv[1]).read()\n"
    return [sys.executable, "-S", "-c", before + code, "{file}"]


def tables(server: Server, **settings: Any) -> dict[str, dict[str, Any]]:
    """`search` finds the texts that the server finds, `coder` is put the tasks."""
    return {
        "search": http(server, title="title", text="text"),
        "coder": chat(server, settings.pop("path", "/chat"), **settings),
    }


def tried(
    folder: Path,
    systems: Mapping[str, Mapping[str, Any]],
    tasks: Sequence[Query] = TASKS,
    *,
    environment: Mapping[str, str] | None = None,
    only: Sequence[str] = (),
    **options: Any,
) -> TaskOutcome:
    """What comes of `coder`."""
    path = systems_file(folder, systems)
    read = read_systems(path, only=only, environment={} if environment is None else environment)
    (outcome,) = collect(read, tasks, folder / OUT, **options).tasks
    return outcome


def passed(outcome: TaskOutcome, check: str = "compiles") -> dict[str, str]:
    """Of each arm, in the order of the tasks: 1, 0 or - for no outcome."""
    letters = {True: "1", False: "0", None: "-"}
    return {
        arm.name: "".join(letters[outcome.outcome(one, check)] for one in outcome.of(arm.name))
        for arm in outcome.arms
    }


def sent(server: Server) -> list[dict[str, Any]]:
    """The requests that the chat endpoint was sent, in order."""
    return [
        {"headers": headers, "path": path, "body": json.loads(body)}
        for _method, path, _params, headers, body, _second in server.asked
        if path.endswith("/chat")
    ]


def prompts(server: Server) -> list[str]:
    """What the endpoint was asked, in order; the first is the one that it is tried with."""
    return [one["body"]["messages"][-1]["content"] for one in sent(server)]


def attempts(folder: Path) -> list[dict[str, Any]]:
    """The lines of the journal but the first, and those that note that outcomes were written."""
    lines = (folder / OUT / "coder.attempts.jsonl").read_text(encoding="utf-8").splitlines()
    return [one for one in map(json.loads, lines[1:]) if "written" not in one]
