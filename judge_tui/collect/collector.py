"""The whole of it: every system tried, then asked every query that has no reply yet, one system
after another, so that none is measured while another one works; and the files written."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from judge_tui.collect.chat_tasks import TaskOutcome, TaskWork
from judge_tui.collect.command_system import CommandSearch
from judge_tui.collect.embedding_system import EmbeddingSearch
from judge_tui.collect.http_system import HttpSearch
from judge_tui.collect.identify import OtherSystemError, identity
from judge_tui.collect.journal import REPLIES, Journal, read_reply, reply_line
from judge_tui.collect.outputs import (
    CollectedRun,
    describe,
    locked,
    remove_run,
    write_documents,
    write_queries,
    write_run_of,
)
from judge_tui.collect.retry import GaveUpError, Throttle, each, first_answer
from judge_tui.collect.search_system import (
    Reply,
    SearchError,
    SearchSystem,
    Surroundings,
    distinct,
)
from judge_tui.collect.secrets import Secrets, redacted_logs
from judge_tui.collect.settings import CommandSystem, EmbeddingSystem, HttpSystem, SystemSettings
from judge_tui.collect.systems_file import Systems
from judge_tui.errors import JudgeTuiError, UsageError, raise_together
from judge_tui.model import Document, Query

__all__ = ["Collection", "Progress", "ask", "collect"]


class Progress(NamedTuple):
    """How far it is: `done` of `total` queries, or attempts at tasks, of a system; the query that
    is asked now; `note`: what is made ready, or why it `waits` so many seconds; `trial`: whether it
    is tried before the work."""

    system: str
    done: int
    total: int
    query: Query | None = None
    note: str = ""
    trial: bool = False
    waits: float = 0.0


class Collection(NamedTuple):
    """What came of the systems that were searched, and of those that were put tasks."""

    runs: list[CollectedRun]
    tasks: list[TaskOutcome]


def collect(
    systems: Systems,
    queries: Sequence[Query],
    folder: str | os.PathLike[str],
    *,
    depth: int = 50,
    jobs: int = 1,
    fresh: bool = False,
    retry_failed: bool = False,
    candidates: Mapping[str, Sequence[Document]] = MappingProxyType({}),
    on_progress: Callable[[Progress], None] = lambda _progress: None,
) -> Collection:
    """Ask every system every query and write what came into `folder`, which is made if need be: of
    each system NAME.run, NAME.latency.csv and NAME.answers.jsonl, from which interrupted work goes
    on, and of all of them documents.jsonl, queries.jsonl and collect.json.

    Queries that have a reply there are not asked again: `retry_failed` asks those that failed,
    `fresh` all. `candidates`: query_id -> the documents that an embedding system ranks. To systems
    of kind `task` the queries are tasks, put when all others have been searched.

    Raises `InputError` before the work, with nothing changed, where a system does not answer or is
    another one than it should be, all such in one error's `also`. Amid the work (also by
    `KeyboardInterrupt`) what was answered is kept.
    """
    if not queries:
        raise UsageError("there are no queries", "give a file with queries")
    place = Path(folder)
    with locked(place), redacted_logs(systems.secrets):
        around = Surroundings(systems.folder, systems.secrets, tuple(queries), jobs, candidates)
        work = _Collector(systems, around, place, depth, fresh, retry_failed, on_progress)
        return asyncio.run(work.collect())


@dataclass(slots=True)
class _Work:
    """One system, and what of its work is done."""

    name: str
    settings: SystemSettings
    system: SearchSystem
    throttle: Throttle
    journal: Journal[Reply]
    open: list[Query]


@dataclass
class _Collector:
    systems: Systems
    around: Surroundings
    folder: Path
    depth: int
    fresh: bool
    retry_failed: bool
    on_progress: Callable[[Progress], None]
    last: Progress = field(default_factory=lambda: Progress("", 0, 0))

    async def collect(self) -> Collection:
        refusals: list[JudgeTuiError] = []
        searches: list[_Work] = []
        puts: list[TaskWork] = []
        for name, settings in self.systems.systems.items():
            try:
                if name in self.systems.tasks:
                    puts.append(await self._try_tasks(name))
                else:
                    searches.append(await self._try_search(name, settings))
            except JudgeTuiError as error:
                refusals.append(self.systems.refusal(name, error))
        raise_together(refusals)
        if searches:
            write_queries(self.folder, self.around.queries, self.systems.systems)
        runs: list[CollectedRun] = []
        outcomes: list[TaskOutcome] = []
        with ExitStack() as opened:
            # What `fresh` forgets is gone by this: every system has been tried by now.
            journals: list[Journal[Any]] = [one.journal for one in searches]
            for journal in [*journals, *(one.journal for one in puts)]:
                opened.enter_context(journal)
            for one in searches:
                try:
                    runs.append(await self._search(one))
                except JudgeTuiError as error:
                    # Its replies are kept, and the others have theirs to give.
                    refusals.append(self.systems.refusal(one.name, error))
            if searches:
                known = {one.name: list(one.journal.records.values()) for one in searches}
                write_documents(self.folder, known)
            raise_together(refusals)
            found = {run.tag: {reply.query_id: reply for reply in run.replies} for run in runs}
            for put in puts:
                try:
                    outcomes.append(await self._put(put, found))
                except JudgeTuiError as error:
                    refusals.append(self.systems.refusal(put.name, error))
        raise_together(refusals)
        return Collection(runs, outcomes)

    async def _try_search(self, name: str, settings: SystemSettings) -> _Work:
        """Read what is there, and try the system, where it is left any query. Raises
        `JudgeTuiError`."""
        system = _opened(settings, self.around)
        path = self.folder / f"{name}{REPLIES}"
        journal = Journal(path, lambda r: r.query_id, reply_line, read_reply, fresh=self.fresh)
        fingerprint = self.systems.fingerprint(name, self.depth, system.content_digest())
        said = await identity(settings, self.around)
        journal.refuse_others(fingerprint, said)
        queries, replies = self.around.queries, journal.records
        work = [query for query in queries if self._is_open(replies.get(query.query_id), query)]
        throttle = Throttle(settings, self._note_wait)
        if work:
            # Where it always fails at those that are left, one that was answered tells that it is
            # well.
            left = {query.query_id for query in work}
            known = (one for one in queries if one.query_id not in left)
            answered = next((one for one in known if not replies[one.query_id].failure), None)
            done = len(queries) - len(work)
            self._tell(Progress(name, done, len(queries), work[0], trial=True))

            async def try_query(query: Query) -> None:
                await throttle.ask(partial(system.try_out, query, self.depth))

            async with system:
                tried = [*work[:1], *([answered] if answered else []), *work[1:]]
                await first_answer(try_query, tried, "query")
        return _Work(name, settings, system, throttle, journal, work)

    def _is_open(self, reply: Reply | None, query: Query) -> bool:
        """Whether it is still to be asked. One whose text has changed is another query."""
        if reply is None or reply.query != query.text:
            return True
        return self.retry_failed and bool(reply.failure)

    async def _search(self, one: _Work) -> CollectedRun:
        """Ask what is left, and write the run. Raises `JudgeTuiError`."""
        total = len(self.around.queries)
        done = total - len(one.open)
        if one.open:
            remove_run(self.folder, one.name)

            async def ask_one(query: Query) -> None:
                nonlocal done
                self._tell(Progress(one.name, done, total, query))
                secrets = self.systems.secrets
                reply = await ask(one.system, one.throttle, query, self.depth, secrets)
                one.journal.add(reply)
                done += 1

            async with one.system:
                await one.system.prepare(
                    partial(_attempt, one.throttle),
                    lambda note: self._tell(Progress(one.name, done, total, note=note)),
                )
                await each(one.open, ask_one, self.around.jobs)
            await self._identify_again(one.settings, one.throttle, one.journal)
        replies = tuple(one.journal.records[query.query_id] for query in self.around.queries)
        run = CollectedRun(
            one.name,
            tuple(self.around.queries),
            replies,
            self.folder,
            self.depth,
            one.journal.identity,
            total - len(one.open),
        )
        write_run_of(run)
        self._describe(one.name, one.settings, one.journal)
        return run

    async def _identify_again(
        self, settings: SystemSettings, throttle: Throttle, journal: Journal[Any]
    ) -> None:
        """Is it still the system that it was? Raises `JudgeTuiError`."""
        try:
            said = (await throttle.ask(partial(identity, settings, self.around))).value
        except GaveUpError as error:
            if not isinstance(error.last, OtherSystemError):
                error.what = f"identify fails at the end: {error.what}; its answers are kept"
                raise
            said = f"not as expected: {self.systems.secrets.redact(error.last.said)}"[:500]
        if said != journal.identity:
            raise journal.note_exchanged(said)

    async def _try_tasks(self, name: str) -> TaskWork:
        """The same of a system that is put tasks. Raises `JudgeTuiError`."""
        put = TaskWork(self.systems, name, self.around, self.folder, self.depth, fresh=self.fresh)
        put.journal.refuse_others(
            self.systems.fingerprint(name, 0, ""), await identity(put.settings, self.around)
        )
        self._tell(Progress(name, 0, put.size, self.around.queries[0], trial=True))
        throttle = Throttle(put.settings, self._note_wait)
        await put.try_out(throttle, retry_failed=self.retry_failed)
        return put

    async def _put(self, put: TaskWork, found: Mapping[str, Mapping[str, Reply]]) -> TaskOutcome:
        throttle = Throttle(put.settings, self._note_wait)

        def tell(done: int, task: Query, arm: str) -> None:
            self._tell(Progress(put.name, done, put.size, task, arm))

        outcome = await put.put_all(throttle, found, tell, retry_failed=self.retry_failed)
        if outcome.kept < put.size:
            await self._identify_again(put.settings, throttle, put.journal)
        put.write(outcome)
        self._describe(put.name, put.settings, put.journal)
        return outcome

    def _describe(self, name: str, settings: SystemSettings, journal: Journal[Any]) -> None:
        describe(
            self.folder,
            name,
            kind=settings.kind,
            depth=self.depth,
            identity=journal.identity,
            fingerprint=journal.fingerprint,
        )

    def _tell(self, progress: Progress) -> None:
        self.last = progress
        self.on_progress(progress)

    def _note_wait(self, seconds: float, why: str) -> None:
        why = self.systems.secrets.redact(why)
        self.on_progress(
            self.last._replace(note=f"waits {math.ceil(seconds):,} s ({why})", waits=seconds)
        )


async def _attempt(throttle: Throttle, fetch: Any) -> Any:
    return (await throttle.ask(fetch)).value


async def ask(
    system: SearchSystem, throttle: Throttle, query: Query, depth: int, secrets: Secrets
) -> Reply:
    """Ask one query, again where that may help: its reply, or why there is none."""
    reply = Reply(query.query_id, query.text)
    try:
        tried = await throttle.ask(partial(system.fetch, query, depth))
    except GaveUpError as error:
        failure = error.line(secrets.redact)
        return replace(reply, seconds=error.seconds, tries=error.tries, failure=failure)
    reply = replace(reply, seconds=tried.seconds, tries=tried.tries)
    try:
        hits, repeated = await asyncio.to_thread(lambda: distinct(system.hits(tried.value), depth))
    except SearchError as error:
        return replace(reply, failure=error.line(secrets.redact))
    redacted = []
    for hit in hits:
        if secrets.redact(hit.doc_id) != hit.doc_id:
            # With the name in its place it would be the id of no document.
            what = "the id of a result holds a secret; write what is none into the file"
            return replace(reply, failure=SearchError(what, hit.doc_id).line(secrets.redact))
        title, text, url = map(secrets.redact, (hit.title, hit.text, hit.url))
        redacted.append(replace(hit, title=title, text=text, url=url))
    return replace(reply, hits=tuple(redacted), repeated=repeated)


def _opened(settings: SystemSettings, around: Surroundings) -> SearchSystem:
    if isinstance(settings, HttpSystem):
        return HttpSearch(settings, around)
    if isinstance(settings, CommandSystem):
        return CommandSearch(settings, around)
    assert isinstance(settings, EmbeddingSystem)  # noqa: S101
    return EmbeddingSearch(settings, around)
