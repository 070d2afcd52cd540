"""`kind = "task"`: tasks put to a chat endpoint with and without what a search finds. Every task is
put once in each arm, the arms differ in the context alone, and checks, which are programs, say of
each answer whether it passes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any

import httpx

from judge_tui.collect.checks import Checked, Checks
from judge_tui.collect.http_system import http_client, send
from judge_tui.collect.journal import Journal
from judge_tui.collect.retry import GaveUpError, Throttle, each, first_answer
from judge_tui.collect.search_system import Reply, SearchError, Surroundings, storable
from judge_tui.collect.settings import Arm, ChatTaskSystem
from judge_tui.collect.systems_file import Systems
from judge_tui.collect.template import fill_names
from judge_tui.errors import UsageError
from judge_tui.formats.outcomes_csv import ATTEMPTS, CHECKED, CHECKS, ERROR, OUTCOMES
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.tables import Value, csv_lines
from judge_tui.formats.writing import write_lines
from judge_tui.model import Document, Outcomes, Query

__all__ = ["Attempt", "TaskOutcome", "TaskWork", "task_files"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One task put in one arm. `prompt`: as it was sent, but for secrets; `doc_ids`: what is in its
    context, `cut`: whether that was too long; `finish`: why the answer ended, in the endpoint's
    words; `failure`: why there is no answer, `failed`: whether the `context` could not be had or
    the `endpoint` gave none; `checks`: by name."""

    task: str
    arm: str
    prompt: str = ""
    doc_ids: tuple[str, ...] = ()
    cut: bool = False
    answer: str = ""
    finish: str = ""
    seconds: float = 0.0
    tries: int = 1
    failure: str = ""
    failed: str = ""
    checks: Mapping[str, Checked] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """`attempts`: (task, arm) -> what came of it. `leaves_out`: what the endpoint did not answer
    has no outcome, in place of failing every check; `kept`: attempts that were there already."""

    name: str
    tasks: tuple[Query, ...]
    arms: Mapping[str, Arm]
    checks: tuple[str, ...]
    attempts: Mapping[tuple[str, str], Attempt]
    leaves_out: bool = False
    identity: str = ""
    kept: int = 0

    def of(self, arm: str) -> list[Attempt]:
        """An arm's attempts, in the order of the tasks."""
        return [self.attempts[task.query_id, arm] for task in self.tasks]

    def outcome(self, attempt: Attempt, check: str) -> bool | None:
        """Whether it passes the check; None where it has no outcome. An arm whose search failed has
        failed: the search is what is being tried."""
        if attempt.failed == "endpoint" and self.leaves_out:
            return None
        return not attempt.failure and attempt.checks[check].passed

    @property
    def outcomes(self) -> Outcomes:
        """Which arm passed which task, by each check."""
        passed: dict[tuple[str, str], dict[str, bool]] = {}
        failed: dict[tuple[str, str], set[str]] = {}
        for check, arm in product(self.checks, self.arms):
            known = [(one, self.outcome(one, check)) for one in self.of(arm)]
            passed[check, arm] = {one.task: its for one, its in known if its is not None}
            failed[check, arm] = {one.task for one, its in known if one.failure and its is not None}
        tasks = [task.query_id for task in self.tasks]
        return Outcomes(tasks, [*self.arms], self.checks, passed, failed)


