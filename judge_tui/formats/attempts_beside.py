"""The attempts that outcomes are from, by the file beside those that `collect` wrote."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.asked_beside import HEAD, WRITTEN
from judge_tui.formats.problems import quoted
from judge_tui.formats.source import open_source

__all__ = [
    "ATTEMPTS",
    "CHECKED",
    "CHECKS",
    "OUTCOMES",
    "AttemptsBeside",
    "attempts_beside",
    "refuse_checks",
]

OUTCOMES = ".outcomes.csv"
"""How the name of the outcomes of a live system's tasks ends."""

ATTEMPTS = ".attempts.jsonl"
"""What the name of its attempts has there (`collect.tasks.attempt`)."""

CHECKS = ".checks.csv"
"""What the name of the file has there that says why each reply passed a check or not."""

CHECKED = ("task", "arm", "check", "passed", "why", "output")
"""The columns of that file."""


@dataclass(frozen=True, slots=True)
class AttemptsBeside:
    """`passed`: (task, arm) -> whether the last attempt passes, by check; empty where it failed.
    `since`: those that were made or checked since outcomes were written, as far as that is known.
    """

    path: Path
    passed: Mapping[tuple[str, str], Mapping[str, bool]]
    since: Collection[tuple[str, str]] = ()

    @property
    def checks(self) -> frozenset[str]:
        """All that ever were."""
        return frozenset(check for its in self.passed.values() for check in its)

    def refuse_others(
        self,
        outcomes: str | os.PathLike[str],
        rows: Iterable[tuple[str, str]],
        passed: Mapping[tuple[str, str], Mapping[str, bool]],
    ) -> None:
        """Raise `InputError` where the outcomes are not those of these attempts: work that ended
        early adds to the attempts, and leaves the outcomes as they were. `rows`: the (task, arm) of
        each; `passed`: (check, arm) -> task -> whether it passed."""
        if differs := self._why_of_others(rows, passed):
            raise InputError(
                outcomes,
                None,
                f"{differs} in {self.path}: the outcomes were not written since that changed",
                "give the collect command again; outcomes of something else need another name",
            )

    def _why_of_others(
        self,
        rows: Iterable[tuple[str, str]],
        passed: Mapping[tuple[str, str], Mapping[str, bool]],
    ) -> str:
        """The first task that has another outcome there, in words; "" where there is none."""
        # Cells of a table are read without the white space around them.
        held = {(task.strip(), arm.strip()): its for (task, arm), its in self.passed.items()}
        for task, arm in rows:
            its_task = f"task {quoted(task)} of arm {quoted(arm)}"
            if (task, arm) not in held:
                return f"{its_task} is not"
            for check, passes in held[task, arm].items():
                outcomes = passed.get((check, arm))
                if outcomes is not None and outcomes.get(task) != passes:
                    return f"{its_task} has another outcome of {check}"
        for task, arm in self.since:
            return f"task {quoted(task)} of arm {quoted(arm)} has been tried or checked since"
        return ""


def attempts_beside(outcomes: str | os.PathLike[str]) -> AttemptsBeside | None:
    """What the file of attempts beside NAME.outcomes.csv says; None where there is none of
    collect's."""
    path = Path(outcomes)
    beside = path.with_name(f"{path.name.removesuffix(OUTCOMES)}{ATTEMPTS}")
    if not path.name.endswith(OUTCOMES) or not beside.is_file():
        return None
    passed: dict[tuple[str, str], dict[str, bool]] = {}
    since: dict[tuple[str, str], None] | None = None  # nobody knows it of older files
    is_collects = False
    try:
        with open_source(beside) as source:
            for _number, raw in source.lines():
                line = json.loads(raw)
                is_collects = is_collects or HEAD in line
                if not is_collects:
                    return None
                if HEAD in line:
                    since = {} if WRITTEN in line else since
                    continue
                checks = {} if line["failure"] else line["checks"]
                its = {str(name): bool(one["passed"]) for name, one in checks.items()}
                key = str(line["task"]), str(line["arm"])
                passed[key] = its
                if since is not None:
                    since[key] = None
    except (InputError, ValueError, TypeError, KeyError, AttributeError):
        # What a crash cut short is the last line; of a file of another sort nothing has come.
        pass
    return AttemptsBeside(beside, passed, since or ()) if is_collects else None


def refuse_checks(path: str | os.PathLike[str], line: int, header: Sequence[str]) -> None:
    """Raise `InputError` where the header is that of the checks beside outcomes: with one check
    they would pass for outcomes, with more for a task that an arm has twice."""
    if tuple(header) != CHECKED:
        return
    path = Path(path)
    name = path.name.removesuffix(CHECKS) if path.name.endswith(CHECKS) else "*"
    raise InputError(
        path,
        line,
        "collect wrote this beside outcomes: why each check passed or not",
        f"give the outcomes, {path.with_name(name + OUTCOMES)}",
    )
