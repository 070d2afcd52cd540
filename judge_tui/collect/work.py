"""One call of `collect`: what is asked for, and what each system does of it. Before and after, each
says which system it is: the wrong index behind the right program is a common mistake."""

from __future__ import annotations

import asyncio
import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from judge_tui.collect.command_system import run_program
from judge_tui.collect.extract import find
from judge_tui.collect.http_system import open_client, send
from judge_tui.collect.journal import Journal
from judge_tui.collect.outputs import describe
from judge_tui.collect.retry import Throttle
from judge_tui.collect.search_system import Reply, SearchError
from judge_tui.collect.settings import CommandSettings, RemoteSettings
from judge_tui.formats.source import Layout
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.collect.secrets import Secrets
    from judge_tui.collect.systems_file import Systems

Record = TypeVar("Record")
Outcome = TypeVar("Outcome")

Replies = Mapping[str, Mapping[str, Reply]]
"""Search system -> query_id -> what it answered."""

_TRIALS = 3
"""One query may be too much for a system that is well; three in a row are not chance."""

_LOOKED_AT = 1_000_000
_IDENTITY = 500
"""Characters."""


class CollectProgress(NamedTuple):
    """How far it is: `done` of `total` queries of a system, or attempts at tasks; or without a
    `query` that is asked now, of what is made ready; `note`: what that is, or why it `waits` so
    many seconds."""

    system: str
    done: int
    total: int
    query: Query | None = None
    note: str = ""
    waits: float = 0.0


@dataclass(frozen=True)
class CollectRequest:
    """Ask the `systems` these `queries`, `jobs` at once, for `depth` results each, and write into
    the `folder`. Queries that have a reply there are not asked again: `retry_failed` asks those
    that failed, `fresh` all. `layout`: what files of documents call their columns. `candidates`:
    query_id -> the documents that an embedding system ranks. `pages`: files of the folder that tell
    of an earlier call, and go when the asking begins. To systems of kind `task` the queries are
    tasks."""

    systems: Systems
    queries: Sequence[Query]
    folder: Path
    depth: int = 50
    jobs: int = 1
    fresh: bool = False
    retry_failed: bool = False
    layout: Layout | None = None
    candidates: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    pages: Sequence[str] = ()
    on_progress: Callable[[CollectProgress], None] = lambda _progress: None

    def path(self, name: str) -> Path:
        """Where a path of the systems file leads."""
        return self.systems.folder / name

    @property
    def secrets(self) -> Secrets:
        """What is said to nobody but the systems."""
        return self.systems.secrets


class OtherSystemError(SearchError):
    """What a system says of itself is not what is expected."""


class Work(ABC, Generic[Record, Outcome]):
    """What one system is to do. `done` of `total` has its record by now."""

    def __init__(
        self, request: CollectRequest, name: str, journal: Journal[Record], total: int
    ) -> None:
        self.request = request
        self.name = name
        self.settings = request.systems.systems[name]
        self.journal = journal
        self.throttle = Throttle(self.settings, self._tell_wait)
        self.total = total
        self.done = 0
        self._last = CollectProgress(name, 0, total)

    async def begin(self) -> None:
        """Refuse a system that is not the one whose answers are there, or does not answer. Raises
        `JudgeTuiError`."""
        self.journal.refuse_others(self.fingerprint, await self._identify())
        failures: list[SearchError] = []
        for query in self.trials[:_TRIALS]:
            self.tell_query(query, "is tried")
            answer = await self.throttle.call(partial(self._try, query))
            if not isinstance(answer.outcome, SearchError):
                return
            failures.append(answer.outcome)
            answer.outcome.what = f"does not answer query {query.query_id}: {answer.outcome.what}"
        if failures:
            raise failures[0]

    async def finish(self, replies: Replies) -> Outcome:
        """Ask what is left, and write what came of it."""
        journal = self.journal
        if await self._ask_rest(replies):
            identity = await self._identify_again()
            if identity != journal.identity:
                raise journal.note_exchanged(identity)
        outcome = self._write()
        describe(
            self.request.folder,
            self.name,
            kind=self.settings.kind,
            depth=self.request.depth,
            identity=journal.identity,
            fingerprint=journal.fingerprint,
        )
        return outcome

    def tell(self, progress: CollectProgress) -> None:
        """How far it is."""
        self._last = progress
        self.request.on_progress(progress)

    def tell_query(self, query: Query, note: str = "") -> None:
        """What is asked now."""
        self.tell(CollectProgress(self.name, self.done, self.total, query, note))

    def _tell_wait(self, seconds: float, why: str) -> None:
        note = f"waits {math.ceil(seconds):,} s ({self.request.secrets.redact(why)})"
        self.request.on_progress(self._last._replace(note=note, waits=seconds))

    async def _identify(self) -> str:
        """What was expected of all that a system says, without secrets: the first group of the
        pattern, the whole match where there is none; empty where it is not asked. Raises
        `SearchError` where it says nothing, `OtherSystemError` where it says something else."""
        question = self.settings.identify
        if question is None:
            return ""
        text = (await self._ask_identity(question.argv, question.url or "")).strip()[:_LOOKED_AT]
        matches = find(question.expect, text, self.settings.timeout)
        match = await asyncio.to_thread(next, matches, None)
        if match is None:
            what = (
                f"what it says does not match {question.expect!r:.80}, so it may be another system"
            )
            raise OtherSystemError(what, text)
        found = next(filter(None, match.groups()), "") or match[0]
        return self.request.secrets.redact(found)[:_IDENTITY]

    async def _ask_identity(self, argv: Sequence[str] | None, url: str) -> str:
        settings, secrets = self.settings, self.request.secrets
        if argv is None:
            written = settings.headers if isinstance(settings, RemoteSettings) else {}
            headers = secrets.expand(written)
            async with open_client(settings.timeout, 1) as client:
                return await send(client, settings.timeout, "GET", secrets.expand_url(url), headers)
        cwd, env = ".", {}
        if isinstance(settings, CommandSettings):
            cwd, env = settings.cwd, secrets.expand(settings.env)
        output = await run_program(
            argv, self.request.path(cwd), {**os.environ, **env}, settings.timeout
        )
        text = f"{output.out}\n{output.err}"
        if output.code != 0:
            raise SearchError(f"identify: {output.ended}", text)
        return text

    async def _identify_again(self) -> str:
        """What it says that it is when all is asked. Raises `JudgeTuiError`."""
        answer = await self.throttle.call(self._identify)
        try:
            return answer.value()
        except OtherSystemError as error:
            return f"not as expected: {error.line(self.request.secrets.redact)}"[:_IDENTITY]
        except SearchError as error:
            error.what = f"identify fails at the end: {error.what}; its answers are kept"
            raise

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Of what its records depend on."""

    @abstractmethod
    def remove_outputs(self) -> None:
        """Take away what is written when all is answered, where anything is to be asked: it is
        there only while it is what the records say."""

    @property
    @abstractmethod
    def trials(self) -> Sequence[Query]:
        """The queries to try it with, one after another; none where none is left to be asked."""

    @abstractmethod
    async def _try(self, query: Query) -> None:
        """Ask one query, to see whether it answers. Raises `SearchError`."""

    @abstractmethod
    async def _ask_rest(self, replies: Replies) -> bool:
        """Ask what is left; whether that was anything. Raises `JudgeTuiError`."""

    @abstractmethod
    def _write(self) -> Outcome:
        """Write the files for others, each whole or not at all. Raises `InputError`."""
