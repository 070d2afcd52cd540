"""`kind = "task"`: tasks put to a chat endpoint with and without what a search finds. Every task is
put once in each arm, the arms differ in the context alone, and checks, which are programs, say of
each answer whether it passes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import httpx

from judge_tui.collect.checks import Checks
from judge_tui.collect.http_system import open_client, send
from judge_tui.collect.journal import Journal
from judge_tui.collect.retry import each, refuse_silent
from judge_tui.collect.search_system import Reply, SearchError, storable
from judge_tui.collect.settings import Arm, TaskSettings
from judge_tui.collect.template import fill
from judge_tui.collect.work import CollectRequest, Found, Work
from judge_tui.errors import UsageError
from judge_tui.formats.outcomes_csv import ATTEMPTS, ERROR, OUTCOMES
from judge_tui.formats.tables import csv_lines
from judge_tui.formats.writing import write_lines
from judge_tui.model import Query


@dataclass(frozen=True, slots=True)
class Attempt:
    """One task put in one arm. `prompt`: as it was sent; `doc_ids`: what is in its context;
    `finish`: why the answer ended, in the endpoint's words; `failure`: why there is no answer."""

    task: str
    arm: str
    prompt: str = ""
    doc_ids: tuple[str, ...] = ()
    answer: str = ""
    finish: str = ""
    seconds: float = 0.0
    tries: int = 1
    failure: str = ""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """`attempts`: arm -> what came of each task; `passed`: (check, arm) -> task -> whether its
    answer passes, which none does where there is no answer; `path`: the file for `outcomes`;
    `kept`: attempts that were there already."""

    name: str
    path: Path
    arms: Mapping[str, Arm]
    checks: tuple[str, ...]
    attempts: Mapping[str, Sequence[Attempt]]
    passed: Mapping[tuple[str, str], Mapping[str, bool]]
    identity: str = ""
    kept: int = 0


