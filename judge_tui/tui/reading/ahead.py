"""A reading of which the beginning was taken before it is shown."""

from __future__ import annotations

from collections import deque

from judge_tui.tui.reading.reading import Part, Reading


class ReadingAhead:
    """Gives the parts of another reading, of which it may have taken some already.

    Its parts are those that were taken, whatever `step` they are asked for with.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._taken: deque[tuple[Part, float]] = deque()
        self._done = reading.done
        self.ahead = 0
        """Characters taken ahead."""
        self.lines_ahead = 0
        """Ends of lines among them."""

    @property
    def done(self) -> float:
        return self._done

    @property
    def first_line(self) -> int | None:
        return self._reading.first_line

    @property
    def last_line(self) -> int | None:
        return self._reading.last_line

    @property
    def start_line(self) -> int:
        return self._reading.start_line

    @property
    def unnumbered(self) -> tuple[int, ...]:
        return self._reading.unnumbered

    @property
    def is_exhausted(self) -> bool:
        """Whether there is nothing more to take ahead."""
        return self._reading.done >= 1

    def prepare(self, step: int) -> None:
        """Take the next part, of about `step` characters, ahead."""
        part = self._reading.take(step)
        self._taken.append((part, self._reading.done))
        self.ahead += len(part.text)
        self.lines_ahead += part.text.count("\n")

    def take(self, step: int) -> Part:
        if not self._taken:
            self.prepare(step)
        part, self._done = self._taken.popleft()
        self.ahead -= len(part.text)
        self.lines_ahead -= part.text.count("\n")
        return part
