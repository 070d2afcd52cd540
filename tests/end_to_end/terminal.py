"""A real program in a real pseudo-terminal, and the screen that a person would see."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pyte

from tests.programs import PROGRAM, start

__all__ = ["ESCAPE", "PALETTE", "PATIENCE", "PROGRAM", "Terminal"]

# As terminals send it that know Kitty's protocol, which the app asks for. A bare escape is that key
# only where nothing follows it for a while, which no busy machine can promise.
ESCAPE = "\x1b[27u"
PALETTE = "\x10"

PATIENCE = 60.0
"""How long a busy machine may keep a program waiting before that is a fault of the program."""

_SAMPLE = 0.01
_BETWEEN_KEYS = 0.02
# What the system says of a thread that has the processor, or would if there were one for it.
_AT_WORK = ("R", "D")

# Reports and modes that this emulator does not know; a terminal draws nothing for them.
_UNDRAWN = re.compile(rb"\x1b\[[<>=?][0-9;]*(?:\$p|[hlunmc])|\x1b\]22;[a-z]*(?:\x07|\x1b\\)")

_OF_THIS_TERMINAL = ("NO_COLOR", "COLUMNS", "LINES")


class Terminal:
    """A program running in a terminal of its own; `raw` is every byte it wrote.

    With `draw` off nothing is emulated: for measuring, where only the bytes and their times count.
    With `copied` off the program starts as users start it, imports and all.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (100, 30),
        draw: bool = True,
        copied: bool = True,
    ) -> None:
        self.raw = b""
        self.ended = False
        self._draw = draw
        self._lines: list[str] | None = None
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._fd, its = pty.openpty()
        _set_size(its, *size)
        self._process = start(
            argv, (its,) * 3, cwd=cwd, env=_environment(env or {}), terminal=True, copied=copied
        )
        os.close(its)
        self.pid = self._process.pid

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()
        if self._fd >= 0:
            os.close(self._fd)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size; the program gets SIGWINCH, as from a real terminal."""
        _set_size(self._fd, columns, lines)
        self._screen.resize(lines, columns)
        self._lines = None

    def send(self, keys: str | bytes) -> None:
        """Type, all at once."""
        os.write(self._fd, keys.encode() if isinstance(keys, str) else keys)

    def press(self, *keys: str) -> None:
        """Type one after another, each once the program has done what the one before asked for."""
        self.settle(_BETWEEN_KEYS)
        for key in keys:
            before = len(self.raw)
            self.send(key)
            self.settle(_BETWEEN_KEYS)
            if len(self.raw) == before:
                # It asked for nothing that is seen, or it is still on its way.
                self.settle(0.05)

    def try_send(self, keys: str) -> bool:
        """Type; False where nobody reads any more."""
        try:
            self.send(keys)
        except OSError:
            return False
        return not self.ended

    def read(self, seconds: float = 0.0) -> bool:
        """Take in what the program wrote, waiting at most that long; False where there is none."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            # Linux reports the end of a terminal session as an error.
            data = b""
        self.ended = not data
        self.raw += data
        if self._draw:
            self._lines = None
            self._stream.feed(_UNDRAWN.sub(b"", data))
        return bool(data)

    @property
    def lines(self) -> list[str]:
        """The screen, line by line."""
        if self._lines is None:
            self._lines = [line.rstrip() for line in self._screen.display]
        return self._lines

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def wait(self, until: Callable[[Terminal], object], seconds: float = PATIENCE) -> None:
        """Wait until the screen is as expected; fail with the screen where it never is."""
        end = time.monotonic() + seconds
        while not until(self):
            if self.ended:
                raise AssertionError(f"the program ended before it:\n{self._last}")
            if time.monotonic() > end:
                raise AssertionError(f"the screen never came to it:\n{self._last}")
            self.read(0.05)

    def wait_for(self, text: str, seconds: float = PATIENCE) -> None:
        """Wait until a text is on screen."""
        self.wait(lambda terminal: text in terminal.text, seconds)

    def is_at_work(self) -> bool:
        """Whether a thread of the program has the processor or waits for it; False where the
        system does not tell."""
        for path in Path(f"/proc/{self.pid}/task").glob("*/stat"):
            # A thread may end at any moment.
            with suppress(OSError):
                # The name of the program stands before, in brackets, whatever it holds.
                state = path.read_text(errors="replace").rpartition(")")[2].split()[0]
                if state in _AT_WORK:
                    return True
        return False

    def settle(self, quiet: float = 0.1) -> None:
        """Wait until, for so long, nothing was drawn and no thread had anything to do.

        Time alone would take a program for done that a busy machine keeps waiting.
        """
        end = time.monotonic() + PATIENCE
        still = 0.0
        while still < quiet and not self.ended:
            drawn = self.read(_SAMPLE)
            strict = time.monotonic() < end
            still = 0.0 if drawn or (strict and self.is_at_work()) else still + _SAMPLE

    def leave(self) -> int:
        """Close what is open, one after another, and then the app; its exit code."""
        end = time.monotonic() + PATIENCE
        while not self.ended and time.monotonic() < end:
            for key in (ESCAPE, "q"):
                self.settle(0.1)
                self.try_send(key)
            self.settle()
        return self.wait_end()

    def kill(self) -> None:
        """SIGKILL, at once; does nothing where the program has ended."""
        self._process.kill()

    def hang_up(self, seconds: float = PATIENCE) -> int:
        """Close the terminal under the program, as a lost connection does; its exit code."""
        os.close(self._fd)
        self._fd = -1
        self.ended = True
        return self.wait_end(seconds)

    def wait_end(self, seconds: float = PATIENCE) -> int:
        """Wait for the program's end; returns its exit code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            code = self._process.poll(0.05 if self.ended else 0.0)
            if code is not None:
                # What it wrote last may still be on its way: a sequence cut short is no finding.
                while not self.ended and self.read(0.05):
                    continue
                return code
            if not self.ended:
                self.read(0.05)
        raise AssertionError(f"the program never ended:\n{self._last}")

    @property
    def _last(self) -> str:
        """What there is to say of a failure: the screen, or the last of what was never drawn."""
        return self.text if self._draw else repr(self.raw[-2000:])


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """That of a terminal. What Python knows is all of it: a readline in this process adds COLUMNS
    and LINES behind its back, which the program would believe rather than its terminal. The config
    and the tastes of who runs the tests are not those of the tests."""
    kept = {name: os.environ[name] for name in os.environ if name not in _OF_THIS_TERMINAL}
    ours = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "JUDGE_TUI_CONFIG": ""}
    return {**kept, **ours, **more}


def _set_size(fd: int, columns: int, lines: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
