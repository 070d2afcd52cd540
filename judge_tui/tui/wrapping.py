"""Where the lines of a text break at a given width in cells."""

from __future__ import annotations

from rich.cells import split_graphemes

__all__ = ["wrap"]

Row = tuple[int, int]

# A long line is measured in pieces, so that memory does not follow the longest line.
_PIECE = 4096


def wrap(text: str, width: int) -> list[Row]:
    """The rows of `text` as (start, end) offsets, each at most `width` cells wide.

    Breaks at spaces where there is one, within a word where there is none; the space at a break
    belongs to neither row. A newline always ends a row, so an empty text has one empty row.
    """
    width = max(1, width)
    rows: list[Row] = []
    start = 0
    ascii_only = text.isascii()
    while True:
        end = text.find("\n", start)
        last = end < 0
        if last:
            end = len(text)
        if end - start <= width and (ascii_only or text[start:end].isascii()):
            rows.append((start, end))
        elif ascii_only or text[start:end].isascii():
            _wrap_narrow(text, start, end, width, rows)
        else:
            _wrap_wide(text, start, end, width, rows)
        if last:
            return rows
        start = end + 1


def _wrap_narrow(text: str, start: int, end: int, width: int, rows: list[Row]) -> None:
    """One line in which every character is one cell wide."""
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        if cut <= start:
            rows.append((start, start + width))
            start += width
        else:
            rows.append((start, cut))
            start = cut + 1
    rows.append((start, end))


def _wrap_wide(text: str, start: int, end: int, width: int, rows: list[Row]) -> None:
    """One line with characters of other widths: graphemes are never divided."""
    row = start
    used = 0
    space = -1
    after_space = 0
    for left, right, cells in _graphemes(text, start, end):
        if used + cells > width and left > row:
            if text[left] == " ":
                rows.append((row, left))
                row, used, space = right, 0, -1
                continue
            if space > row:
                rows.append((row, space))
                row, used = space + 1, used - after_space
            else:
                rows.append((row, left))
                row, used = left, 0
            space = -1
        used += cells
        if text[left] == " ":
            space, after_space = left, used
    rows.append((row, end))


def _graphemes(text: str, start: int, end: int) -> list[tuple[int, int, int]]:
    spans: list[tuple[int, int, int]] = []
    while start < end:
        stop = min(end, start + _PIECE)
        piece, _ = split_graphemes(text[start:stop])
        if stop < end and len(piece) > 1:
            # The last grapheme may go on beyond the piece: it is measured with the next one.
            stop = start + piece.pop()[0]
        spans.extend((start + left, start + right, cells) for left, right, cells in piece)
        start = stop
    return spans
