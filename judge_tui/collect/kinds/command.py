"""`kind = "command"`: a program that prints JSON, or text with ids in it. No shell."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from judge_tui.collect.answer import AskError, Hit
from judge_tui.collect.extraction import FromJson, FromText, results_settings
from judge_tui.collect.filling import fill
from judge_tui.collect.kinds import Asking, Opener, Surroundings
from judge_tui.collect.section import Section
from judge_tui.errors import UsageError
from judge_tui.model import Query

__all__ = ["Output", "Program", "found_program", "read"]

_LARGEST = 64_000_000
_MOMENT = 0.5


@dataclass(frozen=True, slots=True)
class Program:
    """What is started: its arguments, where, with what beside this process's own environment."""

    argv: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Output:
    """How a program ended and what it printed."""

    code: int
    out: str
    err: str


class _Command:
    def __init__(
        self,
        program: Program,
        found: FromJson | FromText,
        good_codes: Sequence[int],
        timeout: float,
    ) -> None:
        self._program = program
        self._found = found
        self._good_codes = good_codes
        self._timeout = timeout

    async def ask(self, query: Query, k: int) -> Sequence[Hit]:
        """Raises `AskError`."""
        argv = tuple(fill(argument, query, k) for argument in self._program.argv)
        output = await run(replace(self._program, argv=argv), self._timeout)
        if output.code not in self._good_codes:
            said = (output.err.strip() or output.out.strip()).rpartition("\n")[2]
            ended = (
                f"killed by signal {-output.code}"
                if output.code < 0
                else f"exit code {output.code}"
            )
            raise AskError(ended, said)
        return self._found.hits(output.out)


def read(section: Section) -> Opener | None:
    """Read the settings; None where one was refused."""
    argv = section.argv("argv", required=True)
    section.without_query("argv")
    folder = section.plain("cwd", ".")
    environment = section.texts("env")
    good_codes = section.counts("ok_codes", (0,))
    found = results_settings(section)
    if found is None or not argv:
        return None
    results = found

    @asynccontextmanager
    async def opened(around: Surroundings) -> AsyncIterator[Asking]:
        program = Program(argv, around.folder / folder, environment)
        found_program(program)
        for query in around.queries:
            _refuse_as_option(argv, query)
        yield _Command(program, results, good_codes, around.patience.timeout)

    return opened


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
        raise UsageError(
            f"there is no program {name!r}", "install it, or give its path from the systems file"
        )
    return found


async def run(program: Program, timeout: float) -> Output:
    """Start it, without input, and wait for its end. Raises `AskError`.

    What it has started and left behind is ended with it, when it ends as well as when it outlasts
    its time or this is cancelled; only what has made a session of its own, as daemons do, goes on.
    """
    with _Printed() as out, _Printed() as err:
        try:
            process = await asyncio.create_subprocess_exec(
                found_program(program),
                *program.argv[1:],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out.inlet,
                stderr=err.inlet,
                cwd=program.folder,
                env={**os.environ, **program.environment},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise AskError(f"cannot be started: {error}") from error
        try:
            end = partial(_end, process.pid)
            out.begin(end)
            err.begin(end)
            async with asyncio.timeout(timeout):
                code = await process.wait()
                # What prints for it may outlive it by a moment, and a daemon for ever.
                await asyncio.wait({out.closed, err.closed}, timeout=_MOMENT)
        except TimeoutError as error:
            raise AskError(f"no answer within {timeout:g} s") from error
        finally:
            _end(process.pid)
            await process.wait()
        return Output(code, out.text(), err.text())


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
        if len(self._data) > _LARGEST:
            raise AskError(f"it printed more than {_LARGEST // 1_000_000} MB")
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
        if piece and len(self._data) <= _LARGEST:
            return
        self._loop.remove_reader(self._outlet)
        self.closed.set_result(None)
        if piece:
            too_much()


def _end(group: int) -> None:
    """End a program and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _refuse_as_option(argv: Sequence[str], query: Query) -> None:
    """Raise `UsageError` where the program would take the query for an option of its own: an
    argument that begins with it, and no "--" before."""
    if not query.text.startswith("-"):
        return
    for argument in argv[1:]:
        if argument == "--":
            return
        if argument.startswith("{query}"):
            raise UsageError(
                f"query {query.query_id!r} begins with -, as the options of a program do",
                'write "--" before "{query}" in argv, or "--its-option={query}"',
            )
