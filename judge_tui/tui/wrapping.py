"""Where the lines of a text break at a given width in cells."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate

from judge_tui.tui.cells import NARROW, cells_of, is_wide

Row = tuple[int, int]
"""Start and end of a row in its text."""

# Thousands of marks on one letter are nothing that anybody reads: rows end there.
_GREATEST_REACH = 2048


def wrap(text: str, width: int) -> list[Row]:
    """The rows of `text` as (start, end) offsets, each at most `width` cells wide.

    Breaks at spaces where there is one, within a word where there is none; the space at a break
    belongs to neither row, and graphemes are never divided. A newline always ends a row, so an
    empty text has one empty row.
    """
    starts, ends = array("I"), array("I")
    start = 0
    for line in text.split("\n"):
        wrap_line(text, start, start + len(line), width, starts, ends)
        start += len(line) + 1
    return list(zip(starts, ends, strict=True))


def wrap_line(
    text: str, start: int, end: int, width: int, starts: array[int], ends: array[int]
) -> None:
    """Add the rows of one line, `text[start:end]`, to `starts` and `ends`; at least one."""
    width = max(1, width)
    if text.isascii() or NARROW.fullmatch(text, start, end):
        while end - start > width:
            cut = text.rfind(" ", start, start + width + 1)
            starts.append(start)
            if cut > start:
                ends.append(cut)
                start = cut + 1
            else:
                start += width
                ends.append(start)
    elif width > 1 and is_wide(text, start, end):
        half = width // 2
        while end - start > half:
            starts.append(start)
            start += half
            ends.append(start)
    else:
        start = _wrap_measured(text, start, end, width, starts, ends)
    starts.append(start)
    ends.append(end)


def _wrap_measured(
    text: str, start: int, end: int, width: int, starts: array[int], ends: array[int]
) -> int:
    """All rows of a line but the last, of which it returns the start; each grapheme is measured."""
    cells = cells_of(text[start:end])
    # How many cells come before each character.
    before = array("I", accumulate(cells, initial=0))
    count = end - start
    at = 0
    while before[count] - before[at] > width or count - at > _GREATEST_REACH:
        reach = min(count, at + _GREATEST_REACH)
        cut = bisect_right(before, before[at] + width, at, reach + 1) - 1
        if cut == at:
            # Not even one has room.
            cut += 1
            while cut < reach and not cells[cut]:
                cut += 1
        after = cut
        if cut < reach:
            space = text.rfind(" ", start + at + 1, start + cut + 1) - start
            while space > at and space + 1 < count and not cells[space + 1]:
                # It carries marks.
                space = text.rfind(" ", start + at + 1, start + space) - start
            if space > at:
                cut, after = space, space + 1
        if after == count:
            return _last(start, at, cut, count, starts, ends)
        starts.append(start + at)
        ends.append(start + cut)
        at = after
    return start + at


def _last(start: int, at: int, cut: int, count: int, starts: array[int], ends: array[int]) -> int:
    """The rest of a line that ends with the space at a break, or with what has no room."""
    if cut == count:
        return start + at
    starts.append(start + at)
    ends.append(start + cut)
    return start + count
