"""`kind = "task"`: tasks put to a chat endpoint with and without what a search finds. Every task is
put once in each arm, the arms differ in the context alone, and checks, which are programs, say of
each answer whether it passes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product

import httpx

from judge_tui.collect.checks import Checked, Checks
from judge_tui.collect.http_system import open_client, send
from judge_tui.collect.journal import Journal
from judge_tui.collect.retry import each, try_queries
from judge_tui.collect.search_system import Reply, SearchError, storable
from judge_tui.collect.settings import Arm, ChatTaskSystem
from judge_tui.collect.template import fill
from judge_tui.collect.work import Found, Order, Work
from judge_tui.errors import UsageError
from judge_tui.formats.outcomes_csv import ATTEMPTS, CHECKED, CHECKS, ERROR, OUTCOMES
from judge_tui.formats.rows import iter_documents
from judge_tui.formats.tables import Value, csv_lines
from judge_tui.formats.writing import write_lines
from judge_tui.model import Document, Outcomes, Query

__all__ = ["Attempt", "TaskOutcome", "TaskWork"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One task put in one arm. `prompt`: as it was sent; `doc_ids`: what is in its context, `cut`:
    whether that was too long; `finish`: why the answer ended, in the endpoint's words; `failure`:
    why there is no answer, `failed`: whether the `context` could not be had or the `endpoint` gave
    none; `checks`: by name."""

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
    """`attempts`: (task, arm) -> what came of it; `kept`: attempts that were there already."""

    name: str
    tasks: tuple[Query, ...]
    arms: Mapping[str, Arm]
    checks: tuple[str, ...]
    attempts: Mapping[tuple[str, str], Attempt]
    identity: str = ""
    kept: int = 0

    def of(self, arm: str) -> list[Attempt]:
        """An arm's attempts, in the order of the tasks."""
        return [self.attempts[task.query_id, arm] for task in self.tasks]

    def outcome(self, attempt: Attempt, check: str) -> bool:
        """Whether it passes the check. What has no answer passes none: an arm whose search or whose
        endpoint failed has failed."""
        return not attempt.failure and attempt.checks[check].passed

    @property
    def outcomes(self) -> Outcomes:
        """Which arm passed which task, by each check."""
        passed, failed = {}, {}
        for check, arm in product(self.checks, self.arms):
            attempts = self.of(arm)
            passed[check, arm] = {one.task: self.outcome(one, check) for one in attempts}
            failed[check, arm] = {one.task for one in attempts if one.failure}
        tasks = [task.query_id for task in self.tasks]
        return Outcomes(tasks, [*self.arms], self.checks, passed, failed)


