"""Work divided among processes: this one and copies of it, each with a share of the tasks."""

from __future__ import annotations

import marshal
import os
import signal
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

Task = TypeVar("Task")


def processors() -> int:
    """How many processes can work at once; 1 where a process cannot be copied."""
    if not hasattr(os, "fork"):
        return 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    tasks: Sequence[Task], sizes: Sequence[int], work: Callable[[Task], Any], jobs: int
) -> list[Any]:
    """`work` done on every task, in up to `jobs` processes; the results in the order of the tasks.

    `sizes` says how much work each task is. What `work` gives must be made of plain values
    (`marshal`). A result is None where its process came to grief: the caller does it again, and
    meets the reason in its own process.
    """
    shares = _shares(sizes, jobs if hasattr(os, "fork") else 1)
    results: list[Any] = [None] * len(tasks)
    helpers: list[_Helper] = []
    try:
        for share in shares[1:]:
            # What no process could be had for is done by the caller.
            with suppress(OSError):
                helpers.append(_start(share, tasks, work))
        for place in shares[0]:
            results[place] = work(tasks[place])
        for helper in helpers:
            for place, result in _answers(helper):
                results[place] = result
    finally:
        _end(helpers)
    return results


def end_if_abandoned() -> None:
    """In a copy of a process, for work that is long: end it if the first one is gone."""
    if _parent is not None and os.getppid() != _parent:
        os._exit(1)


_parent: int | None = None
"""In a copy, the process it was copied from."""


class _Helper:
    """A copy of this process: its id, where its answer can be read, and whether it has come."""

    def __init__(self, pid: int, reader: int) -> None:
        self.pid, self.reader, self.answered = pid, reader, False


def _shares(sizes: Sequence[int], jobs: int) -> list[list[int]]:
    """The places of the tasks, divided so that the greatest share is small: the largest first."""
    shares: list[list[int]] = [[] for _ in range(max(1, min(jobs, len(sizes))))]
    loads = [0] * len(shares)
    for place in sorted(range(len(sizes)), key=lambda place: (-sizes[place], place)):
        least = loads.index(min(loads))
        shares[least].append(place)
        loads[least] += sizes[place]
    return shares


def _start(share: Sequence[int], tasks: Sequence[Task], work: Callable[[Task], Any]) -> _Helper:
    """A copy of this process that does a share."""
    global _parent  # noqa: PLW0603 - true of the whole copy
    parent = os.getpid()
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # From 3.12 on Python warns that other threads do not come along. The copy needs none: it
        # computes, writes to its pipe and ends.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            pid = os.fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
    if pid:
        os.close(writer)
        return _Helper(pid, reader)
    code = 1
    try:
        _parent = parent
        os.close(reader)
        answer = marshal.dumps([(place, work(tasks[place])) for place in share])
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(answer)
        code = 0
    finally:
        # Nothing of this process is to be tidied up twice, and nothing to be said twice.
        os._exit(code)


def _answers(helper: _Helper) -> list[tuple[int, Any]]:
    pieces = []
    while piece := os.read(helper.reader, 1 << 20):
        pieces.append(piece)
    helper.answered = True
    try:
        answers: list[tuple[int, Any]] = marshal.loads(b"".join(pieces))  # noqa: S302 - our own
    except EOFError:
        return []
    return answers


def _end(helpers: Sequence[_Helper]) -> None:
    """Leave none of them behind."""
    for helper in helpers:
        if not helper.answered:
            # It has nothing to tidy up, and nobody waits for its answer any more.
            with suppress(ProcessLookupError):
                os.kill(helper.pid, signal.SIGKILL)
    for helper in helpers:
        os.close(helper.reader)
        # Where a parent ignores how its children end, they are gone before they are asked for.
        with suppress(ChildProcessError):
            os.waitpid(helper.pid, 0)
