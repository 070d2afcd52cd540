"""The whole of it: every system tried, then asked every query that has no reply yet, one system
after another, so that none is measured while another one works; and the files written."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from judge_tui.collect.chat_tasks import TaskOutcome, TaskWork
from judge_tui.collect.command_system import CommandSearch
from judge_tui.collect.embedding_system import EmbeddingSearch
from judge_tui.collect.http_system import HttpSearch
from judge_tui.collect.identify import OtherSystemError, identity
from judge_tui.collect.journal import REPLIES, Journal
from judge_tui.collect.outputs import (
    CollectedRun,
    describe,
    lock_folder,
    remove_run,
    write_collected_run,
    write_documents,
    write_queries,
)
from judge_tui.collect.retry import Throttle, each, try_queries
from judge_tui.collect.search_system import (
    Hit,
    Reply,
    SearchError,
    SearchSystem,
    drop_repeated,
)
from judge_tui.collect.secrets import Secrets, redact_logs
from judge_tui.collect.systems_file import Systems
from judge_tui.collect.work import Found, Order, Progress, Work
from judge_tui.errors import JudgeTuiError, UsageError, raise_together
from judge_tui.model import Document, Query

__all__ = ["Collection", "ask", "collect"]

Outcome = TypeVar("Outcome")
SomeWork = TypeVar("SomeWork", bound=Work[Any, Any])

_SEARCHES: dict[str, Callable[[Any, Order], SearchSystem]] = {
    "http": HttpSearch,
    "command": CommandSearch,
    "embedding": EmbeddingSearch,
}


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
    pages: Sequence[str] = (),
    on_progress: Callable[[Progress], None] = lambda _progress: None,
) -> Collection:
    """Ask every system every query and write what came into `folder`, which is made if need be: of
    each system NAME.run, NAME.latency.csv and NAME.answers.jsonl, from which interrupted work goes
    on, and of all of them documents.jsonl, queries.jsonl and collect.json.

    Queries that have a reply there are not asked again: `retry_failed` asks those that failed,
    `fresh` all. `candidates`: query_id -> the documents that an embedding system ranks. `pages`:
    files of the folder that tell of an earlier call, and go when the asking begins. To systems of
    kind `task` the queries are tasks, put when all others have been searched.

    Raises `InputError` before the work, with nothing changed, where a system does not answer or is
    another one than it should be, all such in one error's `also`. Amid the work (also by
    `KeyboardInterrupt`) what was answered is kept.
    """
    if not queries:
        raise UsageError("there are no queries", "give a file with queries")
    place = Path(folder)
    with lock_folder(place), redact_logs(systems.secrets):
        limits = (depth, jobs, fresh, retry_failed)
        order = Order(systems, tuple(queries), place, *limits, candidates, pages, on_progress)
        return asyncio.run(_collect(order))


async def _collect(order: Order) -> Collection:
    refusals: list[JudgeTuiError] = []

    @contextmanager
    def refusing(name: str) -> Iterator[None]:
        """What one system cannot do is told when the others have had their turn."""
        try:
            yield
        except JudgeTuiError as error:
            refusals.append(order.systems.refusal(name, error))

    searches: list[SearchWork] = []
    puts: list[TaskWork] = []
    for name in order.systems.systems:
        with refusing(name):
            if name in order.systems.tasks:
                puts.append(await _try_out(TaskWork(order, name)))
            else:
                searches.append(await _try_out(SearchWork(order, name)))
    raise_together(refusals)
    if searches:
        write_queries(order.folder, order.queries, order.systems.systems)
    for page in map(order.folder.joinpath, order.pages):
        if page.is_file():  # none may outlive a failure of this call
            page.unlink()
    runs: list[CollectedRun] = []
    tasks: list[TaskOutcome] = []
    with ExitStack() as opened:
        # What `fresh` forgets is gone by this: every system has been tried by now.
        journals: list[Journal[Any]] = [one.journal for one in searches]
        for journal in [*journals, *(one.journal for one in puts)]:
            opened.enter_context(journal)
        for search in searches:
            with refusing(search.name):
                runs.append(await _finish(search, {}))
        if searches:
            write_documents(order.folder)
        raise_together(refusals)
        found = {run.tag: {reply.query_id: reply for reply in run.replies} for run in runs}
        for put in puts:
            with refusing(put.name):
                tasks.append(await _finish(put, found))
    raise_together(refusals)
    return Collection(runs, tasks)


async def _try_out(work: SomeWork) -> SomeWork:
    """Refuse a system that does not answer, or is not the one whose answers are there."""
    said = await identity(work.settings, work.order)
    work.journal.refuse_others(work.fingerprint, said)
    await work.try_out()
    return work


async def _finish(work: Work[Any, Outcome], found: Found) -> Outcome:
    """Ask what is left, and write what came of it."""
    journal = work.journal
    if await work.ask(found):
        said = await _identify_again(work)
        if said != journal.identity:
            raise journal.note_exchanged(said)
    outcome = work.write()
    describe(
        work.order.folder,
        work.name,
        kind=work.settings.kind,
        depth=work.order.depth,
        identity=journal.identity,
        fingerprint=journal.fingerprint,
    )
    return outcome


async def _identify_again(work: Work[Any, Any]) -> str:
    """What it says that it is when all is asked. Raises `JudgeTuiError`."""
    tried = await work.throttle.ask(partial(identity, work.settings, work.order))
    try:
        return tried.result()
    except OtherSystemError as error:
        return f"not as expected: {work.order.systems.secrets.redact(error.said)}"[:500]
    except SearchError as error:
        error.what = f"identify fails at the end: {error.what}; its answers are kept"
        raise


class SearchWork(Work[Reply, CollectedRun]):
    """The queries that a system is asked."""

    def __init__(self, order: Order, name: str) -> None:
        """Raises `JudgeTuiError` where it cannot be used, or what is there cannot be read."""
        path = order.folder / f"{name}{REPLIES}"
        journal = Journal(path, Reply, lambda reply: reply.query_id, fresh=order.fresh)
        super().__init__(order, name, journal, len(order.queries))
        self._system: SearchSystem = _SEARCHES[self.settings.kind](self.settings, order)
        self._open = [query for query in order.queries if self._is_open(query)]
        self.done = self._kept = self.total - len(self._open)

    def _is_open(self, query: Query) -> bool:
        """Whether it is still to be asked. One whose text has changed is another query."""
        reply = self.journal.records.get(query.query_id)
        if reply is None or reply.query != query.text:
            return True
        return self.order.retry_failed and bool(reply.failure)

    @property
    def fingerprint(self) -> str:
        """Of the settings and the documents."""
        depth, documents = self.order.depth, self._system.content_digest()
        return self.order.systems.fingerprint(self.name, depth, documents)

    async def try_out(self) -> None:
        """Raises `JudgeTuiError`."""
        if not self._open:
            return
        self.tell(self._open[0], "is tried")
        # Where it always fails at those that are left, one that was answered tells that it is well.
        left = {query.query_id for query in self._open}
        known = [query for query in self.order.queries if query.query_id not in left]
        answered = [one for one in known if not self.journal.records[one.query_id].failure]
        tried = [*self._open[:1], *answered[:1], *self._open[1:]]
        depth = self.order.depth
        async with self._system:
            await try_queries(
                lambda query: self.throttle.ask(partial(self._system.try_out, query, depth)),
                tried,
                "query",
            )

    async def ask(self, _found: Found) -> bool:
        """Raises `JudgeTuiError`."""
        if not self._open:
            return False
        remove_run(self.order.folder, self.name)
        order = self.order

        async def ask_one(query: Query) -> None:
            self.tell(query)
            self.journal.add(
                await ask(self._system, self.throttle, query, order.depth, order.secrets)
            )
            self.done += 1

        async with self._system:
            await self._system.prepare(
                self.throttle,
                lambda done, total: order.tell(
                    Progress(self.name, done, total, note="vectors of documents")
                ),
            )
            await each(self._open, ask_one, order.jobs)
        return True

    def write(self) -> CollectedRun:
        """The run and the seconds. Raises `InputError`."""
        order, records = self.order, self.journal.records
        replies = tuple(records[query.query_id] for query in order.queries)
        run = CollectedRun(self.name, replies, order.folder, self.journal.identity, self._kept)
        write_collected_run(run)
        return run


async def ask(
    system: SearchSystem, throttle: Throttle, query: Query, depth: int, secrets: Secrets
) -> Reply:
    """Ask one query, again where that may help: its reply, or why there is none."""
    tried = await throttle.ask(partial(system.fetch, query, depth))
    reply = Reply(query.query_id, query.text, seconds=tried.seconds, tries=tried.tries)
    try:
        found = tried.result()
        hits, repeated = await asyncio.to_thread(lambda: drop_repeated(system.hits(found), depth))
        hits = tuple(_redact_hit(hit, secrets) for hit in hits)
    except SearchError as error:
        return replace(reply, failure=error.line(secrets.redact))
    return replace(reply, hits=hits, repeated=repeated)


def _redact_hit(hit: Hit, secrets: Secrets) -> Hit:
    if secrets.redact(hit.doc_id) != hit.doc_id:
        # With the name in its place it would be the id of no document.
        what = "the id of a result holds a secret; write what is none into the file"
        raise SearchError(what, hit.doc_id)
    title, text, url = map(secrets.redact, (hit.title, hit.text, hit.url))
    return replace(hit, title=title, text=text, url=url)