class TaskWork:
    """The tasks of one system in a folder."""

    def __init__(
        self,
        systems: Systems,
        name: str,
        around: Surroundings,
        folder: Path,
        depth: int,
        *,
        fresh: bool,
    ) -> None:
        """Raises `UsageError` where a check's program is not there, or an arm wants more results
        than are asked for, and `InputError`."""
        self.name = name
        self.settings: ChatTaskSystem = systems.tasks[name]
        self._around = around
        self._tasks = around.queries
        self._folder = folder
        self._redact = around.secrets.redact
        for arm_name, arm in self.settings.arms.items():
            if arm.context is not None and arm.k > depth:
                what = (
                    f"arm {arm_name} wants the top {arm.k} of {arm.context}, and --depth is {depth}"
                )
                raise UsageError(what, f"give --depth {arm.k} or more")
        self._checks = Checks(self.settings, around.folder)
        path = folder / f"{name}{ATTEMPTS}"
        self.journal: Journal[Attempt] = Journal(
            path, lambda one: (one.task, one.arm), asdict, _attempt_in, fresh=fresh
        )
        self.size = len(self._tasks) * len(self.settings.arms)

    async def try_out(self, throttle: Throttle, *, retry_failed: bool) -> None:
        """Put one task without context, if any is left. Raises `SearchError`."""
        _ = self._texts  # files that cannot be read are known before the work
        before = self.journal.records
        left = [
            task
            for task in self._tasks
            if any(
                self._is_open(before.get((task.query_id, arm)), None, retry_failed)
                for arm in self.settings.arms
            )
        ]
        if not left:
            return
        async with http_client(self.settings.timeout, 1) as client:

            async def put(task: Query) -> None:
                await throttle.ask(partial(self._say, client, self._prompt(task, "")))

            await first_answer(put, left, "task")

    async def put_all(
        self,
        throttle: Throttle,
        found: Mapping[str, Mapping[str, Reply]],
        tell: Callable[[int, Query, str], None],
        *,
        retry_failed: bool,
    ) -> TaskOutcome:
        """Put each task in all arms before the next one: what changes at the endpoint meanwhile is
        the same for all of them. `found`: search system -> query_id -> what it answered."""
        for end in (OUTCOMES, CHECKS):  # these come back when all is checked
            (self._folder / f"{self.name}{end}").unlink(missing_ok=True)
        done = asked = 0

        async def put(item: tuple[Query, str]) -> None:
            nonlocal done, asked
            task, arm = item
            tell(done, task, arm)
            before = self.journal.records.get((task.query_id, arm))
            attempt, prompt = self._planned(task, arm, found)
            if attempt.failure or self._is_open(before, attempt.prompt, retry_failed):
                asked += 1
                if not attempt.failure:
                    attempt = await self._answered(client, throttle, attempt, prompt)
            elif before is not None:
                attempt = before
            await self._check(task, attempt, retry_failed)
            done += 1

        async with http_client(self.settings.timeout, self._around.jobs) as client:
            items = [(task, arm) for task in self._tasks for arm in self.settings.arms]
            await each(items, put, self._around.jobs)
        return TaskOutcome(
            self.name,
            tuple(self._tasks),
            self.settings.arms,
            tuple(self.settings.checks),
            self.journal.records,
            self.settings.unanswered == "left out",
            self.journal.identity,
            self.size - asked,
        )

    def write(self, outcome: TaskOutcome) -> None:
        """Write NAME.outcomes.csv, which `judge-tui outcomes` reads, and NAME.checks.csv, which
        says why each answer passed or not; each whole or not at all. Raises `InputError`."""
        columns = ("task", "arm", *outcome.checks)
        write_lines(self._folder / f"{self.name}{OUTCOMES}", csv_lines(columns, _outcomes(outcome)))
        write_lines(self._folder / f"{self.name}{CHECKS}", csv_lines(CHECKED, _reasons(outcome)))

    @staticmethod
    def _is_open(before: Attempt | None, prompt: str | None, retry_failed: bool) -> bool:
        """Whether the endpoint has to be asked; another prompt is another question."""
        if before is None or (retry_failed and before.failure):
            return True
        return prompt is not None and before.prompt != prompt

    def _planned(
        self, task: Query, arm: str, found: Mapping[str, Mapping[str, Reply]]
    ) -> tuple[Attempt, str]:
        """What is to be asked, and the prompt with its secrets; a failure where the context that
        belongs to it cannot be had."""
        its = self.settings.arms[arm]
        attempt = Attempt(task.query_id, arm)
        context = ""
        if its.context is not None:
            reply = found[its.context][task.query_id]
            texts = self._texts.get(its.documents or "", {})
            whole, doc_ids = _context(reply, its.k, texts)
            failure = reply.failure
            if doc_ids and not whole:
                failure = f"none of its {len(doc_ids)} results has a text"
            if failure:
                why = f"no context from {its.context}: {failure}"
                return replace(attempt, tries=0, failure=why, failed="context"), ""
            context = whole[: self.settings.context_chars]
            attempt = replace(attempt, doc_ids=doc_ids, cut=context != whole)
        prompt = self._prompt(task, context)
        return replace(attempt, prompt=self._redact(prompt)), prompt

    async def _answered(
        self, client: httpx.AsyncClient, throttle: Throttle, attempt: Attempt, prompt: str
    ) -> Attempt:
        try:
            tried = await throttle.ask(partial(self._say, client, prompt))
        except GaveUpError as error:
            return replace(
                attempt,
                seconds=error.seconds,
                tries=error.tries,
                failure=error.line(self._redact),
                failed="endpoint",
            )
        answer, finish = map(self._redact, tried.value)
        return replace(
            attempt, answer=answer, finish=finish, seconds=tried.seconds, tries=tried.tries
        )

    async def _check(self, task: Query, attempt: Attempt, retry_failed: bool) -> None:
        """Run the checks that were not run yet, are others now, or came to no end and are to be
        tried again; and keep what came of it, also where this is ended amid them, since an answer
        has its price."""
        checks = dict(attempt.checks)
        try:
            for name in self.settings.checks if not attempt.failure else ():
                before = checks.get(name)
                if (
                    before is None
                    or before.settings != self._checks.fingerprint(name, task)
                    or (before.gave_up and retry_failed)
                ):
                    checks[name] = await self._checks.check(name, task, attempt.answer)
        finally:
            attempt = replace(attempt, checks=checks)
            if self.journal.records.get((attempt.task, attempt.arm)) != attempt:
                self.journal.add(attempt)

    def _prompt(self, task: Query, context: str) -> str:
        values = {"context": context, "query": task.text, "query_id": task.query_id}
        return fill_names(self.settings.prompt, values)

    async def _say(self, client: httpx.AsyncClient, prompt: str) -> tuple[str, str]:
        """What the model says, and why it ended. Raises `SearchError`."""
        its = self.settings
        secrets = self._around.secrets
        sent = its.model_dump(
            include={"model", "temperature", "max_tokens", "seed"}, exclude_none=True
        )
        before = [{"role": "system", "content": its.system}] if its.system else []
        messages = [*before, {"role": "user", "content": prompt}]
        content = json.dumps({**secrets.expand(its.options), **sent, "messages": messages}).encode()
        headers = {"Content-Type": "application/json", **secrets.expand(its.headers)}
        url = secrets.expand_url(its.url)
        reply = await send(client, its.timeout, "POST", url, headers, content)
        try:
            choice = json.loads(reply)["choices"][0]
            said, finish = choice["message"].get("content"), choice.get("finish_reason")
            if isinstance(said, list):  # of parts, as some endpoints answer
                said = "".join(part["text"] for part in said if part.get("type") == "text")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise SearchError("the answer has no choices[0].message", reply) from None
        return storable(said or ""), storable(finish or "")

    @cached_property
    def _texts(self) -> dict[str, dict[str, Document]]:
        """File -> doc_id -> document, of the arms that name one. Raises `InputError`."""
        names = {arm.documents for arm in self.settings.arms.values() if arm.documents}
        return {
            name: {one.doc_id: one for _line, one in iter_documents(self._around.folder / name)}
            for name in names
        }


