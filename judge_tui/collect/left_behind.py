"""What programs leave behind in sessions of their own, which do not end with them."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

__all__ = ["end_all_of"]

_ROUNDS = 100
"""What starts others faster than they can be looked for is not ended by looking once."""


def end_all_of(mark: str) -> None:
    """End the processes that have the mark in their environment, or work in the folder of that
    name, also those that made themselves daemons; where there is a /proc to find them."""
    for _ in range(_ROUNDS):
        found = [pid for pid in _processes() if _is_of(pid, os.fsencode(mark))]
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - names alone, and hundreds of them
    except OSError:
        return []
    return [int(name) for name in names if name.isdigit() and int(name) != os.getpid()]


def _is_of(pid: int, mark: bytes) -> bool:
    process = Path("/proc") / str(pid)
    with contextlib.suppress(OSError):
        if mark in (process / "environ").read_bytes():
            return not _is_over(process)
        where = os.fsencode(os.readlink(process / "cwd"))  # noqa: PTH115 - bytes, as they are
        return where == mark or where.startswith(mark + b"/")
    return False


def _is_over(process: Path) -> bool:
    """Whether it is dead already, and only waited for."""
    return (process / "stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
