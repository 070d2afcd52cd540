"""One system of kind `task` in a folder: tried before the work, then put all its tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from judge_tui.collect.journal import Differs
from judge_tui.collect.live import Systems, TaskSystem
from judge_tui.collect.over_http import client
from judge_tui.collect.pace import Pace, Rested
from judge_tui.collect.preflight import identified, identified_again, probes_of, refusal
from judge_tui.collect.tasks.attempt import AttemptJournal
from judge_tui.collect.tasks.attempting import Attempting, Found
from judge_tui.collect.tasks.checking import Checker
from judge_tui.collect.tasks.cost import Calls
from judge_tui.collect.tasks.folders import remove_left_behind
from judge_tui.collect.tasks.outcome import TaskOutcome
from judge_tui.collect.tasks.settings import Arm
from judge_tui.errors import InputError, JudgeTuiError
from judge_tui.formats import iter_documents
from judge_tui.formats.outcomes_csv import ATTEMPTS
from judge_tui.model import Document, Query

__all__ = ["Told", "Working"]

Told = Callable[[int, int, Query | None, str], None]
"""Is told how many attempts are made, of how many, the task that is put now, and in which arm."""


class Working:
    """The work on one system; within `with` of its `journal` it can be done."""

    def __init__(
        self,
        systems: Systems,
        system: TaskSystem,
        tasks: Sequence[Query],
        folder: Path,
        *,
        depth: int,
        again: bool,
        again_failed: bool,
        rested: Rested,
        differs: Differs,
    ) -> None:
        """`rested` as `Pace` has it, `differs` as the journal. Raises `InputError` where the
        replies that are there came from another model or other settings, and where an arm wants
        more results than are asked for."""
        self.system = system
        self._path = systems.path
        self._secrets = systems.secrets
        self._pace = Pace(system.patience, rested)
        self._tasks = tuple(tasks)
        self._again_failed = again_failed
        self._kept = 0
        self._lack: tuple[str, ...] = ()
        self._prices = {one.name: one.price for one in systems.systems}
        self._found: Found = {}
        arms = system.tasks.arms
        self._wanted = {(task.query_id, arm.name) for task in self._tasks for arm in arms}
        self._texts: dict[str, dict[str, Document]] = {}
        self._checker: Checker | None = None
        for arm in system.tasks.arms:
            if arm.k > depth:
                raise InputError(
                    systems.path,
                    arm.line,
                    f"system {system.name}: arm {arm.name} wants the top {arm.k} of {arm.context},"
                    f" and --depth asks for {depth}",
                    f"give --depth {arm.k} or more",
                )
        head = {"system": system.name, "settings": system.fingerprint}
        path = folder / f"{system.name}{ATTEMPTS}"
        self.journal = AttemptJournal(path, head, begin_anew=again, differs=differs)

    async def try_out(self, told: Told) -> None:
        """Identify the system, look for the programs of its checks and the texts of its arms, and
        put it one task, if there is any left to be put. Raises `InputError`, at its line."""
        remove_left_behind()
        try:
            attempting = self._attempting(1)
            still = {
                task.query_id: sum(
                    attempting.is_open(self.journal, task, arm, self._again_failed)
                    for arm in self.system.tasks.arms
                )
                for task in self._tasks
            }
            left = [task for task in self._tasks if still[task.query_id]]
            if left:
                told(self._size - sum(still.values()), self._size, left[0], "")
            # Also where nothing is left to be put: it is to be the one that gave the replies.
            said = await identified(self.system, self._secrets)
            self.journal.be_of(self.system.expected, said)
            if not left:
                return
            async with client(self.system.surroundings) as ready:
                answered = {one.task for one in self.journal.records.values() if not one.failure}
                tried = probes_of(self._tasks, left, lambda task: task.query_id in answered)
                await attempting.try_out(ready, tried)
        except JudgeTuiError as error:
            raise refusal(self._path, self.system, error, self._secrets) from None

    async def all(self, found: Found, at_once: int, told: Told) -> None:
        """Put every task in every arm. Raises `InputError`."""
        done = 0
        self._found = found
        before = dict(self.journal.records)

        def began(task: Query, arm: Arm) -> None:
            told(done, self._size, task, arm.name)

        def ended() -> None:
            nonlocal done
            done += 1

        try:
            attempting = self._attempting(at_once)
            # What was kept open would be lacking to the checks.
            async with client(attempting.around, kept=False) as ready:
                lack = await attempting.all(
                    ready,
                    self.journal,
                    self._tasks,
                    found,
                    again_failed=self._again_failed,
                    began=began,
                    ended=ended,
                )
            self._lack = () if lack is None else (lack.note(at_once),)
        except JudgeTuiError as error:
            raise refusal(self._path, self.system, error, self._secrets) from None
        finally:
            # To remove a folder takes open files, too, of which there may have been none left.
            remove_left_behind()
        now = self.journal.records
        self._kept = sum(
            self.journal.is_same(its, now[key])
            for key, its in before.items()
            if key in self._wanted
        )

    async def identify_again(self) -> None:
        """Where it was put any: is it still the system that it was? Raises `InputError`."""
        if self._kept < len(self._wanted):
            await identified_again(self._path, self.system, self._pace, self.journal, self._secrets)

    def outcome(self) -> TaskOutcome:
        """What came of it all."""
        settings = self.system.tasks
        identity, notes = self.journal.identity_of(self._wanted)
        return TaskOutcome(
            self.system.name,
            self._tasks,
            settings.arms,
            tuple(check.name for check in settings.checks),
            self.journal.records,
            settings.unanswered == "left out",
            identity,
            self._kept,
            settings.extract == "code",
            {arm.name: self._calls(arm) for arm in settings.arms},
            (*self._lack, *notes),
        )

    def _calls(self, arm: Arm) -> tuple[Calls, ...]:
        """As if the arm were the only one: a search that several arms name is asked once."""
        attempts = (self.journal.records[task.query_id, arm.name] for task in self._tasks)
        put = Calls(self.system.name, sum(one.tries for one in attempts), self.system.price)
        if not arm.context:
            return (put,)
        replies = self._found[arm.context]
        searched = sum(replies[task.query_id].tries for task in self._tasks)
        return put, Calls(arm.context, searched, self._prices[arm.context])

    @property
    def _size(self) -> int:
        return len(self._tasks) * len(self.system.tasks.arms)

    def _attempting(self, at_once: int) -> Attempting:
        """Raises `JudgeTuiError` where a program or a file of texts is not there the first time."""
        if self._checker is None:
            self._texts = {
                arm.documents: _documents(self.system.folder / arm.documents)
                for arm in self.system.tasks.arms
                if arm.documents
            }
            self._checker = Checker(self._path, self.system, self._secrets)
        around = self.system.surroundings._replace(at_once=at_once)
        return Attempting(
            self.system.tasks, around, self._pace, self._checker, self._secrets, self._texts
        )


def _documents(path: Path) -> dict[str, Document]:
    return {one.doc_id: one for _line, one in iter_documents(path)}