class TaskWork(Work[Attempt, TaskOutcome]):
    """The tasks that a chat endpoint is put."""

    _client: httpx.AsyncClient
    settings: TaskSettings

    def __init__(self, request: CollectRequest, name: str) -> None:
        """Raises `UsageError` where a check's program is not there, or an arm wants more results
        than are asked for, and `InputError`."""
        settings = request.systems.tasks[name]
        journal = Journal(
            request.folder / f"{name}{ATTEMPTS}",
            Attempt,
            lambda one: (one.task, one.arm),
            fresh=request.fresh,
        )
        super().__init__(request, name, journal, len(request.queries) * len(settings.arms))
        self._kept = self.total
        self._redact = request.secrets.redact
        for arm_name, arm in settings.arms.items():
            if arm.context is not None and arm.k > request.depth:
                what = f"arm {arm_name} wants the top {arm.k} of {arm.context}"
                mend = f"give --depth {arm.k} or more"
                raise UsageError(f"{what}, and --depth is {request.depth}", mend)
        self._checks = Checks(settings, request.systems.folder)
        self._tried: dict[tuple[str, str], Attempt] = {}
        self._passed: dict[tuple[str, str], dict[str, bool]] = {
            (check, arm): {} for check in settings.checks for arm in settings.arms
        }

    @property
    def fingerprint(self) -> str:
        """Of what shapes an answer."""
        return self.request.systems.fingerprint(self.name, 0, "")

    async def preflight(self) -> None:
        """Put a task that is left, in an arm without context if there is one: what comes is kept
        when it is what that arm is asked. Raises `SearchError`."""
        arms = self.settings.arms
        left = [
            (task, arm) for task in self.request.queries for arm in arms if self._is_open(task, arm)
        ]
        if not left:
            return
        self.tell_query(left[0][0], "is tried")

        async def put(item: tuple[Query, str]) -> str:
            task, arm = item
            attempt = Attempt(task.query_id, arm, self._fill_prompt(task, ""))
            attempt = self._tried[task.query_id, arm] = await self._complete(attempt)
            return attempt.failure and f"does not answer task {task.query_id}: {attempt.failure}"

        plain = [(task, arm) for task, arm in left if arms[arm].context is None]
        async with open_client(self.settings.timeout, 1) as self._client:
            await refuse_silent(plain or left, put)

    async def ask_rest(self, found: Found) -> bool:
        """Put each task in all arms before the next one: what changes at the endpoint meanwhile is
        the same for all of them. Every answer is checked, those that were there already, too.
        Raises `JudgeTuiError`."""
        self._outcomes_path.unlink(missing_ok=True)  # it comes back when all is checked
        jobs = self.request.jobs

        async def put(item: tuple[Query, str]) -> None:
            task, arm = item
            self.tell_query(task, arm)
            attempt = self._plan(task, arm, found)
            if attempt.failure or self._is_open(task, arm, attempt.prompt):
                self._kept -= 1
                tried = self._tried.get((task.query_id, arm))
                if tried is not None and tried.prompt == attempt.prompt:
                    attempt = tried
                elif not attempt.failure:
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
            await each([(task, arm) for task in tasks for arm in arms], put, jobs)
        return self._kept < self.total

    def write(self) -> TaskOutcome:
        """Write NAME.outcomes.csv, which `judge-tui outcomes` reads. Raises `InputError`."""
        tasks, arms, checks = self.request.queries, self.settings.arms, tuple(self.settings.checks)
        records = self.journal.records
        rows = (
            (
                *(one.task, one.arm),
                *(
                    ERROR if one.failure else int(self._passed[c, one.arm][one.task])
                    for c in checks
                ),
            )
            for one in (records[task.query_id, arm] for task in tasks for arm in arms)
        )
        write_lines(self._outcomes_path, csv_lines(("task", "arm", *checks), rows))
        return TaskOutcome(
            self.name,
            self._outcomes_path,
            arms,
            checks,
            {arm: [records[task.query_id, arm] for task in tasks] for arm in arms},
            self._passed,
            self.journal.identity,
            self._kept,
        )

    @property
    def _outcomes_path(self) -> Path:
        return self.request.folder / f"{self.name}{OUTCOMES}"

    def _is_open(self, task: Query, arm: str, prompt: str | None = None) -> bool:
        """Whether the endpoint has to be asked; another prompt is another question."""
        before = self.journal.records.get((task.query_id, arm))
        if before is None or (self.request.retry_failed and before.failure):
            return True
        return prompt is not None and before.prompt != prompt

    def _plan(self, task: Query, arm: str, found: Found) -> Attempt:
        """What is to be asked; a failure where the context that belongs to it cannot be had."""
        context, k = self.settings.arms[arm].context, self.settings.arms[arm].k
        attempt = Attempt(task.query_id, arm)
        text = ""
        if context is not None:
            reply = found[context][task.query_id]
            text = _write_context(reply, k)
            failure = reply.failure
            if reply.hits and not text:
                failure = f"none of its {len(reply.hits[:k])} results has a text"
            if failure:
                return replace(attempt, tries=0, failure=f"no context from {context}: {failure}")
            attempt = replace(attempt, doc_ids=tuple(hit.doc_id for hit in reply.hits[:k]))
        prompt = self._fill_prompt(task, text[: self.settings.context_chars])
        return replace(attempt, prompt=prompt)

    async def _complete(self, attempt: Attempt) -> Attempt:
        tried = await self.throttle.call(partial(self._send, attempt.prompt))
        attempt = replace(attempt, seconds=tried.seconds, tries=tried.tries)
        try:
            answer, finish = map(self._redact, tried.result())
        except SearchError as error:
            return replace(attempt, failure=error.line(self._redact))
        return replace(attempt, answer=answer, finish=finish)

    def _fill_prompt(self, task: Query, context: str) -> str:
        values = {"context": context, "query": task.text, "query_id": task.query_id}
        return self._redact(fill(self.settings.prompt, values))

    async def _send(self, prompt: str) -> tuple[str, str]:
        """What the model says, and why it ended. Raises `SearchError`."""
        settings, secrets = self.settings, self.request.secrets
        named = {"model", "temperature", "max_tokens", "seed"}
        before = [{"role": "system", "content": settings.system}] if settings.system else []
        body = {
            **secrets.expand(settings.options),
            **settings.model_dump(include=named, exclude_none=True),
            "messages": [*before, {"role": "user", "content": prompt}],
        }
        headers = {"Content-Type": "application/json", **secrets.expand(settings.headers)}
        url, content = secrets.expand_url(settings.url), json.dumps(body).encode()
        reply = await send(self._client, settings.timeout, "POST", url, headers, content)
        try:
            choice = json.loads(reply)["choices"][0]
            said, finish = choice["message"].get("content"), choice.get("finish_reason")
            if isinstance(said, list):  # of parts, as some endpoints answer
                said = "".join(part["text"] for part in said if part.get("type") == "text")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise SearchError("the answer has no choices[0].message", reply) from None
        return storable(said or ""), storable(finish or "")


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
