"""What came of one system's tasks, and the files that it is handed on in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge_tui.collect.tasks.attempt import Attempt
from judge_tui.collect.tasks.cost import Calls, cost_of
from judge_tui.collect.tasks.extracting import code_of
from judge_tui.collect.tasks.settings import Arm
from judge_tui.formats.outcomes_csv import ATTEMPTS, CHECKED, CHECKS, ERROR, OUTCOMES
from judge_tui.formats.row_files import Value, csv_lines, write_lines
from judge_tui.model import Query

__all__ = ["TaskOutcome", "task_files", "task_files_handed_on", "write_task_outcome"]


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """`attempts`: (task, arm) -> what came of it, for each of `tasks` and `arms`. `leaves_out`:
    whether what the endpoint did not answer has no outcome, in place of failing every check.
    `identity`: what the system is found to be, where it is asked; `kept`: how many attempts were
    there already, and not made again; `extracts`: whether code is taken out of the replies.
    `calls`: arm -> calls of the endpoint, and of the search that its context is from. `notes`: what
    else is to be known of how they were put this time, and of where the replies are from."""

    name: str
    tasks: tuple[Query, ...]
    arms: tuple[Arm, ...]
    checks: tuple[str, ...]
    attempts: Mapping[tuple[str, str], Attempt]
    leaves_out: bool = False
    identity: str = ""
    kept: int = 0
    extracts: bool = False
    calls: Mapping[str, tuple[Calls, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def of(self, arm: str) -> list[Attempt]:
        """An arm's attempts, in the order of the tasks."""
        return [self.attempts[task.query_id, arm] for task in self.tasks]

    @property
    def has_prices(self) -> bool:
        """Whether any of its calls has one."""
        return any(one.price for calls in self.calls.values() for one in calls)

    def cost(self, arm: str) -> dict[str, float]:
        """Currency -> amount of an arm's calls that have a price."""
        return cost_of(self.calls[arm])

    def has_outcome(self, attempt: Attempt) -> bool:
        """Whether it counts, passed or not."""
        return attempt.failed != "endpoint" or not self.leaves_out

    def outcome(self, attempt: Attempt, check: str) -> bool | None:
        """Whether it passes the check; None where it has no outcome. An arm whose search failed has
        failed: the search is what is being tried."""
        if not self.has_outcome(attempt):
            return None
        return not attempt.failure and attempt.checks[check].passed

    def is_unfenced(self, attempt: Attempt) -> bool:
        """Whether its reply is checked as a whole, for want of a fenced block of code in it."""
        if not self.extracts or attempt.codeless or not attempt.reply.strip():
            return False
        return not code_of(attempt.reply).fenced

    @property
    def passed(self) -> dict[tuple[str, str], dict[str, bool]]:
        """(check, arm) -> task -> whether it passed, as `compare_arms` takes it."""
        return {
            (check, arm.name): {
                attempt.task: outcome
                for attempt in self.of(arm.name)
                if (outcome := self.outcome(attempt, check)) is not None
            }
            for check in self.checks
            for arm in self.arms
        }

    @property
    def failed(self) -> dict[tuple[str, str], set[str]]:
        """(check, arm) -> the tasks of `passed` that count as not passed because they failed."""
        return {
            (check, arm.name): {
                attempt.task
                for attempt in self.of(arm.name)
                if attempt.failure and self.has_outcome(attempt)
            }
            for check in self.checks
            for arm in self.arms
        }


def task_files(names: Sequence[str]) -> list[str]:
    """What is written into the folder for systems of these names."""
    return [*(f"{name}{ATTEMPTS}" for name in names), *task_files_handed_on(names)]


def task_files_handed_on(names: Sequence[str]) -> list[str]:
    """Those of them that are written when all tasks have been put and checked."""
    return [f"{name}{end}" for name in names for end in (OUTCOMES, CHECKS)]


def write_task_outcome(outcome: TaskOutcome, folder: Path) -> None:
    """Write NAME.outcomes.csv, which `judge-tui outcomes` reads, and NAME.checks.csv, which says
    why each reply passed or not; each whole or not at all. Raises `InputError`."""
    columns = ("task", "arm", *outcome.checks)
    write_lines(folder / f"{outcome.name}{OUTCOMES}", csv_lines(columns, _outcomes(outcome)))
    write_lines(folder / f"{outcome.name}{CHECKS}", csv_lines(CHECKED, _checks(outcome)))


def _attempts(outcome: TaskOutcome) -> Iterator[Attempt]:
    for task in outcome.tasks:
        for arm in outcome.arms:
            yield outcome.attempts[task.query_id, arm.name]


def _outcomes(outcome: TaskOutcome) -> Iterator[list[Value]]:
    for attempt in _attempts(outcome):
        passed = [outcome.outcome(attempt, check) for check in outcome.checks]
        told = ERROR if attempt.failure else 0
        cells = (None if one is None else 1 if one else told for one in passed)
        yield [attempt.task, attempt.arm, *cells]


def _checks(outcome: TaskOutcome) -> Iterator[list[Value]]:
    for attempt in _attempts(outcome):
        for check in outcome.checks:
            passed = outcome.outcome(attempt, check)
            checked = attempt.checks.get(check)
            why, output = (checked.why, checked.output) if checked else (attempt.failure, "")
            number = None if passed is None else int(passed)
            yield [attempt.task, attempt.arm, check, number, why, output]
