"""Waiting for what another process does: a busy machine may take its time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["runs", "until"]


def until(done: Callable[[], object]) -> None:
    """Wait half a minute at most."""
    for _ in range(3000):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"
