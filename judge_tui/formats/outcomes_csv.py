"""Outcomes of experiments: which arm passed which task, by one check or by several. CSV with a
header, separated by commas, semicolons or tabs.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from judge_tui.errors import InputError, check_known
from judge_tui.formats.columns import ColumnNames, folded
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.source import open_source
from judge_tui.formats.tables import TextTable, open_table, unguarded
from judge_tui.model import Outcomes

OUTCOMES = ".outcomes.csv"
"""How the name of the outcomes of a live system's tasks ends."""

ATTEMPTS = ".attempts.jsonl"
"""What the name of its attempts has there (`collect.chat_tasks`)."""

ERROR = "error"
"""In place of an outcome: the task was tried and failed, and counts as not passed."""

TASK = ColumnNames(("task",), ("task_id", "query_id", "id"))
ARM = ColumnNames(("arm", "system"), ("run", "tag", "variant"))

_MEANS = {
    **dict.fromkeys(("1", "1.0", "true", "yes", "y", "pass", "passed", "ok"), True),
    **dict.fromkeys(("0", "0.0", "false", "no", "n", "fail", "failed"), False),
    ERROR: False,
    **dict.fromkeys(("", "na", "n/a", "nan", "null", "none", "not run", "skip", "skipped"), None),
}
_PASSED = "passed"
_EXAMPLE = "task,arm,passed"
_OUTCOMES = "write 1, 0, error or nothing; or name the columns that are checks with --check"


def read_outcomes(path: str | os.PathLike[str], *, checks: Sequence[str] = ()) -> Outcomes:
    """Read a table with the columns `task`, `arm` (or `system`) and one for each check, such as
    `passed`: 1 or 0, true or false, yes or no, pass or fail; `error` for a task that
    failed, and so did not pass; an empty cell, `NA`, `not run` and the like for no outcome.

    `checks`: the columns that are meant, by name. Where none is named and there is a column
    `passed`, that is the only one: beside it stand numbers of attempts and the like, each of
    which, were it a check, would widen the family of tests. Else every column is a check.

    Raises `InputError` at the first row that cannot be used: another number of cells, an outcome
    that is neither, a task that an arm has twice; `UsageError` for a check that there is not.
    """
    report = Reporter(path)
    with open_source(path) as source:
        table = open_table(source, report)
        if table is None:
            raise _nothing_in(path)
        task, arm = table.index_of(TASK), table.index_of(ARM)
        columns = _columns(table, (task, arm))
        meant = _meant(columns, checks)
        passed: dict[tuple[str, str], dict[str, bool]] = {}
        failed: dict[tuple[str, str], set[str]] = {}
        seen: dict[tuple[str, str], int] = {}
        for line, cells in table.rows():
            its_task, its_arm = (unguarded(cells[at].strip()) for at in (task, arm))
            if not (its_task and its_arm):
                noun = "arm" if its_task else "task"
                report(line, f"the row has no {noun}", f"give each row a {noun}")
            before = seen.setdefault((its_task, its_arm), line)
            if before != line:
                what = (
                    f"task {quoted(its_task)} of arm {quoted(its_arm)} is already on line {before}"
                )
                report(line, what, "give each task of an arm one row")
            for name in meant:
                cell = cells[columns[name]].strip()
                outcome = _outcome(cell, name, line, report)
                if outcome is not None:
                    passed.setdefault((name, its_arm), {})[its_task] = outcome
                if cell.lower() == ERROR:
                    failed.setdefault((name, its_arm), set()).add(its_task)
    if not seen:
        raise _nothing_in(path)
    tasks, arms = (tuple(dict.fromkeys(names)) for names in zip(*seen, strict=True))
    return Outcomes(tasks, arms, tuple(meant), passed, failed)


def _nothing_in(path: str | os.PathLike[str]) -> InputError:
    return InputError(path, None, "there are no outcomes in it", f"write {_EXAMPLE} and rows")


def _columns(table: TextTable, others: Collection[int]) -> dict[str, int]:
    """Name -> place of whatever is in a table but the task and the arm."""
    columns: dict[str, int] = {}
    for at, name in enumerate(map(unguarded, table.written)):
        if at in others or not name:
            continue
        if name in columns:
            raise table.refusal(f"two columns are called {quoted(name)}", "rename one")
        columns[name] = at
    if not columns:
        raise table.refusal("the header has no column of outcomes", f"write {_EXAMPLE}")
    return columns


def _meant(columns: Collection[str], named: Sequence[str]) -> list[str]:
    """Return the columns that are checks, in their order."""
    for name in named:
        check_known("column of outcomes", name, columns)
    if named:
        return [name for name in columns if name in named]
    return [name for name in columns if folded(name) == _PASSED] or [*columns]


def _outcome(cell: str, check: str, line: int, report: Reporter) -> bool | None:
    if cell.lower() not in _MEANS:
        what = f"{check} is {quoted(cell)}, which is neither passed nor failed"
        report(line, what, _OUTCOMES)
    return _MEANS.get(cell.lower())
