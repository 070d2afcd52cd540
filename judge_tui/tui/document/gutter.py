"""The gutter right of a document: which part of it is on screen, and where in it something is."""

from __future__ import annotations

from textual.strip import Strip

from judge_tui.tui.document.hits import Hits
from judge_tui.tui.document.painting import Look, joined
from judge_tui.tui.document.ready_document import ReadyDocument

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

    def look(self, height: int, top: int, *, marked: bool) -> list[int]:
        """See what is where, on a screen of `height` lines with the row `top` at its top. The
        lines that changed."""
        bar, signs = self._bar, self._signs
        rows = self._document.likely_rows
        self._bar = _bar(rows, height, top)
        self._signs = [self._sign(y, rows, height, marked=marked) for y in range(height)]
        return [
            y
            for y in range(height)
            if (y in bar) != (y in self._bar) or signs[y : y + 1] != [self._signs[y]]
        ]

    def paint(self, y: int, look: Look) -> Strip:
        """One line of it."""
        name = self._signs[y] if y < len(self._signs) else ""
        is_bar = y in self._bar
        pieces = [
            (_SIGNS[name], look((name,) if name else ())),
            (_BAR if is_bar else " ", look(("gutter",) if is_bar else ())),
        ]
        return Strip(joined(pieces), GUTTER)

    def row(self, y: int, height: int, *, marked: bool) -> int:
        """The row to put at the top for who points at a line: such that the first hit or query
        word it stands for is on screen, else such that the bar comes there."""
        document, rows = self._document, self._document.likely_rows
        start, end = self._part(y, rows, height)
        hits = self._hits(marked=marked)
        if hits is not None and hits.touches(start, end):
            return max(0, document.rows.at(hits[hits.after(start)][0]) - height // 3)
        least = max(1, height - max(1, height * height // max(1, rows)))
        return -(-max(0, rows - height) * min(y, least) // least)

    def _hits(self, *, marked: bool) -> Hits | None:
        """What is shown: what is found while one looks for something, else the query's words, as
        where nothing is found."""
        return self._found or (self._document.marks if marked else None)

    @property
    def _found(self) -> Hits | None:
        finding = self._document.finding
        return finding.hits if finding is not None and len(finding.hits) else None

    def _part(self, y: int, rows: int, height: int) -> tuple[int, int]:
        """The text that a line stands for."""
        shown = max(rows, height)
        start = self._document.rows.start
        return start(y * shown // height), start((y + 1) * shown // height)

    def _sign(self, y: int, rows: int, height: int, *, marked: bool) -> str:
        hits = self._hits(marked=marked)
        if hits is None or not hits.touches(*self._part(y, rows, height)):
            return ""
        return "tick" if self._found is None else "found"


def _bar(rows: int, height: int, top: int) -> range:
    """The lines for what is on screen; none where all of the document is."""
    if rows <= height:
        return range(0)
    length = max(1, height * height // rows)
    start = top * (height - length) // max(1, rows - height)
    return range(start, start + length)
