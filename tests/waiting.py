"""Waiting for what another process does: a busy machine may take its time."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from pathlib import Path


def until(done: Callable[[], object]) -> None:
    """Wait half a minute at most."""
    for _ in range(3000):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def next_millisecond() -> None:
    """The ids of events count milliseconds: what comes in one copy of a campaign is now later than
    what came in any other."""
    begun = time.time_ns() // 1_000_000
    until(lambda: time.time_ns() // 1_000_000 > begun)


def born(pid):
    """A process that runs, as no other will be called: its id, which another has once it is over,
    and when it began; without the second where the system does not tell."""
    try:
        with open("/proc/" + str(pid) + "/stat") as stat:  # noqa: PTH123 - needs no import
            began = stat.read().rpartition(")")[2].split()[19]
    except OSError:
        began = ""
    return str(pid) + ":" + began


BORN = inspect.getsource(born)
"""The same for a program that imports nothing of ours; without braces, which `collect` fills in."""

BORN_IN_SHELL = 'echo "$pid:$(cut -d " " -f 22 "/proc/$pid/stat" 2>/dev/null)"'
"""And for a script: of `$pid`, which has no blank in its name."""


def runs(process: str) -> bool:
    """Whether a process, as `born` calls it, runs; one that has ended and is not waited for does
    not."""
    pid, _, began = process.strip().partition(":")
    assert began or not Path("/proc/self/stat").exists(), process
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == began and fields[0] not in "ZX"
