"""The helper of `tests/programs.py`: it has imported our program, and copies itself on demand.

An order is a message through a socket, with five descriptors: the three streams of the copy, a pipe
that is told its exit code, and a file of JSON that says what to run, where and how. The answer is
the id of the copy. Three processes work on it:

    helper --fork--> minder --fork--> copy

The copy runs the program, in a session of its own. The minder waits for it to end, and tells the
pipe how it did; the helper waits for nobody, and takes the next order.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import io
import json
import os
import signal
import socket
import struct
import sys
import termios
from contextlib import suppress
from typing import NoReturn, TextIO

from judge_tui.cli import NAMES

_IMPORTED = (
    *(f"judge_tui.cli.{name}" for name in NAMES if name not in ("judge", "settle")),
    "judge_tui.cli.app",
    "judge_tui.campaign.store.merge",
    "judge_tui.campaign.store.schema",
    "judge_tui.report.agreement",
    "judge_tui.tui.screens.home",
    "judge_tui.tui.screens.judge",
    "judge_tui.tui.screens.results.screen",
    "judge_tui.tui.screens.settle",
)


class _Copied(BaseException):
    """This process is a copy: it leaves the helper's loop, and has this argv."""


def serve(number: int) -> None:
    """What the helper does until the socket `number` is closed; a copy leaves it as the program."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # no thread of a pool would be there in a copy
    for name in _IMPORTED:
        importlib.import_module(name)
    gc.freeze()
    try:
        _copy_on_demand(socket.socket(fileno=number))
    except _Copied as copied:
        sys.argv = copied.args[0]
    else:
        return
    for at, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _opened(at, getattr(sys, name))
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.exit(importlib.import_module("judge_tui.cli").main())


def _copy_on_demand(orders: socket.socket) -> None:
    """The helper's loop; raises `_Copied` in each copy."""
    # Nobody waits for minders.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        word, descriptors, _, _ = socket.recv_fds(orders, 1, 5)
        if not word:
            return
        born, telling = os.pipe()
        if os.fork() == 0:
            os.close(born)
            _mind(orders, descriptors, telling)
        os.close(telling)
        pid = os.read(born, 4)
        os.close(born)
        for one in descriptors:
            os.close(one)
        orders.send(pid)


def _mind(orders: socket.socket, descriptors: list[int], telling: int) -> None:
    """The minder: it starts the copy, tells the helper its id, and then of its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    orders.close()
    *streams, ending, file = descriptors
    pid = os.fork()
    if pid == 0:
        os.close(telling)
        os.close(ending)
        _take(streams, file)
    for one in (*streams, file):
        os.close(one)
    os.write(telling, struct.pack("i", pid))
    os.close(telling)
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        os.write(ending, struct.pack("i", os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _take(streams: list[int], file: int) -> NoReturn:
    """In the copy: its streams, its terminal, its folder and its environment."""
    with open(file, "rb") as source:
        source.seek(0)
        order = json.load(source)
    os.setsid()
    for at, stream in enumerate(streams):
        # None of them is one of the first three: the helper has those.
        os.dup2(stream, at)
    for stream in streams:
        with suppress(OSError):
            os.close(stream)
    if order["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(order["cwd"])
    if not order["copied"]:
        os.execve(order["argv"][0], order["argv"], order["env"])
    os.environ.clear()
    os.environ.update(order["env"])
    raise _Copied(order["argv"])


def _opened(number: int, before: TextIO) -> TextIO:
    """As Python opens it, which it does before there is a program."""
    raw = open(number, "rb" if number == 0 else "wb", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(
        raw,
        encoding=before.encoding,
        errors=before.errors,
        line_buffering=number == 2 or raw.isatty(),
    )
