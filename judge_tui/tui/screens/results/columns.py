"""Tables in a terminal: which columns have room, and how a row is put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge_tui.tui.cells import cells_of, padded
from judge_tui.tui.widgets.line_list import Piece

__all__ = ["Column", "Laid", "laid_out"]

_GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `width` cells. Where there is little room, those of the greatest `rank` go first,
    of equals the last one; numbers stand right, words left."""

    name: str
    width: int
    rank: int = 0
    right: bool = True


@dataclass(frozen=True, slots=True)
class Laid:
    """The columns that have room (`kept`, their places), and what is left for the name in front."""

    columns: tuple[Column, ...]
    kept: tuple[int, ...]
    name_width: int
    cuts_end: bool

    def head(self, name: str) -> str:
        """The names of the columns, each where its cells stand."""
        cells = [(self.columns[place].name, "") for place in range(len(self.columns))]
        return "".join(text for text, _ in self.row((name, ""), cells))

    def row(self, name: Piece, cells: Sequence[Piece]) -> list[Piece]:
        """A row: its name, and of the cells, one for each column, those that have room."""
        fitted = _cut if self.cuts_end else padded
        pieces = [(f" {fitted(name[0], self.name_width)}", name[1])]
        for place in self.kept:
            column, (text, style) = self.columns[place], cells[place]
            blank = " " * (column.width - sum(cells_of(text)))
            aligned = blank + text if column.right else text + blank
            pieces.append((" " * _GAP, ""))
            pieces.append((aligned if blank else _cut(text, column.width), style))
        return pieces


@lru_cache(maxsize=32)
def laid_out(
    columns: tuple[Column, ...],
    room: int,
    widest: int,
    *,
    least: int = 16,
    cuts_end: bool = False,
) -> Laid:
    """The columns that fit into `room` cells behind a name of at most `widest`, which gives way
    down to `least` before a column goes. Names that differ by their end are cut in the middle,
    those that are read from their beginning at the end (`cuts_end`)."""
    least = min(widest, least)
    kept = list(range(len(columns)))

    def used() -> int:
        return 1 + sum(_GAP + columns[place].width for place in kept)

    while kept and used() + least > room:
        rank = max(columns[place].rank for place in kept)
        if rank == 0:
            break
        kept.remove(max(place for place in kept if columns[place].rank == rank))
    return Laid(columns, tuple(kept), max(1, min(widest, room - used())), cuts_end)


def _cut(text: str, width: int) -> str:
    """A text in exactly `width` cells, with dots where its end is cut off."""
    cells = cells_of(text)
    if sum(cells) > width:
        used, end = 0, 0
        while end < len(text) and used + cells[end] < width:
            used += cells[end]
            end += 1
        return f"{text[:end]}…".ljust(end + width - used)
    return text + " " * (width - sum(cells))
