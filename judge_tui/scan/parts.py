"""Run files read in several processes: large ones in parts, several ones side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from judge_tui.errors import JudgeTuiError
from judge_tui.formats.whole_files import tag_by_name
from judge_tui.processes import end_if_abandoned, in_processes
from judge_tui.scan.blocks import split_points
from judge_tui.scan.scan import RunScan, ScannedRun, scan_part, scan_run, text_of_run
from judge_tui.scoring.judged_lists import JudgedLists

__all__ = ["RunFile", "scan_files"]

_ARRAYS = ("list", "rank", "grade", "retrieved", "query", "pooled_list", "pooled_rank")
"""Of `JudgedLists`: what a process that read them sends, as bytes."""

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


def scan_files(files: Sequence[RunFile], scan: RunScan, *, jobs: int) -> Mapping[int, ScannedRun]:
    """What the files hold, by their place, with up to `jobs` processes at work.

    A file is left out where that did not go well: whoever reads it by itself, with `scan_run`, is
    told why.
    """
    total = sum(file.size for file in files) or 1
    tasks: list[_Task] = []
    for place, file in enumerate(files):
        tasks += _tasks(place, file, min(jobs, -(-file.size * jobs // total)))
    if len(tasks) < 2:
        return {}

    on_read = scan.on_read

    def read_on(count: int) -> None:
        end_if_abandoned()
        if on_read is not None:
            on_read(count)

    scan.on_read = read_on
    _ = scan.index  # made once, and not by every process

    def work(task: _Task) -> tuple[Any, ...] | None:
        tag, path, _ = files[task.place]
        try:
            if task.span is None:
                found: ScannedRun | None = scan_run(path, scan, tag=tag)
            else:
                found = scan_part(path, task.span, scan, tag=tag)
        except JudgeTuiError:
            return None
        if found is None:
            return None
        arrays = [getattr(found.lists, name).tobytes() for name in _ARRAYS]
        return found.tag, arrays, found.others, found.asked

    parts: dict[int, list[ScannedRun | None]] = {}
    results = in_processes(tasks, [task.size for task in tasks], work, jobs)
    for task, result in zip(tasks, results, strict=True):
        found = None
        if result is not None:
            tag, columns, others, asked = result
            arrays = {
                name: np.frombuffer(column, dtype=np.int64)
                for name, column in zip(_ARRAYS, columns, strict=True)
            }
            found = ScannedRun(tag, JudgedLists(**arrays, known=scan.known), others, asked)
        parts.setdefault(task.place, []).append(found)
    joined = {place: _joined(files[place], found, scan) for place, found in parts.items()}
    return {place: run for place, run in joined.items() if run is not None}


def _tasks(place: int, file: RunFile, parts: int) -> list[_Task]:
    parts = min(parts, file.size // _PART_FROM)
    start = text_of_run(file.path) if parts > 1 else None
    if start is None:
        return [_Task(place, None, file.size)]
    points = split_points(file.path, start, parts)
    return [_Task(place, (begin, end), end - begin) for begin, end in pairwise(points)]


def _joined(file: RunFile, found: Sequence[ScannedRun | None], scan: RunScan) -> ScannedRun | None:
    """The parts of one run put together; None where one is missing or they do not go together."""
    parts = [part for part in found if part is not None]
    if len(parts) < len(found):
        return None
    lists = JudgedLists.joined([part.lists for part in parts], scan.known)
    others = {query_id for part in parts for query_id in part.others}
    # A query in two parts has to be read as one.
    if len({*lists.query.tolist()}) < len(lists):
        return None
    if len(others) < sum(len(part.others) for part in parts):
        return None
    # So have lines of two tags, and lines without one among others.
    tags = {part.tag for part in parts}
    if len(tags) > 1 and (file.tag is None or "" in tags):
        return None
    tag = file.tag or parts[0].tag or tag_by_name(file.path)
    return ScannedRun(tag, lists, tuple(others), parts[0].asked)
