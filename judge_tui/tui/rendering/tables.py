"""Tables as aligned text: cells that are too wide are wrapped in their columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from textual.content import Content

from judge_tui.tui.rendering.line_writer import RULE

_BETWEEN = Content("  ")
_NARROWEST = 12
"""In cells: a column is no narrower than its longest word, or than this."""

_LONGEST = 400
"""In characters: longer rows that are not aligned have their cells below each other."""


class Cell(NamedTuple):
    lines: list[Content]
    is_head: bool


def table_lines(
    rows: Sequence[Sequence[Cell]], widths: Sequence[int], right: Collection[int]
) -> Iterator[Content]:
    """Rows as lines, with a rule below the heads; where `widths` are none, nothing is aligned.

    `right` are the columns whose cells stand at the right.
    """
    was_head = False
    for row in rows:
        is_head = all(cell.is_head for cell in row)
        if was_head and not is_head:
            rules = Content.styled("  ".join("─" * width for width in widths), "dim")
            yield rules if widths else RULE
        was_head = is_head
        if not widths:
            line = Content(" │ ").join(Content(" ").join(cell.lines) for cell in row)
            yield from (
                [line] if len(line) < _LONGEST else (one for cell in row for one in cell.lines)
            )
            continue
        wrapped = [
            [
                piece
                for line in cell.lines
                for piece in ([line] if line.cell_length <= width else line.wrap(width))
            ]
            for cell, width in zip(row, widths, strict=False)
        ]
        for lines in zip_longest(*wrapped, fillvalue=Content("")):
            yield _BETWEEN.join(
                line.pad_left(width - line.cell_length)
                if column in right
                else line.pad_right(width - line.cell_length)
                for column, (line, width) in enumerate(zip(lines, widths, strict=False))
            ).rstrip()


def column_widths(rows: Sequence[Sequence[Cell]], least: Sequence[int], room: int) -> list[int]:
    """How wide the columns are, where they can at least `least`; none where there is no room."""
    columns = max(map(len, rows), default=0)
    widest, words = [*least, *[1] * (columns - len(least))], [1] * columns
    for row in rows:
        for column, cell in enumerate(row):
            for line in cell.lines:
                widest[column] = max(widest[column], line.cell_length)
                word = max(map(len, line.plain.split()), default=1)
                words[column] = max(words[column], min(word, _NARROWEST))
    room -= 2 * (columns - 1)
    for most in range(max(widest, default=0), 0, -1):
        widths = [min(width, max(most, word)) for width, word in zip(widest, words, strict=False)]
        if sum(widths) <= room:
            return widths
        if most < _NARROWEST:
            break
    return []
