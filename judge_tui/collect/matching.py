"""A user's regular expression over what a system says, by another process: one that never comes to
an end is ended with it, while Ctrl+c and other queries go on.

Python's `re` can be given no limit, and holds up everything else in its process as long as it
searches. So the search is made by a small Python of its own, which is started with the
system and stays: what a search costs is to hand the text over.
"""

from __future__ import annotations

import asyncio
import contextlib
import marshal
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from judge_tui.collect.lack import telling_lack
from judge_tui.collect.reply import AskError
from judge_tui.formats.problems import quoted
from judge_tui.visible import undrawn

__all__ = ["Found", "Matching", "matching"]

# It takes the pattern, its flags, the groups, whether only the first match is wanted, the seconds
# that it has, and the text; it gives a list of what was found, as `Found`. The kernel ends it when
# its time is over, also where nobody is left who would.
_PROGRAM = """
import marshal, re, signal, sys
take, give = sys.stdin.buffer, sys.stdout.buffer
clock = getattr(signal, "setitimer", lambda *_: None)
while head := take.read(8):
    asked = marshal.loads(take.read(int.from_bytes(head, "big")))
    pattern, flags, groups, once, seconds, text = asked
    clock(0, seconds)
    told = []
    for match in re.compile(pattern, flags).finditer(text):
        there = next((one for one in map(match.group, groups) if one is not None), None)
        told.append((match.group(), False) if there is None else (there, True))
        if once:
            break
    clock(0, 0)
    data = marshal.dumps(told)
    give.write(len(data).to_bytes(8, "big") + data)
    give.flush()
"""


Found = tuple[str, bool]
"""Of a match: the first of the groups that took part in it, and True; the whole match, and False,
where none of them did."""


class Matching:
    """Searches, one after the other, each within `seconds`, in a text without what tells a terminal
    how to draw it. A line may end with CRLF, too."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._in_use = asyncio.Lock()

    async def first(
        self, pattern: re.Pattern[str], groups: Sequence[int], text: str
    ) -> Found | None:
        """The first match; None where there is none. Raises `AskError` where that takes longer."""
        found = await self._search(pattern, groups, text, once=True)
        return found[0] if found else None

    async def all(self, pattern: re.Pattern[str], groups: Sequence[int], text: str) -> list[Found]:
        """Every match. Raises `AskError`."""
        return await self._search(pattern, groups, text)

    async def _search(
        self, pattern: re.Pattern[str], groups: Sequence[int], text: str, *, once: bool = False
    ) -> list[Found]:
        lines = undrawn(text).replace("\r\n", "\n")
        asked = (pattern.pattern, pattern.flags, tuple(groups), once, self._seconds, lines)
        data = marshal.dumps(asked)
        async with self._in_use:
            try:
                try:
                    found = await self._told(data)
                except (EOFError, ConnectionError):
                    # Somebody else has ended it, as the kernel does where memory runs out: it may
                    # have been before this search.
                    found = await self._told(data)
            except TimeoutError as error:
                what = f"takes longer than {self._seconds:g} s on the answer"
                raise AskError(f"pattern {quoted(pattern.pattern)} {what}", text) from error
            except (EOFError, ConnectionError) as error:
                what = f"the search for pattern {quoted(pattern.pattern)} broke off twice"
                raise AskError(what, text) from error
        told: list[Found] = marshal.loads(found)  # noqa: S302 - of our own program
        return told

    async def _told(self, data: bytes) -> bytes:
        """What the other process says to it. Raises `TimeoutError` where its time is over, and
        `EOFError` or `ConnectionError` where it ended otherwise: the next one is another process.
        """
        process = await self.begin()
        assert process.stdin is not None  # noqa: S101 - it was started with pipes
        assert process.stdout is not None  # noqa: S101 - as above
        try:
            process.stdin.write(len(data).to_bytes(8, "big") + data)
            await process.stdin.drain()
            async with asyncio.timeout(self._seconds + _GRACE):
                size = int.from_bytes(await process.stdout.readexactly(8), "big")
                return await process.stdout.readexactly(size)
        except BaseException as error:
            # What would come is the reply to what nobody asks any more.
            await self.end()
            ended = isinstance(error, EOFError | ConnectionError)
            if ended and process.returncode == -signal.SIGALRM:
                raise TimeoutError from error
            raise

    async def begin(self) -> asyncio.subprocess.Process:
        """Start the other process, unless it is there. Raises `LackError`."""
        if self._process is not None:
            return self._process
        with telling_lack():
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-I", "-S", "-c", _PROGRAM),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                # Ctrl+c is for us alone.
                start_new_session=True,
            )
        return self._process

    async def end(self) -> None:
        """End the other process; the next search has a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            # Not by `kill` of the process: that asks how it ended, and whoever waits for it is
            # never told.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        await process.wait()


_GRACE = 5.0
"""Seconds that a busy machine may take longer for what the other process does in time."""


@asynccontextmanager
async def matching(seconds: float, *, sure: bool = True) -> AsyncIterator[Matching]:
    """Searches that take `seconds` at most; nothing of them is left behind. `sure`: there will be
    some, so that the first need not wait for its process."""
    ready = Matching(seconds)
    try:
        if sure:
            await ready.begin()
        yield ready
    finally:
        await ready.end()
