"""The gutter right of a document: which part of it is on screen, and where in it something is."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip

from judge_tui.tui.document.painting import Look
from judge_tui.tui.document.ready_document import ReadyDocument

__all__ = ["GUTTER", "Gutter"]

GUTTER = 2
"""Cells that the gutter takes."""

_BAR = "▐"
# By the name of their style. They differ in shape, too: colour never carries meaning alone.
_SIGNS = {"": " ", "tick": "╴", "found": "◂"}


class Gutter:
    """Each of its lines stands for an equal part of the rows of the document.

    While not all of a document is ready, as many rows are counted as there are likely to be.
    """

    def __init__(self, document: ReadyDocument) -> None:
        self._document = document
        self._bar = range(0)
        self._signs: list[str] = []

    def look(self, height: int, top: int, *, marked: bool) -> bool:
        """See what is where, on a screen of `height` lines with the row `top` at its top. Whether
        anything changed."""
        before = self._bar, self._signs
        rows = self._document.likely_rows
        self._bar = _bar(rows, height, top)
        self._signs = [self._sign(y, rows, height, marked=marked) for y in range(height)]
        return before != (self._bar, self._signs)

    def paint(self, y: int, look: Look) -> Strip:
        """One line of it."""
        name = self._signs[y] if y < len(self._signs) else ""
        return Strip(
            [
                Segment(_SIGNS[name], look((name,) if name else ())),
                Segment(_BAR if y in self._bar else " ", look(("gutter",))),
            ],
            GUTTER,
        )

    def _sign(self, y: int, rows: int, height: int, *, marked: bool) -> str:
        """What is in the part of the document that a line stands for: a hit, a query word."""
        document = self._document
        shown = max(rows, height)
        first, last = y * shown // height, (y + 1) * shown // height
        start, end = document.rows.start(first), document.rows.start(last)
        if document.finding is not None:
            return "found" if document.finding.hits.touches(start, end) else ""
        is_marked = marked and document.marks is not None and document.marks.touches(start, end)
        return "tick" if is_marked else ""


def _bar(rows: int, height: int, top: int) -> range:
    """The lines for what is on screen; none where all of the document is."""
    if rows <= height:
        return range(0)
    length = max(1, height * height // rows)
    start = top * (height - length) // max(1, rows - height)
    return range(start, start + length)
