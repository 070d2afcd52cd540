"""`kind = "task"`: tasks put to a chat endpoint with and without what a search finds. Every task is
put once in each arm, the arms differ in the context alone, and checks, which are programs, say of
each answer whether it passes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import httpx
from pydantic import JsonValue

from judge_tui.collect.chat_completion import read_completion
from judge_tui.collect.command_system import run_program
from judge_tui.collect.http_system import open_client, send
from judge_tui.collect.journal import Journal
from judge_tui.collect.retry import do_each
from judge_tui.collect.search_system import Reply, SearchError, fill
from judge_tui.collect.settings import Arm, TaskSettings
from judge_tui.collect.work import CollectRequest, Replies, Work
from judge_tui.errors import UsageError
from judge_tui.formats.outcomes_csv import ATTEMPTS, ERROR, OUTCOMES
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writing import write_lines
from judge_tui.model import Query

_INHERITED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE")
_FENCE = re.compile(
    r"^ *(?P<fence>`{3,}|~{3,})[^`\n]*\n(?P<code>.*?)(?:^ *(?P=fence)|\Z)", re.DOTALL | re.MULTILINE
)
# The templates of many models write the first tag themselves, and a cut ends amid a thought.
_THOUGHT = re.compile(
    r"\A(?:\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|(?:(?!```|<think).)*?</think(?:ing)?>)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One task put in one arm. `prompt`: as it was sent; `doc_ids`: what is in its context;
    `failure`: why there is no answer."""

    task: str
    arm: str
    prompt: str = ""
    doc_ids: tuple[str, ...] = ()
    answer: str = ""
    seconds: float = 0.0
    tries: int = 1
    failure: str = ""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """`attempts`: arm -> what came of each task; `passed`: (check, arm) -> task -> whether its
    answer passes, which none does where there is no answer; `path`: the file for `outcomes`."""

    name: str
    path: Path
    arms: Mapping[str, Arm]
    checks: tuple[str, ...]
    attempts: Mapping[str, Sequence[Attempt]]
    passed: Mapping[tuple[str, str], Mapping[str, bool]]
    identity: str = ""


