"""`kind = "command"`: a program that prints JSON, or text with ids in it. No shell."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from judge_tui.collect.answer import AskError, Hit
from judge_tui.collect.extraction import FromJson, FromText, excerpt, from_json_settings
from judge_tui.collect.filling import fill
from judge_tui.collect.kinds import Asking, Opener, Surroundings
from judge_tui.collect.section import Section
from judge_tui.errors import UsageError
from judge_tui.model import Query

__all__ = ["Output", "Program", "found_program", "read"]

_LARGEST = 64_000_000


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
            said = excerpt((output.err.strip() or output.out.strip()).rpartition("\n")[2])
            ended = (
                f"killed by signal {-output.code}"
                if output.code < 0
                else f"exit code {output.code}"
            )
            raise AskError(f"{ended}: {said}" if said else ended)
        return self._found.hits(output.out)


def read(section: Section) -> Opener | None:
    """Read the settings; None where one was refused."""
    argv = section.argv("argv", required=True)
    section.without_query("argv")
    folder = section.plain("cwd", ".")
    environment = section.texts("env")
    good_codes = section.counts("ok_codes", (0,))
    found: FromJson | FromText | None
    if "pattern" in section:
        pattern = section.pattern("pattern")
        found = FromText(pattern) if pattern is not None else None
    else:
        found = from_json_settings(section)
        if section.flag("lines") and found is not None:
            found = replace(found, lines=True)
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

    A program that outlasts its time is ended with all that it started, and so it is where we are.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            found_program(program),
            *program.argv[1:],
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=program.folder,
            env={**os.environ, **program.environment},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise AskError(f"cannot be started: {error}") from error
    try:
        async with asyncio.timeout(timeout):
            out, err, code = await asyncio.gather(
                _all_of(process.stdout), _all_of(process.stderr), process.wait()
            )
    except TimeoutError as error:
        raise AskError(f"no answer within {timeout:g} s") from error
    finally:
        await _end(process)
    return Output(code, out, err)


async def _all_of(stream: asyncio.StreamReader | None) -> str:
    if stream is None:
        return ""
    data = bytearray()
    while piece := await stream.read(1 << 16):
        data += piece
        if len(data) > _LARGEST:
            raise AskError(f"it printed more than {_LARGEST // 1_000_000} MB")
    return data.decode("utf-8", "replace")


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a program that has not ended, with all that it started, and take note of it."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


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
