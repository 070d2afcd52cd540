"""The rows of a text that grows at its end."""

from __future__ import annotations

from array import array
from bisect import bisect_right

from judge_tui.tui.wrapping import Row, wrap_line


class Rows:
    """Wrapped at a width in cells, or one row for each line where the width is None; what begins
    before the offset `head` is wrapped at `head_width` all the same.

    Two arrays of offsets and not a list of tuples: a megabyte of line ends is a million rows.
    """

    def __init__(self, width: int | None, *, head: int = 0, head_width: int | None = None) -> None:
        self.width = width
        self._head = head
        self._head_width = head_width
        self.laid = 0
        self._starts = array("I")
        self._ends = array("I")

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, row: int) -> Row:
        return self._starts[row], self._ends[row]

    def start(self, row: int) -> int:
        """Where a row starts; the end of what is laid out for the row after the last."""
        return self._starts[row] if row < len(self._starts) else self.laid

    def at(self, offset: int) -> int:
        """The row that holds an offset, or the space at whose break the next row begins."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def extend(self, text: str, stop: int) -> int:
        """Lay out `text` as far as `stop`; the first row that changed.

        The rows are those that laying it all out at once would give.
        """
        start = self._take_back(text)
        first = len(self._starts)
        starts, ends, head = self._starts, self._ends, self._head
        while True:
            width = self._head_width if start < head else self.width
            end = text.find("\n", start, stop)
            is_last = end < 0
            if is_last:
                end = stop
            # No character is wider than two cells.
            if width is None or end - start <= width // 2:
                starts.append(start)
                ends.append(end)
            else:
                wrap_line(text, start, end, width, starts, ends)
            if is_last:
                self.laid = stop
                return first
            start = end + 1

    def _take_back(self, text: str) -> int:
        """Take back the rows that may go on in what comes now; where they started."""
        start = self.laid
        while self._starts:
            start = self._starts.pop()
            self._ends.pop()
            # A space at the very end seemed to be a break, but may carry marks that come now.
            if start < self.laid or text[start - 1] == "\n":
                break
        return start
