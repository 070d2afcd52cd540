"""Run files read in several processes: large ones in parts, several ones side by side."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from judge_tui.errors import JudgeTuiError
from judge_tui.formats.blocks import split_points
from judge_tui.formats.read import tag_by_name
from judge_tui.processes import end_if_abandoned, in_processes
from judge_tui.scan.scan import Reading, SeenRun, see_part, see_run, text_of_run

__all__ = ["RunFile", "read_in_shares"]

Value = TypeVar("Value")

_PART_FROM = 8_000_000
"""In bytes: no part of a file is smaller."""


class RunFile(NamedTuple):
    """A regular file of a run: the tag it is given, if any, its path and its bytes."""

    tag: str | None
    path: str
    size: int


class _Task(NamedTuple):
    """One file, or the part of it between two offsets; `place` is that of the file."""

    place: int
    span: tuple[int, int] | None
    size: int


def read_in_shares(
    files: Sequence[RunFile], reading: Reading[Value], *, jobs: int
) -> Mapping[int, SeenRun[Value]]:
    """What is seen in the files, by their place, with up to `jobs` processes at work.

    What `reading` makes of a query must be of plain values (`processes.in_processes`). A file is
    left out where that did not go well: whoever reads it by itself, with `see_run`, is told why.
    """
    total = sum(file.size for file in files)
    tasks: list[_Task] = []
    for place, file in enumerate(files):
        tasks += _tasks(place, file, min(jobs, -(-file.size * jobs // total)))
    if len(tasks) < 2:
        return {}

    told = reading.told

    def read_on(count: int) -> None:
        end_if_abandoned()
        if told is not None:
            told(count)

    reading.told = read_on

    def work(task: _Task) -> tuple[Any, ...] | None:
        tag, path, _ = files[task.place]
        try:
            if task.span is None:
                found: SeenRun[Value] | None = see_run(path, reading, tag=tag)
            else:
                found = see_part(path, task.span, reading, tag=tag)
        except JudgeTuiError:
            return None
        if found is None:
            return None
        return found.tag, found.values, found.others, found.asked

    parts: dict[int, list[SeenRun[Value] | None]] = {}
    results = in_processes(tasks, [task.size for task in tasks], work, jobs)
    for task, result in zip(tasks, results, strict=True):
        parts.setdefault(task.place, []).append(None if result is None else SeenRun(*result))
    joined = {place: _joined(files[place], found) for place, found in parts.items()}
    return {place: seen for place, seen in joined.items() if seen is not None}


def _tasks(place: int, file: RunFile, parts: int) -> list[_Task]:
    parts = min(parts, file.size // _PART_FROM)
    start = text_of_run(file.path) if parts > 1 else None
    if start is None:
        return [_Task(place, None, file.size)]
    points = split_points(file.path, start, parts)
    return [_Task(place, (begin, end), end - begin) for begin, end in pairwise(points)]


def _joined(file: RunFile, parts: Sequence[SeenRun[Any] | None]) -> SeenRun[Any] | None:
    """The parts of one run put together; None where one is missing or they do not go together."""
    tags: set[str | None] = set()
    values: dict[str, Any] = {}
    others: set[str] = set()
    asked: set[str] = set()
    queries = 0
    for part in parts:
        if part is None:
            return None
        tags.add(part.tag)
        values.update(part.values)
        others.update(part.others)
        asked.update(part.asked)
        queries += len(part.values) + len(part.others)
    # A query in two parts has to be read as one.
    if len(values) + len(others) != queries:
        return None
    # So have lines of two tags, and lines without one among others.
    if len(tags) > 1 and (file.tag is None or None in tags):
        return None
    tag = file.tag or next(iter(tags), None) or tag_by_name(os.fspath(file.path))
    return SeenRun(tag, values, sorted(others), frozenset(asked))
