"""How many cells of a terminal a text takes, character by character.

Widths are those of Rich, by which Textual lays out the screen.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache

from rich.cells import get_character_cell_size, split_graphemes

from judge_tui.visible import visible_line

NARROW = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u048a-\u0556"
    "\u1e00-\u1f15\u2010-\u2027\u2030-\u203b\u203d-\u2048\u204a-\u205e\u20a0-\u20c0"
    "\u2400-\u2426\ufffd]*"
)
"""Characters that are one cell wide and never join another: for them offsets are cells. Latin,
Greek, Cyrillic and Armenian letters, punctuation, currency, control pictures, the replacement
character; no combining marks."""

_WIDE = (
    "[\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*"
)

_JOINER = "\u200d"
_VARIATION_16 = "\ufe0f"
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")

# A line is measured in pieces of about so many characters.
_PIECE = 4096


class _Widths(dict[int, int]):
    """The width of each character by its code, looked up once."""

    def __missing__(self, code: int) -> int:
        width = self[code] = get_character_cell_size(chr(code))
        return width


_WIDTHS = _Widths()


def is_wide(text: str, start: int, end: int) -> bool:
    """Whether all of `text[start:end]` is two cells wide and never joins another: kana, ideographs,
    Hangul syllables and the punctuation that goes with them."""
    return _wide().fullmatch(text, start, end) is not None


@cache
def _wide() -> re.Pattern[str]:
    # Few documents need it, and making it takes some milliseconds.
    return re.compile(_WIDE)


def cells_of(text: str) -> bytes:
    """The cells of each character: 0 where it belongs to the grapheme before it, else 1 or 2.

    The two halves of a flag count as one grapheme.
    """
    if text.isascii():
        return b"\x01" * len(text)
    cells = bytearray(text.translate(_WIDTHS).encode("latin-1"))
    at = text.find(_JOINER, 1)
    while at > 0:
        cells[at : at + 2] = bytes(len(cells[at : at + 2]))
        at = text.find(_JOINER, at + 2)
    base = before = -1
    at = text.find(_VARIATION_16)
    while at >= 0:
        # The character it belongs to: that of the one before, if nothing has a width since.
        start = at
        while start > max(0, before) and not cells[start]:
            start -= 1
        base, before = (start if cells[start] or before < 0 else base), at
        if cells[base] == 1 and _widens(text[base]):
            cells[base] = 2
        at = text.find(_VARIATION_16, at + 1)
    for flag in _FLAG.finditer(text):
        cells[flag.start()] += cells[flag.start() + 1]
        cells[flag.start() + 1] = 0
    return bytes(cells)


@cache
def _widens(char: str) -> bool:
    """Whether variation selector 16 makes a narrow character wide."""
    return split_graphemes(char + _VARIATION_16)[1] == 2


def whole(text: str, at: int) -> int:
    """The first border between graphemes at or after `at`, if there is one near."""
    end = min(len(text), at + _PIECE)
    while 0 < at < end and text[at] > "\u02ff":
        # Looked at from some characters before: a flag, or a joiner, may begin there.
        start = max(0, at - 8)
        cells = cells_of(text[start : at + 64])
        while at - start < len(cells) and not cells[at - start]:
            at += 1
        if at - start < len(cells):
            break
    return at


def shortened(text: str, width: int) -> str:
    """A short text in at most `width` cells, shortened in the middle: most of what is kept is its
    end, by which paths and what is numbered differ."""
    cells = cells_of(text)
    if sum(cells) <= width:
        return text
    room = max(0, width - 1)
    head, used = 0, 0
    while used + cells[head] <= room // 3:
        used += cells[head]
        head += 1
    tail, room = len(text), room - used
    # What takes no cell belongs to the character before it.
    at = tail
    while (at := at - 1) > head:
        room -= cells[at]
        if room < 0:
            break
        if cells[at]:
            tail = at
    return f"{text[:head]}…{text[tail:]}" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """A short text in exactly `width` cells, shortened in the middle or filled."""
    kept = shortened(text, width)
    return kept + " " * (width - sum(cells_of(kept)))


def widest(most: int, texts: Iterable[str]) -> int:
    """The cells of the widest of some foreign texts as they are shown, but at most `most`."""
    return min(most, max((sum(cells_of(visible_line(text))) for text in texts), default=0))


class Cells:
    """Where in one long line a cell is: measured once, and only as far as was asked for."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._is_narrow = text.isascii() or NARROW.fullmatch(text, start, end) is not None
        self._offsets = [start]
        self._cells = [0]

    def offset(self, cell: int) -> tuple[int, int]:
        """The first grapheme that begins at this cell or after it, and the cell it begins at."""
        if self._is_narrow:
            offset = min(self._start + cell, self._end)
            return offset, offset - self._start
        while self._cells[-1] <= cell and self._measure():
            continue
        piece = bisect_right(self._cells, cell) - 1
        offset, used = self._offsets[piece], self._cells[piece]
        for width in cells_of(self._text[offset : self._stop(offset)]):
            if width and used >= cell:
                break
            used += width
            offset += 1
        return offset, used

    def cell(self, offset: int) -> int:
        """How many cells of the line come before an offset in it."""
        if self._is_narrow:
            return offset - self._start
        while self._offsets[-1] < offset and self._measure():
            continue
        piece = bisect_right(self._offsets, offset) - 1
        start = self._offsets[piece]
        cells = cells_of(self._text[start : self._stop(start)])
        return self._cells[piece] + sum(cells[: offset - start])

    def _measure(self) -> bool:
        """Measure the next piece; False at the end of the line."""
        start = self._offsets[-1]
        stop = self._stop(start)
        if stop == start:
            return False
        self._offsets.append(stop)
        self._cells.append(self._cells[-1] + sum(cells_of(self._text[start:stop])))
        return True

    def _stop(self, start: int) -> int:
        stop = min(self._end, start + _PIECE)
        return min(self._end, whole(self._text, stop)) if stop < self._end else stop
