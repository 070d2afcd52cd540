"""Work divided among processes: this one and copies of it, each with a share of the tasks."""

from __future__ import annotations

import marshal
import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

__all__ = ["in_processes", "processors"]

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
    helpers: list[tuple[int, int]] = []
    try:
        for share in shares[1:]:
            # What no process could be had for is done by the caller.
            with suppress(OSError):
                helpers.append(_start(share, tasks, work))
        for place in shares[0]:
            results[place] = work(tasks[place])
        for _, reader in helpers:
            for place, result in _answers(reader):
                results[place] = result
    finally:
        for pid, reader in helpers:
            os.close(reader)
            _end(pid)
    return results


def _shares(sizes: Sequence[int], jobs: int) -> list[list[int]]:
    """The places of the tasks, divided so that the greatest share is small: the largest first."""
    shares: list[list[int]] = [[] for _ in range(max(1, min(jobs, len(sizes))))]
    loads = [0] * len(shares)
    for place in sorted(range(len(sizes)), key=lambda place: (-sizes[place], place)):
        least = loads.index(min(loads))
        shares[least].append(place)
        loads[least] += sizes[place]
    return shares


def _start(
    share: Sequence[int], tasks: Sequence[Task], work: Callable[[Task], Any]
) -> tuple[int, int]:
    """A copy of this process that does a share; its id, and where its answer can be read."""
    reader, writer = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()  # or the copy would have it to write, too
    with warnings.catch_warnings():
        # Threads of a library (numpy's) are idle here, and the copy does not need them.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            pid = os.fork()
        except OSError:
            os.close(reader)
            os.close(writer)
            raise
    if pid:
        os.close(writer)
        return pid, reader
    code = 1
    try:
        os.close(reader)
        answer = marshal.dumps([(place, work(tasks[place])) for place in share])
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(answer)
        code = 0
    finally:
        # Nothing of this process is to be tidied up twice, and nothing to be said twice.
        os._exit(code)


def _answers(reader: int) -> list[tuple[int, Any]]:
    pieces = []
    while piece := os.read(reader, 1 << 20):
        pieces.append(piece)
    try:
        answers: list[tuple[int, Any]] = marshal.loads(b"".join(pieces))  # noqa: S302 - our own
    except (EOFError, ValueError, TypeError):
        return []
    return answers


def _end(pid: int) -> None:
    # Where a parent ignores how its children end, they are gone before they are asked for.
    with suppress(ChildProcessError, ProcessLookupError):
        done, _ = os.waitpid(pid, os.WNOHANG)
        if not done:
            # It has answered, or nobody waits for its answer any more.
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
