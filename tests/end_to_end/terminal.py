"""A real program in a real pseudo-terminal, and the screen that a person would see."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

__all__ = ["PROGRAM", "Terminal"]

PROGRAM = str(Path(sys.executable).with_name("judge-tui"))

# Reports and modes that this emulator does not know; a terminal draws nothing for them.
_UNDRAWN = re.compile(rb"\x1b\[[<>=?][0-9;]*(?:\$p|[hlunmc])|\x1b\]22;[a-z]*(?:\x07|\x1b\\)")

_OF_THIS_TERMINAL = ("NO_COLOR", "COLUMNS", "LINES")


class Terminal:
    """A program running in a terminal of its own; `raw` is every byte it wrote.

    With `draw` off nothing is emulated: for measuring, where only the bytes and their times count.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (100, 30),
        draw: bool = True,
    ) -> None:
        self.raw = b""
        self.ended = False
        self._draw = draw
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        environment = _environment(env or {})
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            try:
                _set_size(0, *size)
                os.chdir(cwd)
                os.execve(argv[0], list(argv), environment)
            finally:
                os._exit(127)

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

    def send(self, keys: str | bytes) -> None:
        """Type, all at once."""
        os.write(self._fd, keys.encode() if isinstance(keys, str) else keys)

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
            self._stream.feed(_UNDRAWN.sub(b"", data))
        return bool(data)

    @property
    def lines(self) -> list[str]:
        """The screen, line by line."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def wait(self, until: Callable[[Terminal], object], seconds: float = 20.0) -> None:
        """Wait until the screen is as expected; fail with the screen where it never is."""
        end = time.monotonic() + seconds
        while not until(self):
            if time.monotonic() > end:
                raise AssertionError(f"the screen never came to it:\n{self.text}")
            self.read(0.05)

    def wait_for(self, text: str, seconds: float = 20.0) -> None:
        """Wait until a text is on screen."""
        self.wait(lambda terminal: text in terminal.text, seconds)

    def settle(self, quiet: float = 0.25) -> None:
        """Wait until nothing more is drawn."""
        while self.read(quiet):
            continue

    def kill(self) -> None:
        """SIGKILL, at once; does nothing where the program has ended."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0

    def hang_up(self, seconds: float = 20.0) -> int:
        """Close the terminal under the program, as a lost connection does; its exit code."""
        os.close(self._fd)
        self._fd = -1
        self.ended = True
        return self.wait_end(seconds)

    def wait_end(self, seconds: float = 20.0) -> int:
        """Wait for the program's end; returns its exit code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.ended:
                time.sleep(0.01)
            else:
                self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                # What it wrote last may still be on its way: a sequence cut short is no finding.
                while not self.ended and self.read(0.05):
                    continue
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"the program never ended:\n{self.text}")


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """That of a terminal. What Python knows is all of it: a readline in this process adds COLUMNS
    and LINES behind its back, which the program would believe rather than its terminal. The config
    and the tastes of who runs the tests are not those of the tests."""
    kept = {name: os.environ[name] for name in os.environ if name not in _OF_THIS_TERMINAL}
    ours = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "JUDGE_TUI_CONFIG": ""}
    return {**kept, **ours, **more}


def _set_size(fd: int, columns: int, lines: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
