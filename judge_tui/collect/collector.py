"""The whole of it: every system tried, then asked every query that has no reply yet, one system
after another, so that none is measured while another one works; and the files written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from judge_tui.collect.chat_tasks import TaskOutcome, TaskWork
from judge_tui.collect.command_system import CommandSearch
from judge_tui.collect.embedding_system import EmbeddingSearch
from judge_tui.collect.http_system import HttpSearch
from judge_tui.collect.journal import REPLIES, Journal
from judge_tui.collect.outputs import (
    CollectedRun,
    lock_folder,
    write_collected_run,
    write_documents,
    write_queries,
)
from judge_tui.collect.retry import do_each
from judge_tui.collect.search_system import Reply, SearchError, SearchSystem
from judge_tui.collect.secrets import redact_logs
from judge_tui.collect.settings import CommandSettings, EmbeddingSettings, HttpSettings
from judge_tui.collect.work import CollectProgress, CollectRequest, Replies, Work
from judge_tui.errors import JudgeTuiError, UsageError, raise_together
from judge_tui.model import Query


class CollectResult(NamedTuple):
    """What came of the systems that were searched, and of those that were put tasks."""

    runs: list[CollectedRun]
    tasks: list[TaskOutcome]


def collect(request: CollectRequest) -> CollectResult:
    """Ask every system every query and write what came into the folder, which is made if need be:
    of each system NAME.run, NAME.latency.csv and NAME.answers.jsonl, from which interrupted work
    goes on, and of all of them documents.jsonl, queries.jsonl and collect.json. Tasks are put when
    all other systems have been searched.

    Raises `InputError` before the work, with nothing changed, where a system does not answer or is
    another one than it should be, all such in one error's `also`. Amid the work (also by
    `KeyboardInterrupt`) what was answered is kept.
    """
    if not request.queries:
        raise UsageError("there are no queries", "give a file with queries")
    if request.fresh and request.retry_failed:
        raise UsageError("--fresh asks everything anew, --retry-failed what failed", "give one")
    with lock_folder(request.folder), redact_logs(request.secrets):
        return asyncio.run(_collect(request))


async def _collect(request: CollectRequest) -> CollectResult:
    refusals: list[JudgeTuiError] = []

    @contextmanager
    def refusing(name: str) -> Iterator[None]:
        """What one system cannot do is told when the others have had their turn."""
        try:
            yield
        except JudgeTuiError as error:
            refusals.append(request.systems.refusal(name, error))

    searches: list[SearchWork] = []
    puts: list[TaskWork] = []
    for name in request.systems.systems:
        with refusing(name):
            if name in request.systems.tasks:
                puts.append(TaskWork(request, name))
                await puts[-1].begin()
            else:
                searches.append(SearchWork(request, name))
                await searches[-1].begin()
    raise_together(refusals)
    if searches:
        write_queries(request.folder, request.queries, request.systems.systems.keys())
    for page in request.pages:  # none may outlive a failure of this call
        (request.folder / page).unlink(missing_ok=True)
    with ExitStack() as stack:
        # What `fresh` forgets is gone by this: every system has been tried by now.
        every: list[Work[Any, Any]] = [*searches, *puts]
        for work in every:
            stack.enter_context(work.journal)
            work.remove_outputs()
        runs: list[CollectedRun] = []
        for search in searches:
            with refusing(search.name):
                runs.append(await search.finish({}))
        if searches:
            write_documents(request.folder)
        raise_together(refusals)
        tasks: list[TaskOutcome] = []
        replies = {run.tag: {reply.query_id: reply for reply in run.replies} for run in runs}
        for put in puts:
            with refusing(put.name):
                tasks.append(await put.finish(replies))
    raise_together(refusals)
    return CollectResult(runs, tasks)


class SearchWork(Work[Reply, CollectedRun]):
    """The queries that a system is asked."""

    def __init__(self, request: CollectRequest, name: str) -> None:
        """Raises `JudgeTuiError` where it cannot be used, or what is there cannot be read."""
        path = request.folder / f"{name}{REPLIES}"
        journal = Journal(path, Reply, lambda reply: reply.query_id, fresh=request.fresh)
        super().__init__(request, name, journal, len(request.queries))
        self._system = _open_system(self.settings, request)
        self._open = [query for query in request.queries if self._is_open(query)]
        self._earlier = tuple(
            journal.records[query.query_id] for query in request.queries if not self._is_open(query)
        )
        self.done = len(self._earlier)

    def _is_open(self, query: Query) -> bool:
        """Whether it is still to be asked. One whose text has changed is another query."""
        reply = self.journal.records.get(query.query_id)
        if reply is None or reply.query != query.text:
            return True
        return self.request.retry_failed and bool(reply.failure)

    @property
    def fingerprint(self) -> str:
        """Of the settings and the documents."""
        depth, documents = self.request.depth, self._system.content_digest()
        return self.request.systems.fingerprint(self.name, depth, documents)

    @property
    def trials(self) -> list[Query]:
        """Those that are left. Where it always fails at these, one that was answered tells that it
        is well."""
        if not self._open:
            return []
        answered = [
            query
            for query in self.request.queries
            if not self._is_open(query) and not self.journal.records[query.query_id].failure
        ]
        return [*self._open[:1], *answered[:1], *self._open[1:]]

    def remove_outputs(self) -> None:
        """The run and the seconds."""
        if self._open:
            for path in (self._run.run_path, self._run.latency_path):
                path.unlink(missing_ok=True)

    async def _try(self, query: Query) -> None:
        async with self._system:
            await self._system.probe(query)

    async def _ask_rest(self, _replies: Replies) -> bool:
        async def ask(query: Query) -> None:
            self.tell_query(query)
            self.journal.add(await self._fetch(query))
            self.done += 1

        if not self._open:
            return False
        async with self._system:
            await self._system.prepare(
                self.throttle,
                lambda done, total: self.tell(
                    CollectProgress(self.name, done, total, note="vectors of documents")
                ),
            )
            await do_each(self._open, ask, self.request.jobs)
        return True

    async def _fetch(self, query: Query) -> Reply:
        """Ask one query, again where that may help: its reply, or why there is none."""
        answer = await self.throttle.call(partial(self._system.fetch, query))
        reply = Reply(
            query.query_id,
            query.text,
            seconds=answer.seconds,
            tries=answer.tries,
            asked=f"{datetime.now().astimezone():%Y-%m-%d}",
        )
        try:
            hits, repeated = await asyncio.to_thread(self._system.take_hits, answer.value())
        except SearchError as error:
            return replace(reply, failure=error.line(self.request.secrets.redact))
        return replace(reply, hits=hits, repeated=repeated)

    def _write(self) -> CollectedRun:
        write_collected_run(self._run)
        return self._run

    @property
    def _run(self) -> CollectedRun:
        records, queries = self.journal.records, self.request.queries
        replies = tuple(records[one.query_id] for one in queries if one.query_id in records)
        identity, folder = self.journal.identity, self.request.folder
        return CollectedRun(self.name, replies, folder, identity, self._earlier)


def _open_system(settings: object, request: CollectRequest) -> SearchSystem:
    if isinstance(settings, HttpSettings):
        return HttpSearch(settings, request)
    if isinstance(settings, CommandSettings):
        return CommandSearch(settings, request)
    assert isinstance(settings, EmbeddingSettings), "tasks are no search"  # noqa: S101
    return EmbeddingSearch(settings, request)