class TaskWork(Work[Attempt, TaskOutcome]):
    """The tasks that a chat endpoint is put."""

    _client: httpx.AsyncClient
    settings: TaskSettings

    def __init__(self, request: CollectRequest, name: str) -> None:
        """Raises `UsageError` where a check's program is not there, or an arm wants more results
        than are asked for, and `InputError`."""
        settings = request.systems.tasks[name]
        path, key = request.folder / f"{name}{ATTEMPTS}", lambda one: (one.task, one.arm)
        journal = Journal(path, Attempt, key, fresh=request.fresh)
        super().__init__(request, name, journal, len(request.queries) * len(settings.arms))
        self._path = request.folder / f"{name}{OUTCOMES}"
        self._redact = request.secrets.redact
        for arm_name, arm in settings.arms.items():
            if arm.context is not None and arm.k > request.depth:
                what = f"arm {arm_name} wants the top {arm.k} of {arm.context}"
                mend = f"give --depth {arm.k} or more"
                raise UsageError(f"{what}, and --depth is {request.depth}", mend)
        self._checks = Checks(settings, request.systems.folder)
        self._passed: dict[tuple[str, str], dict[str, bool]] = {
            (check, arm): {} for check in settings.checks for arm in settings.arms
        }

    @property
    def fingerprint(self) -> str:
        """Of what shapes an answer."""
        return self.request.systems.fingerprint(self.name, 0, "")

    @property
    def trials(self) -> list[Query]:
        """Those that lack an answer in an arm."""
        tasks, arms = self.request.queries, self.settings.arms
        return [task for task in tasks if any(self._is_open(task, arm) for arm in arms)]

    def remove_outputs(self) -> None:
        """It comes back when all is checked."""
        self._path.unlink(missing_ok=True)

    async def _try(self, task: Query) -> None:
        async with open_client(self.settings.timeout, 1) as self._client:
            await self._send(self._fill_prompt(task, ""))

    async def _ask_rest(self, replies: Replies) -> bool:
        """Put each task in all arms before the next one: what changes at the endpoint meanwhile is
        the same for all of them. Every answer is checked, those that were there already, too."""
        jobs = self.request.jobs
        is_asked = False

        async def put(item: tuple[Query, str]) -> None:
            nonlocal is_asked
            task, arm = item
            self.tell_query(task, arm)
            attempt = self._plan(task, arm, replies)
            if attempt.failure or self._is_open(task, arm, attempt.prompt):
                is_asked = True
                if not attempt.failure:
                    attempt = await self._complete(attempt)
                self.journal.add(attempt)
            attempt = self.journal.records[task.query_id, arm]
            for check in self.settings.checks:
                self._passed[check, arm][task.query_id] = not attempt.failure and (
                    await self._checks.passes(check, task, attempt.answer)
                )
            self.done += 1

        async with open_client(self.settings.timeout, jobs) as self._client:
            tasks, arms = self.request.queries, self.settings.arms
            await do_each([(task, arm) for task in tasks for arm in arms], put, jobs)
        return is_asked

    def _write(self) -> TaskOutcome:
        """Write NAME.outcomes.csv, which `judge-tui outcomes` reads."""
        arms, checks = self.settings.arms, tuple(self.settings.checks)
        records, tasks = self.journal.records, [task.query_id for task in self.request.queries]
        attempts = {arm: [records[task, arm] for task in tasks] for arm in arms}
        rows = [
            (
                task,
                arm,
                *(ERROR if failure else int(self._passed[one, arm][task]) for one in checks),
            )
            for task in tasks
            for arm in arms
            for failure in [records[task, arm].failure]
        ]
        write_lines(self._path, csv_lines(("task", "arm", *checks), rows))
        identity = self.journal.identity
        return TaskOutcome(self.name, self._path, arms, checks, attempts, self._passed, identity)

    def _is_open(self, task: Query, arm: str, prompt: str | None = None) -> bool:
        """Whether the endpoint has to be asked; another prompt is another question."""
        before = self.journal.records.get((task.query_id, arm))
        if before is None or (self.request.retry_failed and before.failure):
            return True
        return prompt is not None and before.prompt != prompt

    def _plan(self, task: Query, arm: str, replies: Replies) -> Attempt:
        """What is to be asked; a failure where the context that belongs to it cannot be had."""
        context, k = self.settings.arms[arm].context, self.settings.arms[arm].k
        attempt = Attempt(task.query_id, arm)
        if context is None:
            return replace(attempt, prompt=self._fill_prompt(task, ""))
        reply = replies[context][task.query_id]
        text = _write_context(reply, k)
        failure = reply.failure
        if reply.hits and not text:
            failure = f"none of its {len(reply.hits[:k])} results has a text"
        if failure:
            return replace(attempt, tries=0, failure=f"no context from {context}: {failure}")
        doc_ids = tuple(hit.doc_id for hit in reply.hits[:k])
        return replace(attempt, doc_ids=doc_ids, prompt=self._fill_prompt(task, text))

    async def _complete(self, attempt: Attempt) -> Attempt:
        reply = await self.throttle.call(partial(self._send, attempt.prompt))
        attempt = replace(attempt, seconds=reply.seconds, tries=reply.tries)
        try:
            return replace(attempt, answer=self._redact(reply.value()))
        except SearchError as error:
            return replace(attempt, failure=error.line(self._redact))

    def _fill_prompt(self, task: Query, context: str) -> str:
        values = {"context": context, "query": task.text, "query_id": task.query_id}
        return self._redact(fill(self.settings.prompt, values))

    async def _send(self, prompt: str) -> str:
        """What the model says. Raises `SearchError`."""
        settings, secrets = self.settings, self.request.secrets
        messages: list[JsonValue] = [{"role": "user", "content": prompt}]
        if settings.system:
            messages.insert(0, {"role": "system", "content": settings.system})
        body: dict[str, JsonValue] = {
            **secrets.expand(settings.options),
            "model": settings.model,
            "messages": messages,
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        url, headers = secrets.expand_url(settings.url), secrets.expand(settings.headers)
        reply = await send(self._client, settings.timeout, "POST", url, headers, body)
        return read_completion(reply).choices[0].message.content or ""


def _write_context(reply: Reply, k: int) -> str:
    """The first `k` hits: of each a line `[rank] id`, a line with its title, and its text, an empty
    line between two of them; empty where none has a text."""
    blocks = []
    has_text = False
    for rank, hit in enumerate(reply.hits[:k], 1):
        parts = [part for part in (hit.title.strip(), hit.text.strip("\r\n")) if part.strip()]
        has_text = has_text or bool(parts)
        blocks.append("\n".join([f"[{rank}] {hit.doc_id}", *parts]))
    return "\n\n".join(blocks) if has_text else ""


class Checks:
    """The checks of one system: programs that are shown the code of an answer, each in an empty
    folder of its own. What runs there may be what a model wrote: it sees nothing of the environment
    but where programs are and which language is spoken. That is tidiness, no prison."""

    def __init__(self, settings: TaskSettings, folder: Path) -> None:
        """Raises `UsageError` where a program is not there."""
        self._settings = settings
        self._folder = folder
        self._environment = {
            "PATH": os.defpath,
            **{name: os.environ[name] for name in _INHERITED if name in os.environ},
        }
        self._programs: dict[str, str] = {}
        for name, argv in settings.checks.items():
            first = fill(argv[0], {"folder": str(folder)})
            path = str(folder / first) if os.sep in first else first
            program = shutil.which(path, path=self._environment["PATH"])
            if program is None:
                what = f"check {name}: there is no program {first!r} that can be started"
                raise UsageError(what, f"install it, or give its path from {str(folder)!r}")
            self._programs[name] = str(Path(program).absolute())

    async def passes(self, name: str, task: Query, answer: str) -> bool:
        """Whether the program of a check ends with 0 within its time; an answer with nothing in it
        passes none, and is not shown."""
        settings = self._settings
        code = find_code(answer)
        if not code.strip():
            return False
        values = {
            "file": settings.file,
            "folder": str(self._folder),
            "query": task.text,
            "query_id": task.query_id,
        }
        _, *arguments = (fill(one, values) for one in settings.checks[name])
        with TemporaryDirectory(prefix="judge_tui-answer-", ignore_cleanup_errors=True) as made:
            here = Path(made).resolve()
            (here / settings.file).write_bytes(code.encode("utf-8", "replace"))
            environment = {**self._environment, "HOME": str(here), "TMPDIR": str(here)}
            argv = [self._programs[name], *arguments]
            try:
                return (await run_program(argv, here, environment, settings.timeout)).code == 0
            except SearchError:  # what a model wrote may print without end
                return False


def find_code(answer: str) -> str:
    """The first fenced block with anything in it (CommonMark); the whole answer where there is no
    fence. What a model thought aloud before its answer is not a part of it."""
    answer = _THOUGHT.sub("", answer)
    fences = [dedent(fence["code"]) for fence in _FENCE.finditer(answer)]
    return next(filter(str.strip, fences), "") if fences else answer
