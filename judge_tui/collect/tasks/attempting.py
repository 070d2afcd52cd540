"""The work on one system's tasks: every task put in every arm, every reply checked; what is there
already is neither asked nor checked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import httpx

from judge_tui.collect.asking import each
from judge_tui.collect.filling import fill_named
from judge_tui.collect.kinds import Surroundings
from judge_tui.collect.lack import LackError
from judge_tui.collect.pace import GaveUpError, Pace
from judge_tui.collect.preflight import first_reply
from judge_tui.collect.reply import Reply
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.tasks.attempt import Attempt, AttemptJournal
from judge_tui.collect.tasks.chat import ChatReply, say
from judge_tui.collect.tasks.checking import Checker
from judge_tui.collect.tasks.context import Context, NoContextError, context_of
from judge_tui.collect.tasks.settings import Arm, TaskSettings
from judge_tui.model import Document, Query

__all__ = ["Attempting", "Found"]

Found = Mapping[str, Mapping[str, Reply]]
"""Search system -> query_id -> what it answered."""


@dataclass(frozen=True, slots=True)
class Attempting:
    """One system, ready to be put tasks. `found`: what the search systems answered that its arms
    name; `texts`: file -> doc_id -> document, for the arms that name one."""

    settings: TaskSettings
    around: Surroundings
    pace: Pace
    checker: Checker
    secrets: Secrets
    texts: Mapping[str, Mapping[str, Document]]

    def is_open(self, journal: AttemptJournal, task: Query, arm: Arm, again_failed: bool) -> bool:
        """Whether the endpoint will have to be asked, as far as that is known before the search."""
        before = journal.records.get((task.query_id, arm.name))
        if before is None or (before.failure and again_failed):
            return True
        now = self.secrets.hidden(self._prompt(task, Context()))
        return not arm.context and before.prompt != now

    async def try_out(self, client: httpx.AsyncClient, tasks: Sequence[Query]) -> None:
        """Put the first of these tasks without context, the next ones where it is not answered.
        Raises `AskError` where none of the first three is."""

        async def put(task: Query) -> None:
            await self.pace.trying(partial(self._say, client, self._prompt(task, Context())))

        await first_reply(put, tasks, "task")

    async def all(
        self,
        client: httpx.AsyncClient,
        journal: AttemptJournal,
        tasks: Sequence[Query],
        found: Found,
        *,
        again_failed: bool,
        began: Callable[[Query, Arm], None],
        ended: Callable[[], None],
    ) -> LackError | None:
        """Each task in all arms before the next one: what changes at the endpoint meanwhile is the
        same for all of them. The journal has every attempt then. Returns and raises what `each`
        does."""

        async def one(item: tuple[Query, Arm]) -> None:
            task, arm = item
            began(task, arm)
            attempt, prompt = self._planned(task, arm, found)
            before = journal.records.get((task.query_id, arm.name))
            if not attempt.failure:
                if before is None or _is_to_be_asked(before, attempt, again_failed):
                    attempt = await self._answered(client, attempt, prompt)
                else:
                    attempt = before
            await self._checked(journal, task, attempt, again_failed)
            ended()

        items = [(task, arm) for task in tasks for arm in self.settings.arms]
        return await each(items, one, self.around.at_once)

    def _planned(self, task: Query, arm: Arm, found: Found) -> tuple[Attempt, str]:
        """What is to be asked, and the prompt with whatever is secret in it; a failure where the
        context that belongs to it cannot be had."""
        context = Context()
        if arm.context:
            reply = found[arm.context][task.query_id]
            texts = self.texts.get(arm.documents, {})
            try:
                context = context_of(reply, arm.k, texts, self.settings.context_chars)
            except NoContextError as error:
                why = f"no context from {arm.context}: {error}"
                return Attempt(task.query_id, arm.name, tries=0, failure=why, failed="context"), ""
        prompt = self._prompt(task, context)
        shown = self.secrets.hidden(prompt)
        return Attempt(task.query_id, arm.name, shown, context.doc_ids, context.cut), prompt

    async def _answered(self, client: httpx.AsyncClient, attempt: Attempt, prompt: str) -> Attempt:
        try:
            tried = await self.pace.trying(partial(self._say, client, prompt))
        except GaveUpError as error:
            return replace(
                attempt,
                seconds=error.seconds,
                tries=error.tries,
                failure=error.line(self.secrets.hidden),
                failed="endpoint",
            )
        hidden = self.secrets.hidden
        return replace(
            attempt,
            reply=hidden(tried.value.text),
            finish=hidden(tried.value.finish),
            refusal=hidden(tried.value.refusal),
            seconds=tried.seconds,
            tries=tried.tries,
        )

    async def _checked(
        self, journal: AttemptJournal, task: Query, attempt: Attempt, again_failed: bool
    ) -> None:
        """Run the checks that were not run yet, or are others now, or came to no end and are to be
        tried again; and keep what came of it all: also where this is ended amid them, since a
        reply has its price."""
        checks = dict(attempt.checks)
        try:
            for check in self.settings.checks if not attempt.failure else ():
                before = checks.get(check.name)
                if (
                    before is None
                    or before.settings != self.checker.fingerprint(check, task)
                    or (before.gave_up and again_failed)
                ):
                    checks[check.name] = await self.checker.check(check, task, attempt.reply)
        finally:
            attempt = replace(attempt, checks=checks)
            if journal.records.get((attempt.task, attempt.arm)) != attempt:
                journal.add(attempt)

    def _prompt(self, task: Query, context: Context) -> str:
        values = {"context": context.text, "query": task.text, "query_id": task.query_id}
        return fill_named(self.settings.prompt, values)

    async def _say(self, client: httpx.AsyncClient, prompt: str) -> ChatReply:
        return await say(client, self.settings.chat, prompt, self.around.patience.timeout)


def _is_to_be_asked(before: Attempt, now: Attempt, again_failed: bool) -> bool:
    """What was asked otherwise, by the task, the prompt or the context, was another question."""
    return before.prompt != now.prompt or (bool(before.failure) and again_failed)