class TaskWork(Work[Attempt, TaskOutcome]):
    """The tasks that a chat endpoint is put."""

    _client: httpx.AsyncClient
    settings: ChatTaskSystem

    def __init__(self, order: Order, name: str) -> None:
        """Raises `UsageError` where a check's program is not there, or an arm wants more results
        than are asked for, and `InputError`."""
        settings = order.systems.tasks[name]
        journal = Journal(
            order.folder / f"{name}{ATTEMPTS}",
            Attempt,
            lambda one: (one.task, one.arm),
            fresh=order.fresh,
        )
        queries, depth = order.queries, order.depth
        super().__init__(order, name, journal, len(queries) * len(settings.arms))
        self._kept = self.total
        self._redact = order.secrets.redact
        for arm_name, arm in settings.arms.items():
            if arm.context is not None and arm.k > depth:
                what = f"arm {arm_name} wants the top {arm.k} of {arm.context}"
                mend = f"give --depth {arm.k} or more"
                raise UsageError(f"{what}, and --depth is {depth}", mend)
        self._checks = Checks(settings, order.systems.folder)

    @property
    def fingerprint(self) -> str:
        """Of what shapes an answer."""
        return self.order.systems.fingerprint(self.name, 0, "")

    async def try_out(self) -> None:
        """Put one task without context, if any is left. Raises `SearchError`."""
        _ = self._texts  # files that cannot be read are known before the work
        left = [
            task
            for task in self.order.queries
            if any(self._is_open(task, arm) for arm in self.settings.arms)
        ]
        if not left:
            return
        self.tell(left[0], "is tried")
        async with open_client(self.settings.timeout, 1) as self._client:
            await try_queries(
                lambda task: self.throttle.ask(partial(self._say, self._fill_prompt(task, ""))),
                left,
                "task",
            )

    async def ask(self, found: Found) -> bool:
        """Put each task in all arms before the next one: what changes at the endpoint meanwhile is
        the same for all of them. Raises `JudgeTuiError`."""
        for end in (OUTCOMES, CHECKS):  # these come back when all is checked
            (self.order.folder / f"{self.name}{end}").unlink(missing_ok=True)
        jobs = self.order.jobs

        async def put(item: tuple[Query, str]) -> None:
            task, arm = item
            self.tell(task, arm)
            attempt = self._plan(task, arm, found)
            if attempt.failure or self._is_open(task, arm, attempt.prompt):
                self._kept -= 1
                if not attempt.failure:
                    attempt = await self._ask_endpoint(attempt)
            else:
                attempt = self.journal.records[task.query_id, arm]
            await self._check(task, attempt)
            self.done += 1

        async with open_client(self.settings.timeout, jobs) as self._client:
            tasks, arms = self.order.queries, self.settings.arms
            await each([(task, arm) for task in tasks for arm in arms], put, jobs)
        return self._kept < self.total

    def write(self) -> TaskOutcome:
        """Write NAME.outcomes.csv, which `judge-tui outcomes` reads, and NAME.checks.csv, which
        says why each answer passed or not. Raises `InputError`."""
        tasks, arms = tuple(self.order.queries), self.settings.arms
        checks, records = tuple(self.settings.checks), self.journal.records
        identity = self.journal.identity
        outcome = TaskOutcome(self.name, tasks, arms, checks, records, identity, self._kept)
        passed: list[list[Value]] = []
        why: list[list[Value]] = []
        for one in (records[task.query_id, arm] for task in tasks for arm in arms):
            results = [
                Checked(False, one.failure) if one.failure else one.checks[c] for c in checks
            ]
            passed.append(
                [one.task, one.arm, *(ERROR if one.failure else int(c.passed) for c in results)]
            )
            why += [
                [one.task, one.arm, check, int(c.passed), c.why, c.output]
                for check, c in zip(checks, results, strict=True)
            ]
        path = self.order.folder / self.name
        write_lines(f"{path}{OUTCOMES}", csv_lines(("task", "arm", *checks), passed))
        write_lines(f"{path}{CHECKS}", csv_lines(CHECKED, why))
        return outcome

    def _is_open(self, task: Query, arm: str, prompt: str | None = None) -> bool:
        """Whether the endpoint has to be asked; another prompt is another question."""
        before = self.journal.records.get((task.query_id, arm))
        if before is None or (self.order.retry_failed and before.failure):
            return True
        return prompt is not None and before.prompt != prompt

    def _plan(self, task: Query, arm: str, found: Found) -> Attempt:
        """What is to be asked; a failure where the context that belongs to it cannot be had."""
        named = self.settings.arms[arm]
        attempt = Attempt(task.query_id, arm)
        context = ""
        if named.context is not None:
            reply = found[named.context][task.query_id]
            whole, doc_ids = _write_context(
                reply, named.k, self._texts.get(named.documents or "", {})
            )
            failure = reply.failure
            if doc_ids and not whole:
                failure = f"none of its {len(doc_ids)} results has a text"
            if failure:
                why = f"no context from {named.context}: {failure}"
                return replace(attempt, tries=0, failure=why, failed="context")
            context = whole[: self.settings.context_chars]
            attempt = replace(attempt, doc_ids=doc_ids, cut=context != whole)
        return replace(attempt, prompt=self._fill_prompt(task, context))

    async def _ask_endpoint(self, attempt: Attempt) -> Attempt:
        tried = await self.throttle.ask(partial(self._say, attempt.prompt))
        attempt = replace(attempt, seconds=tried.seconds, tries=tried.tries)
        try:
            answer, finish = map(self._redact, tried.result())
        except SearchError as error:
            return replace(attempt, failure=error.line(self._redact), failed="endpoint")
        return replace(attempt, answer=answer, finish=finish)

    async def _check(self, task: Query, attempt: Attempt) -> None:
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
                    or (before.gave_up and self.order.retry_failed)
                ):
                    checks[name] = await self._checks.check(name, task, attempt.answer)
        finally:
            attempt = replace(attempt, checks=checks)
            if self.journal.records.get((attempt.task, attempt.arm)) != attempt:
                self.journal.add(attempt)

    def _fill_prompt(self, task: Query, context: str) -> str:
        values = {"context": context, "query": task.text, "query_id": task.query_id}
        return self._redact(fill(self.settings.prompt, values))

    async def _say(self, prompt: str) -> tuple[str, str]:
        """What the model says, and why it ended. Raises `SearchError`."""
        settings, secrets = self.settings, self.order.secrets
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

    @cached_property
    def _texts(self) -> dict[str, dict[str, Document]]:
        """File -> doc_id -> document, of the arms that name one. Raises `InputError`."""
        folder = self.order.systems.folder
        return {
            name: {one.doc_id: one for _line, one in iter_documents(folder / name)}
            for name in set(self.settings.files)
        }


def _write_context(
    reply: Reply, k: int, texts: Mapping[str, Document]
) -> tuple[str, tuple[str, ...]]:
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
