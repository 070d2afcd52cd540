"""Text in cells of the terminal: how many it takes, and shortened to so many."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

from rich.cells import get_character_cell_size, split_graphemes
from textual.content import Content


def cells_before(text: str) -> Sequence[int]:
    """How many cells come before each offset of a text, and before its end."""
    if text.isascii():
        return range(len(text) + 1)
    widths = [get_character_cell_size(char) for char in text]
    if "\u200d" in text or "\ufe0f" in text:  # Those of a grapheme are its first character's.
        for start, end, width in split_graphemes(text)[0]:
            widths[start:end] = [width] + [0] * (end - start - 1)
    return [0, *accumulate(widths)]


def offset_at(cells: Sequence[int], cell: int) -> int:
    """The last offset with at most so many cells before it; `cells` are those of `cells_before`."""
    return bisect_right(cells, cell) - 1


Keep = Literal["start", "ends", "end"]


def shortened(content: Content, width: int, keep: Keep = "start") -> Content:
    """All of it, or so many cells of its start, of its end, where ids and paths differ most, or of
    both; an ellipsis stands for what is left out."""
    if content.cell_length <= width:
        return content
    room = max(0, width - 1)
    behind = {"start": 0, "ends": room // 2, "end": room}[keep]
    cells = cells_before(content.plain)
    head, tail = offset_at(cells, room - behind), bisect_left(cells, cells[-1] - behind)
    return Content.assemble(content[:head], "…", content[tail:])
