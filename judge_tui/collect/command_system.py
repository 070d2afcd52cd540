"""`kind = "command"`: a program that prints its results; and how programs are run, without a
shell and with an end to all that they started."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from judge_tui.collect.extract import extract
from judge_tui.collect.search_system import (
    LARGEST,
    Hit,
    LateError,
    SearchError,
    SearchSystem,
    fill,
    query_values,
)
from judge_tui.collect.settings import CommandSettings
from judge_tui.errors import UsageError
from judge_tui.model import Query

if TYPE_CHECKING:
    from judge_tui.collect.work import CollectRequest

_LOOK = 0.2
"""Seconds between two looks at how much a program has printed."""


@dataclass(frozen=True, slots=True)
class Output:
    """How a program ended and what it printed; `code` is None where its time was up."""

    code: int | None
    out: str
    err: str

    @property
    def ended(self) -> str:
        """How it ended, in words."""
        if self.code is None:
            return "its time was up"
        return f"killed by signal {-self.code}" if self.code < 0 else f"exit code {self.code}"


class CommandSearch(SearchSystem):
    """A program that prints JSON, or text with ids in it."""

    def __init__(self, settings: CommandSettings, request: CollectRequest) -> None:
        """Raises `UsageError` for a query that the program would take for an option."""
        super().__init__(request)
        self._settings = settings
        for query in request.queries:
            _refuse_as_option(settings.argv, query)

    async def fetch(self, query: Query) -> str:
        """What it prints. Raises `SearchError`."""
        settings, values = self._settings, query_values(query, self.request.depth)
        output = await run_program(
            [fill(one, values) for one in settings.argv],
            self.request.path(settings.cwd),
            {**os.environ, **self.request.secrets.expand(settings.env)},
            settings.timeout,
        )
        if output.code is None:
            raise LateError(settings.timeout)
        if output.code not in settings.ok_codes:
            last = (output.err.strip() or output.out.strip()).rpartition("\n")[2]
            raise SearchError(output.ended, last)
        return output.out

    def find_hits(self, reply: str) -> Iterator[Hit]:
        """Raises `SearchError`."""
        return extract(self._settings, reply, self._settings.timeout)


def _refuse_as_option(argv: Sequence[str], query: Query) -> None:
    """Refuse a query that begins with `-` where it would be an argument and no `--` is before."""
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


async def run_program(
    argv: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
) -> Output:
    """Start it, without input, and wait for its end; then end whatever it has started in its
    session. It prints into files: a daemon that it leaves behind would hold a pipe open.

    Raises `SearchError` where it cannot be started, or prints more than anybody reads.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        process, cancelled = await _start(argv, folder, environment, out, err)
        code: int | None = None
        try:
            if cancelled is not None:
                raise cancelled
            async with asyncio.timeout(timeout):
                code = await _wait_for_end(process, out, err)
        except TimeoutError:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        return Output(code, _read_whole(out), _read_whole(err))


async def _start(
    argv: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    out: IO[bytes],
    err: IO[bytes],
) -> tuple[asyncio.subprocess.Process, asyncio.CancelledError | None]:
    """The process, and whether this was cancelled meanwhile. Asyncio would end the process alone
    then, and not what it has started by that time."""
    try:
        starting = asyncio.create_task(
            asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
        )
        try:
            return await asyncio.shield(starting), None
        except asyncio.CancelledError as error:
            return await starting, error
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename == folder:
            raise SearchError(f"there is no folder {str(folder)!r}, its cwd") from None
        why = error.strerror if isinstance(error, OSError) else error
        raise SearchError(f"cannot start {argv[0]!r}: {why}") from None


async def _wait_for_end(process: asyncio.subprocess.Process, *printed: IO[bytes]) -> int:
    """The exit code. Raises `SearchError` where it prints more than anybody reads."""
    ending = asyncio.create_task(process.wait())
    try:
        while not ending.done():
            await asyncio.wait({ending}, timeout=_LOOK)
            if any(os.fstat(one.fileno()).st_size > LARGEST for one in printed):
                raise SearchError(f"it printed more than {LARGEST // 1_000_000} MB")
    finally:
        ending.cancel()
    return ending.result()


def _read_whole(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(LARGEST).decode("utf-8", "replace").removeprefix("\ufeff")
