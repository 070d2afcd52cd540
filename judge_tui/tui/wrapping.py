"""Where the lines of a text break at a given width in cells."""

from __future__ import annotations

import re

from rich.cells import split_graphemes

__all__ = ["wrap"]

Row = tuple[int, int]

# Characters that are one cell wide and never join another: for them offsets are cells. Latin,
# Greek, Cyrillic and Armenian letters, punctuation, currency, control pictures, the replacement
# character; no combining marks.
_NARROW = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u048a-\u0556"
    "\u1e00-\u1f15\u2010-\u2027\u2030-\u203b\u203d-\u2048\u204a-\u205e\u20a0-\u20c0"
    "\u2400-\u2426\ufffd]*"
)


# Two cells wide, and never joining another: kana, ideographs, Hangul syllables and the punctuation
# that goes with them.
_WIDE = re.compile(
    "[\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*"
)

_GREATEST_REACH = 2048


def wrap(text: str, width: int) -> list[Row]:
    """The rows of `text` as (start, end) offsets, each at most `width` cells wide.

    Breaks at spaces where there is one, within a word where there is none; the space at a break
    belongs to neither row, and graphemes are never divided. A newline always ends a row, so an
    empty text has one empty row.
    """
    width = max(1, width)
    rows: list[Row] = []
    start = 0
    plain = text.isascii()
    while True:
        end = text.find("\n", start)
        last = end < 0
        if last:
            end = len(text)
        _wrap_line(text, start, end, width, rows, plain=plain)
        if last:
            return rows
        start = end + 1


def _wrap_line(
    text: str, start: int, end: int, width: int, rows: list[Row], *, plain: bool
) -> None:
    """One line, row by row; only a row with other characters than narrow ones is measured."""
    half = width // 2
    while True:
        rest = end - start
        if plain or _NARROW.fullmatch(text, start, min(end, start + width + 1)):
            if rest <= width:
                rows.append((start, end))
                return
            cut = text.rfind(" ", start, start + width + 1)
            if cut <= start:
                cut = after = start + width
            else:
                after = cut + 1
        elif half and _WIDE.fullmatch(text, start, min(end, start + half + 1)):
            if rest <= half:
                rows.append((start, end))
                return
            cut = after = start + half
        else:
            cut, after = _measured(text, start, end, width)
            if cut == end:
                rows.append((start, end))
                return
        rows.append((start, cut))
        start = after


def _measured(text: str, start: int, end: int, width: int) -> tuple[int, int]:
    """Where the row that begins at `start` ends, and where the next one begins."""
    reach = 2 * width + 8
    while True:
        stop = min(end, start + reach)
        used = 0
        space = -1
        spans, _ = split_graphemes(text[start:stop])
        if stop < end:
            # The last grapheme may go on beyond what was looked at.
            spans = spans[:-1]
        for left, right, cells in spans:
            at = start + left
            if used + cells > width and left:
                if text[at] == " ":
                    return at, start + right
                return (space, space + 1) if space > start else (at, at)
            used += cells
            if text[at] == " ":
                space = at
        if stop == end:
            return end, end
        if reach > _GREATEST_REACH:
            # Thousands of marks on one letter: nothing that anybody reads.
            return stop, stop
        reach *= 2
