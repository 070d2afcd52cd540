"""The whole of it: pre-flight, every system asked every query, the files written, and what is there
already not asked again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from judge_tui.collect.asking import ask_all
from judge_tui.collect.folder import (
    alone_in,
    describe,
    make_folder,
    refuse_what_is_no_folder,
    settings_in,
)
from judge_tui.collect.journal import REPLIES, Differs, Journal, JournalOf, replies_in
from judge_tui.collect.live import Live, System, Systems
from judge_tui.collect.logs import secrets_out_of_logs
from judge_tui.collect.outcome import (
    Collected,
    nulls_told,
    write_documents,
    write_outcome,
)
from judge_tui.collect.pace import Pace
from judge_tui.collect.preflight import (
    check_system,
    identified_again,
    identify_alone,
    marked,
    probes_of,
    refusal,
)
from judge_tui.collect.reply import AskError, Reply
from judge_tui.collect.secrets import texts_in
from judge_tui.collect.tasks.outcome import TaskOutcome, write_task_outcome
from judge_tui.collect.tasks.working import Told, Working
from judge_tui.collect.telling import Progress, Telling
from judge_tui.errors import InputError, JudgeTuiError, UsageError, raise_together
from judge_tui.formats.places import DOCUMENTS_FILE
from judge_tui.formats.said_of_queries import said_of
from judge_tui.model import Query
from judge_tui.version import __version__

__all__ = ["Collection", "collect_all"]


class Collection(NamedTuple):
    """What came of the systems that were searched, and of those that were put tasks; each in the
    order of the file. `notes`: what is to be known of the folder."""

    systems: list[Collected]
    tasks: list[TaskOutcome]
    notes: tuple[str, ...] = ()


def collect_all(
    systems: Systems,
    queries: Iterable[Query],
    folder: str | os.PathLike[str],
    *,
    depth: int,
    at_once: int,
    again: bool,
    again_failed: bool,
    told: Callable[[Progress], None],
    begun: Callable[[], None],
) -> Collection:
    """Ask every system every query and write what came into `folder`, which is made if need be.

    Of each system: NAME.run (TREC), NAME.latency.csv and NAME.answers.jsonl, line by line as the
    replies come, from which interrupted work goes on; of all of them documents.jsonl; and
    collect.json with the settings, without secrets. Queries that have a reply there are not asked
    again: `again_failed` asks those that failed, `again` all. The replies that this forgets are
    gone when every system has been tried and every file of replies is held, and `begun` is called
    then. Systems are asked one after another, so that none is measured while another one works;
    `at_once` queries of one at a time.

    To systems of kind `task` the queries are tasks, put when all others have been searched: of each
    NAME.attempts.jsonl, from which it goes on, NAME.outcomes.csv and NAME.checks.csv.

    Raises `InputError` before the work, with nothing that was there changed, where a system is not
    what it should be or does not answer, all such in one error's `also`; where replies are there to
    other settings; and where another program collects them. Amid it where a file cannot be written:
    what was answered stays, as it does where this is interrupted (`KeyboardInterrupt`). After it
    where a system is found to be another one than before: no run of it is written, and what it
    answered is not read again.
    """
    its_queries = tuple(queries)
    if not its_queries:
        raise UsageError("there are no queries", "give a file with queries")
    place = Path(folder)
    refuse_what_is_no_folder(place)
    described = settings_in(place)  # which the work would end with
    journals = {
        system.name: _journal(place, system, described.get(system.name), depth, again)
        for system in systems.systems
    }
    work = {
        name: [query for query in its_queries if _is_open(journal, query, again_failed)]
        for name, journal in journals.items()
    }
    telling = Telling(told, systems.secrets)
    tasks = [
        Working(
            systems,
            system,
            its_queries,
            place,
            depth=depth,
            again=again,
            again_failed=again_failed,
            rested=partial(telling.rested, system.name),
            differs=_differing(described.get(system.name), system.differs),
        )
        for system in systems.tasks
    ]
    with secrets_out_of_logs(systems.secrets):
        return asyncio.run(
            _Collecting(systems, its_queries, place, depth, at_once, telling, begun).all(
                journals, work, tasks
            )
        )


class _Collecting:
    def __init__(
        self,
        systems: Systems,
        queries: Sequence[Query],
        folder: Path,
        depth: int,
        at_once: int,
        told: Telling,
        begun: Callable[[], None],
    ) -> None:
        self._systems = systems
        self._queries = tuple(queries)
        self._folder = folder
        self._depth = depth
        self._at_once = at_once
        self._told = told
        self._begun = begun
        self._notes: dict[str, list[str]] = {}
        self._of_folder: list[str] = []
        # One for the trial and the work of each, which are one row of queries to it.
        self._paces = {
            system.name: Pace(system.patience, partial(told.rested, system.name))
            for system in systems.systems
        }

    async def all(
        self,
        journals: Mapping[str, Journal],
        work: Mapping[str, Sequence[Query]],
        tasks: Sequence[Working],
    ) -> Collection:
        """Of each system, in their order."""
        await self._preflight(journals, work, tasks)
        make_folder(self._folder)
        with ExitStack() as held:
            every: list[JournalOf[Any, Any]] = [
                *journals.values(),
                *(working.journal for working in tasks),
            ]
            for journal in every:
                journal.hold()
                held.push(journal)
            # What one forgets is gone by that: not before the last one is known to be ours.
            for journal in every:
                held.enter_context(journal)
            self._begun()
            collected = []
            refusals: list[JudgeTuiError] = []
            for system in self._systems.systems:
                journal, left = journals[system.name], work[system.name]
                changed = await self._ask(system, journal, left)
                try:
                    journal.still_like(changed)
                    await self._identify_again(system, journal, left)
                except JudgeTuiError as error:
                    # Its replies are kept, and the others have theirs to give.
                    refusals.append(error)
                    continue
                outcome = self._outcome(system, journal, len(self._queries) - len(left))
                write_outcome(outcome, self._folder)
                journal.note_written(_said_by_place(self._queries))
                self._describe(system, outcome.identity)
                collected.append(outcome)
            with alone_in(self._folder):
                write_documents(self._all_replies(journals), self._folder)
            raise_together(refusals)
            found = {one.name: {a.query_id: a for a in one.replies} for one in collected}
            outcomes = []
            for working in tasks:
                await working.all(found, self._at_once, self._told_of(working))
                try:
                    await working.identify_again()
                except JudgeTuiError as error:
                    refusals.append(error)
                    continue
                tried = working.outcome()
                write_task_outcome(tried, self._folder)
                working.journal.note_written({})
                self._describe(working.system, tried.identity)
                outcomes.append(tried)
            raise_together(refusals)
        return Collection(collected, outcomes, tuple(self._of_folder))

    async def _preflight(
        self,
        journals: Mapping[str, Journal],
        work: Mapping[str, Sequence[Query]],
        tasks: Sequence[Working],
    ) -> None:
        """Try each system, and refuse all that cannot be asked at once."""
        refusals: list[JudgeTuiError] = []
        for system in self._systems.systems:
            try:
                await self._try_out(system, journals[system.name], work[system.name])
            except JudgeTuiError as error:
                refusals.append(error)
        for working in tasks:
            try:
                await working.try_out(self._told_of(working))
            except JudgeTuiError as error:
                refusals.append(error)
        raise_together(refusals)

    async def _try_out(self, system: System, journal: Journal, queries: Sequence[Query]) -> None:
        """`queries`: those that it is left to be asked. Raises `JudgeTuiError`."""
        path, secrets = self._systems.path, self._systems.secrets
        if queries:
            done = len(self._queries) - len(queries)
            self._told(Progress(system.name, done, len(self._queries), queries[0]))
            known = await check_system(
                path,
                system,
                self._paces[system.name],
                queries,
                probes_of(self._queries, queries, lambda one: _is_answered(journal, one)),
                self._depth,
                secrets,
                journal.mark,
            )
            said = known.identity
            journal.be_like(known.mark, known.changed)
        else:
            said = await identify_alone(path, system, secrets)
        journal.be_of(system.expected, said)

    async def _ask(self, system: System, journal: Journal, queries: Sequence[Query]) -> str:
        """Why it is another system by its replies when it has been asked than before; empty where
        it is not, or nothing tells. Raises `JudgeTuiError`."""
        if not queries:
            return ""
        done = len(self._queries) - len(queries)

        def began(query: Query) -> None:
            self._told(Progress(system.name, done, len(self._queries), query))

        def answered(reply: Reply) -> None:
            nonlocal done
            done += 1
            journal.add(reply)

        def noted(what: str) -> None:
            self._notes.setdefault(system.name, []).append(what)

        def readied(what: str) -> None:
            self._told(Progress(system.name, done, len(self._queries), None, what))

        around = system.surroundings._replace(
            at_once=self._at_once,
            told=readied,
            noted=noted,
            rested=partial(self._told.rested, system.name),
        )
        async with AsyncExitStack() as opened:
            try:
                asking = await opened.enter_async_context(system.searcher.open(around))
            except JudgeTuiError as error:
                raise refusal(self._systems.path, system, error, self._systems.secrets) from None
            lack = await ask_all(
                asking,
                self._paces[system.name],
                queries,
                self._depth,
                at_once=self._at_once,
                secrets=self._systems.secrets,
                began=began,
                answered=answered,
            )
            if lack is not None:
                noted(lack.note(self._at_once))
            pace, secrets = self._paces[system.name], self._systems.secrets
            try:
                _mark, changed = await marked(asking, pace, journal.mark, secrets)
            except AskError as error:
                told = error.line(secrets.hidden)
                noted(f"whether its model is still the same is not known: {told}")
                return ""
            return changed

    async def _identify_again(
        self, system: System, journal: Journal, queries: Sequence[Query]
    ) -> None:
        """Where it was asked any: is it still the system that it was? Raises `InputError`."""
        if queries:
            pace, systems = self._paces[system.name], self._systems
            await identified_again(systems.path, system, pace, journal, systems.secrets)

    def _outcome(self, system: System, journal: Journal, kept: int) -> Collected:
        replies = tuple(journal.records[query.query_id] for query in self._queries)
        identity, unknown = journal.identity_of([query.query_id for query in self._queries])
        nulls = nulls_told(system.settings, replies)
        notes = (*self._notes.get(system.name, ()), *unknown, *nulls)
        depth = 0 if system.ranks_candidates or system.searcher.documents else self._depth
        return Collected(system.name, self._queries, replies, identity, kept, notes, depth)

    def _all_replies(self, journals: Mapping[str, Journal]) -> Iterator[Reply]:
        """Those of every system that ever collected into the folder; what cannot be read of others
        than these is noted."""
        its = {journal.path for journal in journals.values()}
        for path in sorted(self._folder.glob(f"*{REPLIES}")):
            try:
                yield from replies_in(path)
            except InputError as error:
                if path in its:
                    raise
                what = f"{error.what}: what its system returned is not in {DOCUMENTS_FILE}"
                mend = "remove the file, or collect from its system with --again"
                self._of_folder.append(str(InputError(error.path, error.line, what, mend)))

    def _told_of(self, working: Working) -> Told:
        def told(done: int, attempts: int, task: Query | None, arm: str) -> None:
            self._told(Progress(working.system.name, done, attempts, task, arm))

        return told

    def _describe(self, system: Live, identity: str) -> None:
        about = {
            "judge_tui": __version__,
            "kind": system.kind,
            "depth": self._depth,
            "queries": len(self._queries),
            "identity": identity,
            "settings": dict(system.settings),
        }
        secrets = self._systems.secrets
        if public := secrets.public_in(texts_in(dict(system.settings))):
            about["public"] = {name: secrets.hidden(value) for name, value in public.items()}
        describe(self._folder, system.name, about)


def _journal(folder: Path, system: System, described: Any, depth: int, again: bool) -> Journal:
    path = folder / f"{system.name}{REPLIES}"
    head = {"system": system.name, "settings": system.fingerprint(depth)}

    differs = _differing(described, lambda its, about: system.differs(its, about, depth))
    return Journal(path, head, begin_anew=again, differs=differs)


def _differing(described: Any, differs: Callable[[str, Mapping[str, Any]], str]) -> Differs:
    """What journals are told by, of a system that was `described` before, if it was."""

    def told(head: Mapping[str, Any]) -> str:
        is_known = isinstance(described, dict) and "settings" in head
        return differs(head["settings"], described) if is_known else ""

    return told


def _said_by_place(queries: Iterable[Query]) -> dict[str, dict[str, Any]]:
    """What is said of those that are known by their texts, of which there may be several of one."""
    return {query.query_id: said_of(query) for query in queries if not query.own_id}


def _is_answered(journal: Journal, query: Query) -> bool:
    return not journal.records[query.query_id].failure


def _is_open(journal: Journal, query: Query, again_failed: bool) -> bool:
    """Whether the query is still to be asked. One whose text has changed is another query."""
    reply = journal.records.get(query.query_id)
    return reply is None or reply.query != query.text or (again_failed and bool(reply.failure))
