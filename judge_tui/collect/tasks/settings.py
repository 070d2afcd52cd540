"""`kind = "task"`: what its table in a systems file says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge_tui.collect.filling import asks_for
from judge_tui.collect.over_http import refuse_bad_headers, url_of
from judge_tui.collect.section import Section
from judge_tui.collect.tasks.chat import Chat
from judge_tui.formats.columns import folded
from judge_tui.formats.outcomes_csv import ARM, TASK

__all__ = ["ASKING", "Arm", "Check", "TaskSettings", "read_tasks"]

ASKING = ("url", "model", "headers", "system", "temperature", "max_tokens", "seed", "options")
"""Settings that change a reply whatever is asked; what is asked is kept with each reply."""

_EXTRACT = ("code", "all")
_UNANSWERED = ("fails", "left out")
_OURS = ("model", "messages", "stream")
_FILE = re.compile(r"[\w.][\w.+-]{0,99}")
_FILLED_IN = ("query", "query_id", "context")
_FILLED_IN_OF_CHECKS = ("file", "folder", "query", "query_id")
_PROMPT = "{context}\n\n{query}"


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to put the tasks: with the top `k` of the search system `context` in the prompt, or,
    where that is empty, without any. `documents`: the file that has the texts of what it finds.
    `line`: where it stands in the systems file."""

    name: str
    line: int | None
    context: str = ""
    k: int = 0
    documents: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A program that ends with 0 where a reply passes. `line`: where it stands in the systems
    file; `shown`: its `argv` without the keys that are written out in it, and `marks` what tells
    them apart all the same, as `Section` has it."""

    name: str
    line: int | None
    argv: tuple[str, ...]
    shown: tuple[str, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskSettings:
    """How tasks are put and their replies checked. `unanswered`: whether a task that the endpoint
    does not answer fails every check, or has no outcome; `language`: whose code is checked rather
    than that of others, empty for any."""

    chat: Chat
    prompt: str
    context_chars: int
    arms: tuple[Arm, ...]
    checks: tuple[Check, ...]
    extract: str
    language: str
    file: str
    check_timeout: float
    check_env: Mapping[str, str]
    unanswered: str


def read_tasks(section: Section) -> TaskSettings | None:
    """Read the settings; None where one was refused."""
    url = url_of(section, "url")
    model = section.plain("model", required=True, public=True)
    headers = section.headers()
    refuse_bad_headers(section, headers)
    system = section.plain("system", public=True)
    body = {"model": model, **_numbers(section), **_options(section)}
    prompt = section.plain("prompt", _PROMPT, public=True)
    section.without_query("prompt")
    section.known_names("prompt", _FILLED_IN)
    context_chars = section.count("context_chars", 20_000, least=1, most=10_000_000)
    extract = section.choice("extract", _EXTRACT, "code")
    language = section.plain("language", public=True)
    if language and extract != "code":
        section.refuse("language", f'extract is "{extract}"', "take language out: all is checked")
    file = section.plain("file", "answer.py", public=True)
    if not _FILE.fullmatch(file) or file in (".", ".."):
        section.refuse(
            "file", f"file is {file!r:.120}", "write a name, without a folder: letters, digits . _"
        )
    timeout = section.number("check_timeout", 30.0, least=0.01, most=86_400)
    unanswered = section.choice("unanswered", _UNANSWERED, "fails")
    environment = section.open_env("check_env")
    arms = _arms(section)
    checks = _checks(section)
    if any(arm.context for arm in arms) and not asks_for(prompt, "context"):
        section.refuse(
            "prompt", "prompt has no {context} in it, and an arm has", "write {context} there"
        )
    if not (url and model and arms and checks):
        return None
    chat = Chat(url, headers, system, body)
    return TaskSettings(
        chat,
        prompt,
        context_chars,
        arms,
        checks,
        extract,
        language.strip(),
        file,
        timeout,
        environment,
        unanswered,
    )


def _numbers(section: Section) -> dict[str, Any]:
    """What is sent as it is written: 0 is no 0.0 to every endpoint."""
    section.number("temperature", None, least=0, most=100)
    section.count("max_tokens", 0, least=1, most=100_000_000)
    section.count("seed", 0, least=-(2**63), most=2**63 - 1)
    names = ("temperature", "max_tokens", "seed")
    return {name: section.table[name] for name in names if name in section}


def _options(section: Section) -> dict[str, Any]:
    """Whatever else an endpoint takes."""
    options = section.json("options")
    if options is None:
        return {}
    if not isinstance(options, dict):
        section.refuse("options", "options is not a table", "write options = { top_p = 1 }")
        return {}
    for name in (*_OURS, *ASKING):
        if name in options:
            what = "is a setting of its own" if name in section.table else "cannot be an option"
            section.refuse("options", f"{name} {what}", "take it out of options")
    return options


def _arms(section: Section) -> tuple[Arm, ...]:
    example = '{ plain = {}, docs = { context = "NAME", k = 5 } }'
    if (inner := _some(section, "arms", example)) is None:
        return ()
    arms = []
    for name in inner.table:
        inner.refuse_name(name, name, f"arm {name!r:.120} is a column or a cell of a table")
        own = inner.inner(name)
        if own is None:
            continue
        context = own.plain("context", required="context" in own, public=True)
        k = own.count("k", 5, least=1, most=10_000)
        documents = own.plain("documents", required="documents" in own, public=True)
        own.end()
        if "context" not in own and own.table:
            own.refuse("", f"arm {name} has no context", 'add context = "NAME" of a search system')
        arms.append(Arm(name, inner.line_of(name), context, k if context else 0, documents))
    inner.end()
    return tuple(arms)


def _checks(section: Section) -> tuple[Check, ...]:
    example = '{ compiles = ["python3", "-m", "py_compile", "{file}"] }'
    if (inner := _some(section, "checks", example)) is None:
        return ()
    checks = []
    for name in inner.table:
        inner.refuse_name(name, name, f"check {name!r:.120} is a column or a cell of a table")
        if folded(name) in (*TASK.names, *ARM.names):
            inner.refuse(name, f"check {name} has the name of another column", "rename it")
        if argv := inner.argv(name, instead="a file that the program reads"):
            inner.known_names(name, _FILLED_IN_OF_CHECKS, only_near=True)
            shown, marks = tuple(inner.shown[name]), tuple(inner.marks.get(name, ()))
            checks.append(Check(name, inner.line_of(name), argv, shown, marks))
    inner.end()
    return tuple(checks)


def _some(section: Section, name: str, example: str) -> Section | None:
    """A table with something in it; None where there is none, which is refused."""
    inner = section.inner(name)
    if inner is None or not inner.table:
        where = name if name in section else ""
        section.refuse(where, f"there are no {name}", f"add {name} = {example}")
        return None
    return inner
