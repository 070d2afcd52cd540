"""The first lines of a file, by which readers find their columns."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from judge_tui.formats.source import Source

__all__ = ["Sample"]


class Sample:
    """The first lines of a file that hold something: what its format is told by. Of JSON that is
    one value over several lines there are more."""

    _LINES = 50

    def __init__(self, source: Source) -> None:
        lines = source.head.split(b"\n")
        # The last line of a head may be cut anywhere; one that is also the first has to do.
        if not source.whole and len(lines) > 1:
            lines.pop()
        held = self._held = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        first = held[0][1].strip() if held else b""
        goes_on = first.startswith(b"[") or (first.startswith(b"{") and not first.endswith(b"}"))
        self.numbered = held if goes_on else held[: self._LINES]

    @cached_property
    def lines(self) -> list[bytes]:
        return [line for _, line in self.numbered]

    @property
    def all_lines(self) -> list[bytes]:
        """As many lines as were looked at: where a few may say otherwise than the first ones do."""
        return [line for _, line in self._held]

    @property
    def first(self) -> bytes:
        """The first line that holds something, without the white space around it."""
        return self.lines[0].strip() if self.lines else b""

    @property
    def typical_size(self) -> int:
        """The median size of the lines in bytes: queries are short, documents are not."""
        return sorted(map(len, self.lines))[len(self.lines) // 2] if self.lines else 0

    def mostly(self, holds: Callable[[bytes], bool]) -> bool:
        """Whether half of the lines are so: bad lines among them do not hide a format."""
        return bool(self.lines) and 2 * sum(map(holds, self.lines)) >= len(self.lines)
