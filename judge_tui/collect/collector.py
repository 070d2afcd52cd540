"""The whole of it: every system tried, then asked every query that has no reply yet, one system
after another, so that none is measured while another one works; and the files written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from judge_tui.collect.chat_tasks import TaskOutcome, TaskWork
from judge_tui.collect.identify import OtherSystemError, identify
from judge_tui.collect.journal import REPLIES, Journal
from judge_tui.collect.kinds import KINDS
from judge_tui.collect.outputs import (
    CollectedRun,
    describe,
    lock_folder,
    remove_run,
    write_collected_run,
    write_documents,
    write_queries,
)
from judge_tui.collect.retry import Throttle, each, refuse_silent
from judge_tui.collect.search_system import (
    Hit,
    Reply,
    SearchError,
    SearchSystem,
    drop_repeated,
)
from judge_tui.collect.secrets import Secrets, redact_logs
from judge_tui.collect.work import CollectRequest, Found, Progress, Work
from judge_tui.errors import JudgeTuiError, UsageError, raise_together
from judge_tui.model import Query

Outcome = TypeVar("Outcome")
SomeWork = TypeVar("SomeWork", bound=Work[Any, Any])


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
                puts.append(await _refuse_others(TaskWork(request, name)))
            else:
                searches.append(await _refuse_others(SearchWork(request, name)))
    raise_together(refusals)
    if searches:
        write_queries(request.folder, request.queries, request.systems.systems)
    for page in map(request.folder.joinpath, request.pages):
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
            search.keep_tried()
        for search in searches:
            with refusing(search.name):
                runs.append(await _finish(search, {}))
        if searches:
            write_documents(request.folder)
        raise_together(refusals)
        found = {run.tag: {reply.query_id: reply for reply in run.replies} for run in runs}
        for put in puts:
            with refusing(put.name):
                tasks.append(await _finish(put, found))
    raise_together(refusals)
    return CollectResult(runs, tasks)


async def _refuse_others(work: SomeWork) -> SomeWork:
    """Refuse a system that does not answer, or is not the one whose answers are there."""
    said = await identify(work.settings, work.request)
    work.journal.refuse_others(work.fingerprint, said)
    await work.preflight()
    return work


async def _finish(work: Work[Any, Outcome], found: Found) -> Outcome:
    """Ask what is left, and write what came of it."""
    journal = work.journal
    if await work.ask_rest(found):
        said = await _identify_again(work)
        if said != journal.identity:
            raise journal.note_exchanged(said)
    outcome = work.write()
    describe(
        work.request.folder,
        work.name,
        kind=work.settings.kind,
        depth=work.request.depth,
        identity=journal.identity,
        fingerprint=journal.fingerprint,
    )
    return outcome


async def _identify_again(work: Work[Any, Any]) -> str:
    """What it says that it is when all is asked. Raises `JudgeTuiError`."""
    tried = await work.throttle.call(partial(identify, work.settings, work.request))
    try:
        return tried.result()
    except OtherSystemError as error:
        return f"not as expected: {work.request.secrets.redact(error.said)}"[:500]
    except SearchError as error:
        error.what = f"identify fails at the end: {error.what}; its answers are kept"
        raise


class SearchWork(Work[Reply, CollectedRun]):
    """The queries that a system is asked."""

    def __init__(self, request: CollectRequest, name: str) -> None:
        """Raises `JudgeTuiError` where it cannot be used, or what is there cannot be read."""
        path = request.folder / f"{name}{REPLIES}"
        journal = Journal(path, Reply, lambda reply: reply.query_id, fresh=request.fresh)
        super().__init__(request, name, journal, len(request.queries))
        search = KINDS[self.settings.kind].search
        assert search is not None, "tasks are no search"  # noqa: S101
        self._system = search(self.settings, request)
        self._open = [query for query in request.queries if self._is_open(query)]
        self.done = self._kept = self.total - len(self._open)
        self._tried: dict[str, Reply] = {}

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

    async def preflight(self) -> None:
        """Ask the first query; its reply is kept when all systems have been tried. Raises
        `JudgeTuiError`."""
        if not self._open:
            return
        self.tell_query(self._open[0], "is tried")
        # Where it always fails at those that are left, one that was answered tells that it is well.
        left = {query.query_id for query in self._open}
        known = [query for query in self.request.queries if query.query_id not in left]
        answered = [one for one in known if not self.journal.records[one.query_id].failure]

        async def ask(query: Query) -> str:
            if self._system.prepares:
                tried = await self.throttle.call(partial(self._system.probe, query))
                why = tried.came.line(self.request.secrets.redact) if tried.came else ""
            else:
                reply = await self._fetch(query)
                why = reply.failure
                if query.query_id in left:
                    self._tried[query.query_id] = reply
            return why and f"does not answer query {query.query_id}: {why}"

        async with self._system:
            await refuse_silent([*self._open[:1], *answered[:1], *self._open[1:]], ask)

    def keep_tried(self) -> None:
        """Write the replies of the pre-flight. Raises `InputError`."""
        if self._open:
            remove_run(self.request.folder, self.name)
        for reply in self._tried.values():
            self._add(reply)

    async def ask_rest(self, _found: Found) -> bool:
        """Raises `JudgeTuiError`."""
        if not self._open:
            return False

        async def ask(query: Query) -> None:
            self.tell_query(query)
            self._add(await self._fetch(query))

        async with self._system:
            await self._system.prepare(
                self.throttle,
                lambda done, total: self.tell(
                    Progress(self.name, done, total, note="vectors of documents")
                ),
            )
            rest = [query for query in self._open if query.query_id not in self._tried]
            await each(rest, ask, self.request.jobs)
        return True

    async def _fetch(self, query: Query) -> Reply:
        request = self.request
        return await fetch_reply(self._system, self.throttle, query, request.depth, request.secrets)

    def _add(self, reply: Reply) -> None:
        self.journal.add(reply)
        self.done += 1

    def write(self) -> CollectedRun:
        """The run and the seconds. Raises `InputError`."""
        request, records = self.request, self.journal.records
        replies = tuple(records[query.query_id] for query in request.queries)
        run = CollectedRun(self.name, replies, request.folder, self.journal.identity, self._kept)
        write_collected_run(run)
        return run


async def fetch_reply(
    system: SearchSystem, throttle: Throttle, query: Query, depth: int, secrets: Secrets
) -> Reply:
    """Ask one query, again where that may help: its reply, or why there is none."""
    tried = await throttle.call(partial(system.fetch, query, depth))
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
