"""Programs that are started and waited for, without a shell; what they leave behind is ended."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shlex
import shutil
import signal
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from judge_tui.collect.lack import telling_lack
from judge_tui.collect.left_behind import end_all_of
from judge_tui.collect.limit import within
from judge_tui.collect.reply import LARGEST, AskError
from judge_tui.errors import UsageError

__all__ = ["OutlastedError", "Output", "Program", "found_program", "run"]

_MOMENT = 0.5
_MARK = "JUDGE_TUI_STARTED"
"""The variable of the environment by which what a program leaves behind is known."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started: its arguments, where, with what beside this process's own environment, or
    with that `alone`."""

    argv: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """How a program ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def ended(self) -> str:
        """How it ended, in words."""
        return f"killed by signal {-self.code}" if self.code < 0 else f"exit code {self.code}"

    @property
    def printed(self) -> str:
        """Both of its streams, the output first."""
        return _printed(self.out, self.err)


class OutlastedError(AskError):
    """A program that was ended since its time was over; and what it had printed by then."""

    def __init__(self, timeout: float, out: str, err: str) -> None:
        super().__init__(f"no answer within {timeout:g} s")
        self.printed = _printed(out, err)


def found_program(program: Program) -> str:
    """Where the program stands. Raises `UsageError` where there is none that can be started."""
    if not program.folder.is_dir():
        raise UsageError(f"there is no folder {str(program.folder)!r}", "mend cwd")
    name = program.argv[0]
    # As the program itself would be looked for: a path from its folder, a bare name along PATH.
    sought = str(program.folder / name) if os.sep in name else name
    path = program.environment.get("PATH", os.environ.get("PATH", os.defpath))
    found = shutil.which(sought, path=path)
    if found is None:
        if os.sep in name and Path(sought).is_file():
            raise UsageError(
                f"program {name!r} is not executable", f"chmod +x {shlex.quote(sought)}"
            )
        raise UsageError(
            f"there is no program {name!r}",
            f"install it, or give its path from {str(program.folder)!r}",
        )
    return found


async def run(program: Program, timeout: float) -> Output:
    """Start it, without input, and wait for its end. Raises `AskError`, also where it is not there
    any more: what is built anew meanwhile comes back; and `LackError`.

    What it has started and left behind is ended with it. Where it ends by itself, what has made a
    session of its own goes on, as a daemon that it asks is to; where it outlasts its time, or this
    is cancelled, that is ended, too.
    """
    mark = {} if program.alone else {_MARK: uuid.uuid4().hex}
    with telling_lack(), _Printed() as out, _Printed() as err:
        try:
            starting = asyncio.create_task(
                asyncio.create_subprocess_exec(
                    found_program(program),
                    *program.argv[1:],
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=out.inlet,
                    stderr=err.inlet,
                    cwd=program.folder,
                    env={**({} if program.alone else os.environ), **program.environment, **mark},
                    start_new_session=True,
                )
            )
            process, cancelled = await _although_cancelled(starting)
        except UsageError as error:
            raise AskError(error.what, again=True) from error
        except (OSError, ValueError) as error:
            busy = isinstance(error, OSError) and error.errno == errno.ETXTBSY
            raise AskError(f"cannot be started: {error}", again=busy) from error
        try:
            end = partial(_end, process.pid)
            out.begin(end)
            err.begin(end)
            if cancelled:
                raise cancelled
            async with within(timeout):
                code = await process.wait()
                # What prints for it may outlive it by a moment, and a daemon for ever.
                await asyncio.wait({out.closed, err.closed}, timeout=_MOMENT)
        except TimeoutError as error:
            raise OutlastedError(timeout, out.text(), err.text()) from error
        finally:
            by_itself = process.returncode is not None and process.returncode >= 0
            _end(process.pid)
            for one in mark.values() if not by_itself else ():
                end_all_of(one)
            await process.wait()
        return Output(code, out.text(), err.text())


async def _although_cancelled(
    starting: asyncio.Task[asyncio.subprocess.Process],
) -> tuple[asyncio.subprocess.Process, asyncio.CancelledError | None]:
    """The process, and whether this was cancelled meanwhile. Asyncio would end the process then,
    and not what it has started by the time that a busy machine comes to it."""
    try:
        return await asyncio.shield(starting), None
    except asyncio.CancelledError as error:
        return await starting, error


class _Printed:
    """What a program prints to one of its two streams, taken as it comes.

    A pipe of our own: with one of asyncio's a program would run as long as anything that it left
    behind holds the pipe.
    """

    def __enter__(self) -> _Printed:
        self._data = bytearray()
        self._outlet, self.inlet = os.pipe()
        os.set_blocking(self._outlet, False)
        self._loop = asyncio.get_running_loop()
        self.closed = self._loop.create_future()
        return self

    def begin(self, too_much: Callable[[], None]) -> None:
        """Take what comes; `too_much` is called where that will not end."""
        os.close(self.inlet)
        self.inlet = -1
        self._loop.add_reader(self._outlet, self._take, too_much)

    def text(self) -> str:
        """All of it. Raises `AskError` where it was too much."""
        if len(self._data) > LARGEST:
            raise AskError(f"it printed more than {LARGEST // 1_000_000} MB")
        return self._data.decode("utf-8", "replace").removeprefix("\ufeff")

    def __exit__(self, *_error: object) -> None:
        self._loop.remove_reader(self._outlet)
        os.close(self._outlet)
        if self.inlet >= 0:
            os.close(self.inlet)

    def _take(self, too_much: Callable[[], None]) -> None:
        try:
            piece = os.read(self._outlet, 1 << 16)
        except BlockingIOError:
            return
        self._data += piece
        if piece and len(self._data) <= LARGEST:
            return
        self._loop.remove_reader(self._outlet)
        self.closed.set_result(None)
        if piece:
            too_much()


def _printed(out: str, err: str) -> str:
    return f"{out.rstrip()}\n{err}" if out.strip() and err.strip() else out or err


def _end(group: int) -> None:
    """End a program and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
