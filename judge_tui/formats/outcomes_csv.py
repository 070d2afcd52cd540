"""Outcomes of experiments: which arm passed which task, by one check or by several. CSV with a
header, separated by commas, semicolons or tabs.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from judge_tui.errors import InputError, unknown
from judge_tui.formats.columns import Column, folded, places_of
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.source import open_source
from judge_tui.formats.tables import cells_of, unguarded

__all__ = [
    "ATTEMPTS",
    "CHECKED",
    "CHECKS",
    "ERROR",
    "OUTCOMES",
    "Outcomes",
    "read_outcomes",
]

OUTCOMES = ".outcomes.csv"
"""How the name of the outcomes of a live system's tasks ends."""

ATTEMPTS = ".attempts.jsonl"
"""What the name of its attempts has there (`collect.chat_tasks`)."""

CHECKS = ".checks.csv"
"""What the name of the file has there that says why each reply passed a check or not."""

CHECKED = ("task", "arm", "check", "passed", "why", "output")
"""The columns of that file."""

ERROR = "error"
"""In place of an outcome: the task was tried and failed, and counts as not passed."""

TASK = Column(("task",), ("task_id", "query_id", "id"))
ARM = Column(("arm", "system"), ("run", "tag", "variant"))

_MEANS = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "y", "pass", "passed", "ok"), True),
    **dict.fromkeys(("0", "0.0", "false", "no", "n", "fail", "failed"), False),
    ERROR: False,
    **dict.fromkeys(("", "na", "n/a", "nan", "null", "none", "not run", "skip", "skipped"), None),
}
_PASSED = "passed"
_EXAMPLE = "task,arm,passed"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """`tasks`, `arms` and `checks` in the order in which the file has them; `passed`: (check, arm)
    -> task -> whether it passed; a task that is not there has no outcome. `failed`: (check, arm) ->
    the tasks that count as not passed because they failed."""

    tasks: tuple[str, ...]
    arms: tuple[str, ...]
    checks: tuple[str, ...]
    passed: dict[tuple[str, str], dict[str, bool]] = field(default_factory=dict)
    failed: dict[tuple[str, str], set[str]] = field(default_factory=dict)


def read_outcomes(path: str | os.PathLike[str], *, checks: Sequence[str] = ()) -> Outcomes:
    """Read a table with the columns `task`, `arm` (or `system`) and one for each check, such as
    `passed`: 1 or 0, true or false, yes or no, pass or fail; `error` for a task that
    failed, and so did not pass; an empty cell, `NA`, `not run` and the like for no outcome.

    `checks`: the columns that are meant, by name. Where none is named and there is a column
    `passed`, that is the only one: beside it stand numbers of attempts and the like, each of
    which, were it a check, would widen the family of tests. Else every column is a check.

    Raises `InputError` at the first row that cannot be used: another number of cells, an outcome
    that is neither, a task that an arm has twice; and of the checks that `collect` wrote
    beside outcomes; `UsageError` for a check that there is not.
    """
    report = Reporter(path)
    with open_source(path) as source:
        first = next((line for line in source.head.split(b"\n") if line.strip()), b"")
        separator = max("\t;,", key=lambda one: first.count(one.encode()))
        rows = cells_of(source, separator, report)
        head_line, header = next(rows, (1, []))
        _refuse_checks(path, head_line, header)
        task, arm, columns = _columns(path, head_line, header)
        meant = _meant(columns, checks)
        passed: dict[tuple[str, str], dict[str, bool]] = {}
        seen: dict[tuple[str, str], int] = {}
        failed: dict[tuple[str, str], set[str]] = {}
        for line, cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                what = f"{len(cells)} cells, but the header has {len(header)}"
                report(line, what, "complete the row")
            which = (unguarded(cells[task].strip()), unguarded(cells[arm].strip()))
            if not all(which):
                noun = "arm" if which[0] else "task"
                report(line, f"the row has no {noun}", f"give each row a {noun}")
            before = seen.setdefault(which, line)
            if before != line:
                report(
                    line,
                    f"task {quoted(which[0])} of arm {quoted(which[1])} is in line {before}"
                    " already",
                    "give each task of an arm one row",
                )
            for name in meant:
                cell = cells[columns[name]]
                outcome = _outcome(cell, name, line, report, alone=len(meant) < len(columns))
                if outcome is not None:
                    passed.setdefault((name, which[1]), {})[which[0]] = outcome
                if _folded(cell) == ERROR:
                    failed.setdefault((name, which[1]), set()).add(which[0])
    if not seen:
        raise InputError(path, None, "there are no outcomes in it", f"write {_EXAMPLE} and rows")
    return Outcomes(
        tuple(dict.fromkeys(one for one, _ in seen)),
        tuple(dict.fromkeys(one for _, one in seen)),
        tuple(meant),
        passed,
        failed,
    )


def _refuse_checks(path: str | os.PathLike[str], line: int, header: Sequence[str]) -> None:
    """Raise `InputError` where the header is that of the checks beside outcomes: with one check
    they would pass for outcomes."""
    if tuple(header) == CHECKED:
        raise InputError(
            path,
            line,
            "collect wrote this beside outcomes: why each check passed or not",
            f"give the outcomes, NAME{OUTCOMES}",
        )


def _columns(
    path: str | os.PathLike[str], line: int, header: Sequence[str]
) -> tuple[int, int, dict[str, int]]:
    """The places of the task and the arm, and name -> place of whatever else there is."""
    names = [folded(name) for name in header]
    found = []
    for column in (TASK, ARM):
        places = places_of(column, names)
        if len(places) != 1:
            what = "no" if not places else "more than one"
            raise InputError(
                path, line, f"the header has {what} column {column}", f"write {_EXAMPLE}"
            )
        found.append(places[0])
    checks = [
        (unguarded(name.strip()), place)
        for place, name in enumerate(header)
        if place not in found and name.strip()
    ]
    if not checks:
        raise InputError(path, line, "the header has no column of outcomes", f"write {_EXAMPLE}")
    twice = [name for name, _ in checks if sum(name == other for other, _ in checks) > 1]
    if twice:
        raise InputError(path, line, f"two columns are called {quoted(twice[0])}", "rename one")
    return found[0], found[1], dict(checks)


def _meant(columns: Collection[str], named: Sequence[str]) -> list[str]:
    """Those of the columns that are checks, in their order."""
    for name in named:
        if name not in columns:
            raise unknown("column of outcomes", name, columns)
    if named:
        return [name for name in columns if name in named]
    return [name for name in columns if folded(name) == _PASSED] or [*columns]


def _outcome(cell: str, check: str, line: int, report: Reporter, *, alone: bool) -> bool | None:
    """`alone`: whether other columns are taken for no checks."""
    if _folded(cell) not in _MEANS:
        write = "write 1 or 0, error for a task that failed, or nothing where there is no outcome"
        report(
            line,
            f"{check} is {quoted(cell.strip())}, which is neither passed nor failed",
            write
            if alone
            else f"every column but task and arm is taken for a check: {write}; or name those that"
            " are checks with --check",
        )
    return _MEANS.get(_folded(cell))


def _folded(cell: str) -> str:
    return cell.strip().lower()