def task_files(names: Iterable[str]) -> list[str]:
    """The names of what is written into the folder for systems of these names."""
    return [f"{name}{end}" for name in names for end in (ATTEMPTS, OUTCOMES, CHECKS)]


def _context(reply: Reply, k: int, texts: Mapping[str, Document]) -> tuple[str, tuple[str, ...]]:
    """The first `k` hits: of each a line `[rank] id`, a line with its title, and its text, an empty
    line between two of them; empty where none has a text. Texts are those of `texts` where the id
    is in it, else those of the hit."""
    blocks = []
    has_text = False
    hits = reply.hits[:k]
    for rank, hit in enumerate(hits, 1):
        one = texts.get(hit.doc_id, hit)
        parts = [part for part in (one.title.strip(), one.text.strip("\r\n")) if part.strip()]
        has_text = has_text or bool(parts)
        blocks.append("\n".join([f"[{rank}] {hit.doc_id}", *parts]))
    return "\n\n".join(blocks) if has_text else "", tuple(hit.doc_id for hit in hits)


def _attempt_in(line: Mapping[str, Any]) -> Attempt:
    checks = {name: Checked(**one) for name, one in line["checks"].items()}
    return Attempt(**{**line, "doc_ids": tuple(line["doc_ids"]), "checks": checks})


def _attempts(outcome: TaskOutcome) -> Iterator[Attempt]:
    for task in outcome.tasks:
        for arm in outcome.arms:
            yield outcome.attempts[task.query_id, arm]


def _outcomes(outcome: TaskOutcome) -> Iterator[list[Value]]:
    for one in _attempts(outcome):
        passed = [outcome.outcome(one, check) for check in outcome.checks]
        failed = ERROR if one.failure else 0
        yield [one.task, one.arm, *(None if p is None else 1 if p else failed for p in passed)]


def _reasons(outcome: TaskOutcome) -> Iterator[list[Value]]:
    for one in _attempts(outcome):
        for check in outcome.checks:
            passed = outcome.outcome(one, check)
            checked = one.checks.get(check, Checked(False, one.failure))
            number = None if passed is None else int(passed)
            yield [one.task, one.arm, check, number, checked.why, checked.output]
