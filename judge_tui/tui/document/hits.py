"""Where something occurs in a text that grows at its end."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import Protocol

from judge_tui.tui.wrapping import Row


class Sought(Protocol):
    """What is looked for."""

    @property
    def reach(self) -> int:
        """No occurrence, with what must be known of the text around it, is longer."""

    def seek(self, text: str, start: int, stop: int) -> Iterable[Row]:
        """The occurrences in `text[start:stop]`, in order, none overlapping another."""


class Hits:
    """The occurrences in the text as far as it was searched; the same whatever the steps."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought
        self._starts = array("I")
        self._ends = array("I")
        # What starts from here on was looked for in a text that was not complete.
        self._settled = 0
        self.searched = 0

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, hit: int) -> Row:
        return self._starts[hit], self._ends[hit]

    def extend(self, text: str, stop: int, *, is_end: bool) -> None:
        """Search as far as `stop`; `is_end` where no more text will come after it."""
        while self._starts and self._starts[-1] >= self._settled:
            self._starts.pop()
            self._ends.pop()
        begin = max(self._settled, self._ends[-1] if self._ends else 0)
        for start, end in self._sought.seek(text, begin, stop):
            self._starts.append(start)
            self._ends.append(end)
        self._settled = stop if is_end else max(self._settled, stop - self._sought.reach)
        self.searched = stop

    def after(self, offset: int) -> int:
        """The first hit that starts at an offset or after it; `len` where there is none."""
        return bisect_left(self._starts, offset)

    def touches(self, start: int, end: int) -> bool:
        """Whether any hit starts in `text[start:end]`."""
        hit = self.after(start)
        return hit < len(self._starts) and self._starts[hit] < end

    def between(self, start: int, end: int) -> list[Row]:
        """The hits in `text[start:end]`, cut at its borders."""
        hit = self.after(start)
        if hit and self._ends[hit - 1] > start:
            hit -= 1
        found = []
        while hit < len(self._starts) and self._starts[hit] < end:
            found.append((max(start, self._starts[hit]), min(end, self._ends[hit])))
            hit += 1
        return found
