"""The column right of a document: which part of it is on screen, and where in it something is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from textual.content import Content

from judge_tui.tui_new.widgets.document_lines import Place, Row

_STYLES = {"╴": "$text-accent", "◂": "$text-warning"}
_BAR = "▐"


class Gutter:
    """Each of its cells stands for an equal part of the rows of a document.

    Rows are counted about, by characters: what wrapping would give takes too long to know.
    `width` is that of a row, 0 where lines are not wrapped.
    """

    def __init__(self, lines: Sequence[Content], width: int, height: int) -> None:
        counts = (-(-len(line) // width) or 1 if width else 1 for line in lines)
        self._before = list(accumulate(counts, initial=0))
        self._width = width
        self._height = height
        self._signs: dict[int, str] = {}

    def sign(self, sign: str, places: Iterable[Place]) -> None:
        """Put a sign where these places are."""
        for place in places:
            self._signs[self._cell(place)] = sign

    def _row(self, place: Place) -> int:
        line, offset = place
        return self._before[line] + (offset // self._width if self._width else 0)

    def _cell(self, place: Place) -> int:
        return self._row(place) * self._height // max(1, self._before[-1])

    def look(self, y: int, rows: Sequence[Row]) -> tuple[str, str]:
        """One cell of it and its style, while these rows are on screen; nothing where that is all
        of the document."""
        total, height = self._before[-1], self._height
        at_end = rows[-1].line == len(self._before) - 2 and self._row(rows[-1][:2]) >= total - 1
        if at_end and rows[0][:2] == (0, 0):
            return " ", ""
        length = max(1, min(height - 1, height * len(rows) // max(1, total)))
        start = min(1.0, self._row(rows[0][:2]) / max(1, total - height))
        bar = height - length if at_end else int(start * (height - length))
        sign = self._signs.get(y, " ")
        is_bar = bar <= y < bar + length
        return (_BAR if is_bar else sign), _STYLES.get(sign, "dim" if is_bar else "")

    def place(self, y: int) -> Place:
        """The place that a cell stands for."""
        row = y * self._before[-1] // max(1, self._height)
        line = min(bisect_right(self._before, row) - 1, len(self._before) - 2)
        return line, (row - self._before[line]) * self._width
