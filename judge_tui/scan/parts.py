"""Run files read in several processes: large ones in parts, several ones side by side."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

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
    """A regular file of a run: the tag it is given, if any, its path and its size in bytes."""

    tag: str | None
    path: str
    size: int


class _Task(NamedTuple):
    """A file, by its index among them, or the part of it between two offsets (`span`)."""

    file: int
    span: tuple[int, int] | None
    size: int


def scan_files(
    files: Sequence[RunFile],
    lookup: GradeLookup,
    *,
    jobs: int,
    on_read: OnRead | None = None,
) -> Mapping[int, ScannedRun]:
    """Scan files in up to `jobs` processes; returns the runs by the index of their file.

    A file that cannot be read in this way is left out: `scan_run` reads it, or says what is wrong.
    `on_read` is that of `scan_run`: shares are alike, so what this process reads of its own is
    counted once for each.
    """
    total = sum(file.size for file in files) or 1
    tasks: list[_Task] = []
    for at, file in enumerate(files):
        tasks += _tasks(at, file, min(jobs, -(-file.size * jobs // total)))
    if len(tasks) < 2:
        return {}

    first, left = os.getpid(), total

    def read_on(count: int) -> None:
        nonlocal left
        end_if_abandoned()
        if on_read is not None and os.getpid() == first:
            count = min(left, count * min(jobs, len(tasks)))
            left -= count
            on_read(count)

    _ = lookup.index  # made once, and not by every process

    def work(task: _Task) -> bytes | None:
        tag, path, _ = files[task.file]
        try:
            if task.span is None:
                found: ScannedRun | None = scan_run(path, lookup, tag=tag, on_read=read_on)
            else:
                found = scan_part(path, task.span, lookup, tag=tag, on_read=read_on)
        except JudgeTuiError:
            return None
        if found is None:
            return None
        # What the lists know of the queries is here already.
        return pickle.dumps(found._replace(lists=replace(found.lists, queries=_NOTHING_KNOWN)))

    parts: dict[int, list[ScannedRun | None]] = {}
    results = in_processes(tasks, [task.size for task in tasks], work, jobs)
    for task, result in zip(tasks, results, strict=True):
        run = None
        if result is not None:
            sent: ScannedRun = pickle.loads(result)  # noqa: S301 - our own
            run = sent._replace(lists=replace(sent.lists, queries=lookup.queries))
        parts.setdefault(task.file, []).append(run)
    joined = {at: _joined(files[at], found, lookup) for at, found in parts.items()}
    return {at: run for at, run in joined.items() if run is not None}


def _tasks(at: int, file: RunFile, parts: int) -> list[_Task]:
    parts = min(parts, file.size // _PART_FROM)
    start = text_of_run(file.path) if parts > 1 else None
    if start is None:
        return [_Task(at, None, file.size)]
    points = split_points(file.path, start, parts)
    return [_Task(at, (begin, end), end - begin) for begin, end in pairwise(points)]


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
