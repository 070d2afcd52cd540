"""Run files read by several processes, here or elsewhere: large ones in parts, several ones side by
side."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from judge_tui.errors import JudgeTuiError
from judge_tui.formats.whole_files import tag_by_name
from judge_tui.processes import end_if_abandoned, in_processes
from judge_tui.scan.blocks import split_points
from judge_tui.scan.scan import (
    GradeLookup,
    OnRead,
    ScannedRun,
    scan_part,
    scan_run,
    text_of_run,
)
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries

_NOTHING_KNOWN = JudgedQueries.of({})

_PART_FROM = 8_000_000
"""The size of the smallest part of a file, in bytes."""


class RunFile(NamedTuple):
    """A file of a run: the tag it is given, if any, its path and its size in bytes."""

    tag: str | None
    path: str
    size: int


class ScanTask(NamedTuple):
    """A file, or the part of it between two offsets (`span`), of `size` bytes; `at`: the index of
    the file among all."""

    at: int
    file: RunFile
    span: tuple[int, int] | None
    size: int


DoTasks: TypeAlias = Callable[[Sequence[ScanTask]], Sequence[bytes | None]]
"""Does `scan_task` somewhere, and returns what it gave, None where that came to grief."""


def scan_files(
    files: Sequence[RunFile], lookup: GradeLookup, parts: int, do: DoTasks
) -> Mapping[int, ScannedRun]:
    """Scan files cut into about so many `parts` of one size; returns the runs by the index of their
    file.

    A file that cannot be read in this way is left out: `scan_run` reads it, or says what is wrong.
    """
    total = sum(file.size for file in files) or 1
    tasks: list[ScanTask] = []
    for at, file in enumerate(files):
        tasks += _tasks(at, file, min(parts, -(-file.size * parts // total)))
    if len(tasks) < 2:
        return {}
    found: dict[int, list[ScannedRun | None]] = {}
    for task, result in zip(tasks, do(tasks), strict=True):
        run = None
        if result is not None:
            sent: ScannedRun = pickle.loads(result)  # noqa: S301 - our own
            run = sent._replace(lists=replace(sent.lists, queries=lookup.queries))
        found.setdefault(task.at, []).append(run)
    joined = {at: _joined(files[at], its, lookup) for at, its in found.items()}
    return {at: run for at, run in joined.items() if run is not None}


def scan_task(task: ScanTask, lookup: GradeLookup, on_read: OnRead) -> bytes | None:
    """Scan a file or a part of it; returns what stays of it, pickled, None where it cannot be
    read."""
    tag, path, _ = task.file
    try:
        if task.span is None:
            found: ScannedRun | None = scan_run(path, lookup, tag=tag, on_read=on_read)
        else:
            found = scan_part(path, task.span, lookup, tag=tag, on_read=on_read)
    except JudgeTuiError:
        return None
    if found is None:
        return None
    # What the lists know of the queries is where they are sent to.
    return pickle.dumps(found._replace(lists=replace(found.lists, queries=_NOTHING_KNOWN)))


def scan_in_processes(
    tasks: Sequence[ScanTask], lookup: GradeLookup, *, jobs: int, on_read: OnRead | None
) -> Sequence[bytes | None]:
    """Do tasks in up to `jobs` processes.

    `on_read` is that of `scan_run`: shares are alike, so what this process reads of its own is
    counted once for each.
    """
    first, left = os.getpid(), sum(task.size for task in tasks)

    def read_on(count: int) -> None:
        nonlocal left
        end_if_abandoned()
        if on_read is not None and os.getpid() == first:
            count = min(left, count * min(jobs, len(tasks)))
            left -= count
            on_read(count)

    _ = lookup.index  # made once, and not by every process
    sizes = [task.size for task in tasks]
    return in_processes(tasks, sizes, lambda task: scan_task(task, lookup, read_on), jobs)


def _tasks(at: int, file: RunFile, parts: int) -> list[ScanTask]:
    parts = min(parts, file.size // _PART_FROM)
    start = text_of_run(file.path) if parts > 1 else None
    if start is None:
        return [ScanTask(at, file, None, file.size)]
    points = split_points(file.path, start, parts)
    return [ScanTask(at, file, (begin, end), end - begin) for begin, end in pairwise(points)]


def _joined(
    file: RunFile, found: Sequence[ScannedRun | None], lookup: GradeLookup
) -> ScannedRun | None:
    """Put the parts of one run together; None where one is missing or they do not fit."""
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    lists = JudgedLists.joined([part.lists for part in parts], lookup.queries)
    others = {query_id for part in parts for query_id in part.ungraded_queries}
    # A query in two parts has to be read as one.
    if len({*lists.query.tolist()}) < len(lists):
        return None
    if len(others) < sum(len(part.ungraded_queries) for part in parts):
        return None
    # Lines of two tags, or lines without one among others: the exact reader says what is wrong.
    tags = {part.tag for part in parts}
    if len(tags) > 1 and (file.tag is None or "" in tags):
        return None
    tag = file.tag or parts[0].tag or tag_by_name(file.path)
    return ScannedRun(tag, lists, tuple(others), parts[0].asked)
