"""The document that is likely to come next, begun while the judge reads the one before it."""

from __future__ import annotations

from time import perf_counter

from textual.geometry import Size

from judge_tui.model import Document
from judge_tui.tui.reading import Reading, reading_of
from judge_tui.tui.reading.ahead import ReadingAhead

# Characters at a time.
_STEP = 500
# Seconds at a time: then keys go first again.
_AT_ONCE = 0.002


class Foresight:
    """Keeps one reading ready, for the very document it was begun with."""

    def __init__(self) -> None:
        self._key: tuple[Document, bool, int] | None = None
        self._reading: ReadingAhead | None = None
        self._screen = Size(0, 0)

    def begin(self, document: Document, *, raw: bool, room: int, screen: Size) -> None:
        """Begin with a document, of which a screen is to be made ready; what was ready of another
        one is forgotten."""
        self._screen = screen
        self._key = document, raw, room
        self._reading = ReadingAhead(reading_of(document, raw=raw, room=room))

    def go_on(self) -> bool:
        """Some milliseconds of making ready; False once there is enough."""
        begun = perf_counter()
        while (ahead := self._reading) is not None and not self._fills_screen(ahead):
            ahead.prepare(_STEP)
            if perf_counter() - begun > _AT_ONCE:
                return True
        return False

    def _fills_screen(self, ahead: ReadingAhead) -> bool:
        width, height = self._screen
        # A line more than there are on the screen: the last one need not be whole.
        is_full = ahead.lines_ahead > height or ahead.ahead > width * height
        return is_full or ahead.is_exhausted

    def reading_of(self, document: Document, *, raw: bool, room: int) -> Reading:
        """How a document is read (`reading.reading_of`), from what is ready if it is that one."""
        key, reading = self._key, self._reading
        self._key = self._reading = None
        if reading is not None and key == (document, raw, room):
            return reading
        return reading_of(document, raw=raw, room=room)
