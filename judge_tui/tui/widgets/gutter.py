"""The column right of a document: which part of it is on screen, and where in it something is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from textual.content import Content

from judge_tui.tui.widgets.document_lines import Place, Row

WORD, HIT = "╴", "◂"
_BAR = "▐"
_STYLES = {WORD: "$text-accent", HIT: "$text-warning"}


class Gutter:
    """Each of its cells stands for an equal part of the rows of a document.

    Rows are counted about, by characters: what wrapping would give takes too long to know.
    `width` is that of a row, 0 where lines are not wrapped; `places` are those that have `sign`.
    """

    def __init__(
        self,
        lines: Sequence[Content],
        width: int,
        height: int,
        places: Iterable[Place],
        sign: str,
    ) -> None:
        counts = (-(-len(line) // width) or 1 if width else 1 for line in lines)
        self._lines = lines
        self._before = list(accumulate(counts, initial=0))
        self._total = max(1, self._before[-1])
        self._width, self._height = width, height
        self._signs = {self._row(place) * height // self._total: sign for place in places}

    def _row(self, place: Place) -> int:
        line, offset = place
        return self._before[line] + (offset // self._width if self._width else 0)

    def is_needed(self, rows: Sequence[Row]) -> bool:
        """Whether there is more of the document than these rows; not where there is no room."""
        if not rows:
            return False
        line, _, end, _ = rows[-1]
        is_end = line == len(self._lines) - 1 and not self._lines[line].plain[end:].strip()
        return rows[0][:2] > (0, 0) or not is_end

    def cells(self, rows: Sequence[Row]) -> list[tuple[str, str]]:
        """Its cells and their styles, while these rows are on screen; blank where that is all."""
        if not self.is_needed(rows):
            return [(" ", "")] * self._height
        first, last = self._row(rows[0][:2]), self._row(rows[-1][:2])
        length = max(1, min(self._height - 1, self._height * len(rows) // self._total))
        free, is_end = self._height - length, last == self._total - 1
        start = free if is_end else min(free, first * free // max(1, self._total - self._height))
        bar = range(start, start + length)
        signs = [self._signs.get(y, " ") for y in range(self._height)]
        return [
            (_BAR, _STYLES.get(sign, "dim")) if y in bar else (sign, _STYLES.get(sign, ""))
            for y, sign in enumerate(signs)
        ]
