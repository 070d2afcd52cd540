"""Our program as processes of their own that start at once.

`start` has a helper copy itself (`tests/forked.py`): a copy has its own streams, terminal, folder,
environment, signals and end, but not the half second that Python takes to import Textual.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO

PROGRAM = str(Path(sys.executable).with_name("judge-tui"))


@dataclass
class Process:
    """A copy that runs: its id, and its exit code, negative where a signal ended it."""

    pid: int
    ending: int
    """Becomes readable when the process has ended."""
    code: int | None = None

    def poll(self, seconds: float = 0.0) -> int | None:
        """Its exit code, where it has ended or does so within that time."""
        if self.code is None and select.select([self.ending], [], [], seconds)[0]:
            self.code = struct.unpack("i", os.read(self.ending, 4))[0]
            os.close(self.ending)
        return self.code

    def send_signal(self, number: int) -> None:
        """Nothing where it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        self.send_signal(signal.SIGKILL)
        self.wait()

    def wait(self, seconds: float | None = None) -> int:
        """Wait for the end; raises `TimeoutError` where it does not come within that time."""
        end = None if seconds is None else time.monotonic() + seconds
        while (
            code := self.poll(3600.0 if end is None else max(0.0, end - time.monotonic()))
        ) is None:
            if end is not None and time.monotonic() >= end:
                raise TimeoutError
        return code


def start(
    argv: Sequence[str | Path],
    streams: Sequence[int],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    terminal: bool = False,
    copied: bool = True,
) -> Process:
    """PROGRAM, or another that is then no copy, on three open descriptors; with `terminal`, the
    first of them is the terminal of its session. `copied` off starts PROGRAM as users do."""
    ending, told = os.pipe()
    order = {
        "argv": list(map(os.fsdecode, argv)),
        "copied": copied and argv[0] == PROGRAM,
        "cwd": str(cwd or Path.cwd()),
        "env": dict(os.environ if env is None else env),
        "terminal": terminal,
    }
    helper = _helper(os.getpid())
    # In a file: a message of any length would not go through the socket in one piece.
    with tempfile.TemporaryFile() as file:
        file.write(json.dumps(order).encode())
        file.flush()
        socket.send_fds(helper, [b"."], [*streams, told, file.fileno()])
    os.close(told)
    (pid,) = struct.unpack("i", helper.recv(4))
    return Process(pid, ending)


def run(
    *arguments: str | Path,
    given: bytes | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run it to its end, without a terminal: its code and all that it wrote."""
    return begin(*arguments, given=given, cwd=cwd, env=env).ended(None)


@dataclass
class Running:
    """A copy without a terminal, and the files that it writes to."""

    process: Process
    out: IO[bytes]
    err: IO[bytes]

    def ended(self, seconds: float | None = 60.0) -> subprocess.CompletedProcess[bytes]:
        """Its code and all that it wrote, once it is over; raises `TimeoutError`."""
        code = self.process.wait(seconds)
        written = []
        for file in (self.out, self.err):
            with file:
                file.seek(0)
                written.append(file.read())
        return subprocess.CompletedProcess((), code, *written)


def begin(
    *arguments: str | Path,
    given: bytes | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Running:
    """Start it without a terminal."""
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
    with tempfile.TemporaryFile() as source:
        source.write(given or b"")
        source.seek(0)
        streams = (source.fileno(), out.fileno(), err.fileno())
        return Running(start([PROGRAM, *arguments], streams, cwd=cwd, env=env), out, err)


def shown_on_a_terminal(
    *arguments: str | Path,
    shown: Collection[int] = (1, 2),
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """What it writes to standard output and error, or one of them, where that is a terminal; its
    exit code is 0."""
    terminal, end = pty.openpty()
    with Path(os.devnull).open("r+b") as nothing:
        streams = [end if stream in shown else nothing.fileno() for stream in range(3)]
        process = start([PROGRAM, *arguments], streams, cwd=cwd, env=env)
    os.close(end)
    written = b""
    # The other end is closed: on Linux what is left is read, and then there is an error.
    with suppress(OSError):
        while piece := os.read(terminal, 65536):
            written += piece
    os.close(terminal)
    assert process.wait(60) == 0, written
    return written.decode()


def lines_of_progress(written: str) -> list[str]:
    """The lines that were shown one in place of the other; the last was wiped."""
    assert "\x1b[K" in written
    shown = re.split(r"\r|\n|\x1b\[[0-9?;]*[A-Za-z]", written)
    return list(dict.fromkeys(filter(None, shown)))


@cache
def _helper(_of: int) -> socket.socket:
    """The socket of the helper of this process; it ends when the socket does."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # No child of this process, whose children a test may count: the one in between ends at once.
    code = (
        "import os, sys\n"
        "if os.fork(): os._exit(0)\n"
        f"from tests.forked import serve; serve({its.fileno()})"
    )
    root = str(Path(__file__).parents[1])
    subprocess.run(
        [sys.executable, "-c", code],
        pass_fds=[its.fileno()],
        cwd=root,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    its.close()
    return ours
