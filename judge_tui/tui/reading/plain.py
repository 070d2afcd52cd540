"""Text as it stands."""

from __future__ import annotations

from judge_tui.tui.reading.reading import Part
from judge_tui.visible import TAB_WIDTH, visible


class Shown:
    """Foreign text made visible part by part, tabs expanded."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._taken = 0
        self._column = 0

    @property
    def done(self) -> float:
        return self._taken / len(self._source) if self._taken < len(self._source) else 1.0

    def take(self, step: int) -> Part:
        start = self._taken
        self._taken = stop = _border(self._source, start, step)
        # Tabs in the middle of a line go on from the column that the line has reached.
        before = self._column
        part = visible(" " * before + self._source[start:stop])[before:]
        last = part.rfind("\n")
        self._column = (len(part) - last - 1 + (0 if last >= 0 else before)) % TAB_WIDTH
        return Part(part)


class PlainReading(Shown):
    """Text as it stands, less the empty lines at its end."""

    first_line: int | None = None
    last_line: int | None = None
    start_line = 0
    unnumbered: tuple[int, ...] = ()

    def __init__(self, text: str) -> None:
        super().__init__(text.rstrip("\r\n"))


def _border(text: str, start: int, step: int) -> int:
    """Where the part that begins at `start` ends: at a line's end, else at a space, else where
    nothing that belongs together is divided."""
    stop = start + step
    if stop >= len(text):
        return len(text)
    for end in "\n ":
        found = text.rfind(end, start, stop)
        if found >= start:
            return found + 1
    while stop > start and _is_joined(text, stop):
        stop -= 1
    if stop > start:
        return stop
    # All of it belongs together: further on then, but not without end.
    stop = start + step
    while stop < min(len(text), start + step + _LONGEST_JOINED) and _is_joined(text, stop):
        stop += 1
    return stop


def _is_joined(text: str, at: int) -> bool:
    return text[at - 1] in _JOINING or text[at] in _JOINING


# CR before LF, and what holds a sequence of emoji together.
_JOINING = "\r\n\u200d\ufe0f"
_LONGEST_JOINED = 1000
