"""One row of a document as a strip of exactly the width that it has on screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import LRUCache
from textual.strip import Strip

from judge_tui.tui.cells import Cells, whole
from judge_tui.tui.document.ready_document import ReadyDocument
from judge_tui.tui.document.styled_text import Run

Look = Callable[[tuple[str, ...]], Style]
"""How styles of these names, the last one on top, look on the screen."""

Piece = tuple[str, Style]
"""A stretch of a row, and how it looks."""

PADDING = 1
"""Cells left and right of the text."""

_BESIDE_NUMBERS = 2
# Lines of which it is remembered how wide they are.
_CACHED_LINES = 128


@dataclass
class Painter:
    """Where the rows of a document are painted.

    `width` is in cells, with the room for line numbers; `shift` is how many cells of each line are
    left of the screen where lines are not wrapped.
    """

    document: ReadyDocument
    width: int
    wraps: bool = True
    marked: bool = True
    shift: int = 0
    _cells: LRUCache[tuple[int, int], Cells] = field(
        default_factory=lambda: LRUCache(_CACHED_LINES), init=False, repr=False
    )

    @property
    def left(self) -> int:
        """Cells left of the text."""
        numbers = self.document.styled.number_width
        return PADDING + (numbers + _BESIDE_NUMBERS if numbers else 0)

    @property
    def room(self) -> int:
        """Cells for the text. Right of it one is blank; unwrapped, it tells that a line goes on."""
        return max(1, self.width - self.left - PADDING)

    def paint(self, row: int, look: Look) -> Strip:
        """The row with everything that is marked in it; blank below the last row."""
        base = look(())
        if row >= len(self.document.rows):
            return Strip.blank(self.width, base)
        start, end = self.document.rows[row]
        before, after, lead = " " * PADDING, "", 0
        pieces = [(self._beside(start), look(("line",)))]
        if not self.wraps and start >= self.document.styled.own_to:
            start, end, lead, before, after = self._window(start, end)
        pieces.append((before, base if before.isspace() else look(("line",))))
        pieces.append((" " * lead, base))
        pieces += self._pieces(start, end, look)
        used = sum(cell_len(text) for text, _ in pieces) + len(after)
        pieces.append((" " * (self.width - used), base))
        pieces.append((after, look(("line",))))
        strip = Strip(joined(pieces), max(used, self.width))
        return strip if used <= self.width else strip.adjust_cell_length(self.width)

    def reach(self, row: int, cell: int) -> int:
        """How far the line of a row reaches, in cells; at most `cell`."""
        start, end = self.document.rows[row]
        return min(cell, self._line(start, end).offset(cell)[1])

    def cell(self, row: int, offset: int) -> int:
        """How many cells of the line of a row come before an offset."""
        return self._line(*self.document.rows[row]).cell(offset)

    def _beside(self, start: int) -> str:
        width = self.document.styled.number_width
        if not width:
            return ""
        number = self.document.styled.number(start)
        return f"{'' if number is None else number:>{PADDING + width}} "

    def _line(self, start: int, end: int) -> Cells:
        found = self._cells.get((start, end))
        if found is None:
            found = self._cells[start, end] = Cells(self.document.text, start, end)
        return found

    def _window(self, start: int, end: int) -> tuple[int, int, int, str, str]:
        """What is on screen of a line that is not wrapped: where it starts and ends, the cells
        before it that a divided character leaves blank, and signs that it goes on."""
        if end - start <= self.room // 2 and not self.shift:
            return start, end, 0, " ", ""
        cells = self._line(start, end)
        left, at = cells.offset(self.shift)
        right, stop = cells.offset(self.shift + self.room)
        before = "‹" if self.shift and start < end else " "
        after = "›" if right < end else ""
        if stop > self.shift + self.room and right > left:
            # A wide character that is cut at the edge is not there.
            right = cells.offset(self.shift + self.room - 1)[0]
            after = "›"
        return left, right, min(at - self.shift, self.room), before, after

    def _pieces(self, start: int, end: int, look: Look) -> list[Piece]:
        """The text in its styles: spans, over them the query words, over them what is found."""
        document, text = self.document, self.document.text
        layers: list[Sequence[Run]] = [list(document.styled.runs(start, end))]
        if self.marked and document.marks is not None:
            layers.append([(a, b, ("mark",)) for a, b in document.marks.between(start, end)])
        if document.finding is not None:
            here = document.finding.span
            layers.append(
                [
                    (a, b, ("here",) if here[0] <= a < here[1] else ("hit",))
                    for a, b in document.finding.hits.between(start, end)
                ]
            )
        if not any(layers):
            return [(text[start:end], look(()))]
        borders = {start, end}
        for layer in layers:
            for a, b, _ in layer:
                borders.add(min(end, whole(text, a)))
                borders.add(min(end, whole(text, b)))
        return [(text[a:b], look(names)) for a, b, names in _divided(sorted(borders), layers)]


def joined(pieces: Iterable[Piece]) -> list[Segment]:
    """Segments of pieces, as few as there can be: each costs the terminal some escape sequences."""
    segments: list[Segment] = []
    text, look = "", Style.null()
    for more, style in pieces:
        if style is look:
            text += more
        elif more:
            if text:
                segments.append(Segment(text, look))
            text, look = more, style
    if text:
        segments.append(Segment(text, look))
    return segments


def _divided(borders: Iterable[int], layers: list[Sequence[Run]]) -> Iterable[Run]:
    """The stretches between borders, each with the names of all layers that cover it."""
    at = [0] * len(layers)
    for start, end in pairwise(borders):
        names: tuple[str, ...] = ()
        for place, layer in enumerate(layers):
            while at[place] < len(layer) and layer[at[place]][1] <= start:
                at[place] += 1
            if at[place] < len(layer) and layer[at[place]][0] <= start:
                names += layer[at[place]][2]
        yield start, end, names
