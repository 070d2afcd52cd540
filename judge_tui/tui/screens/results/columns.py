"""Tables in a terminal: which columns have room, which are reached sideways, and how a row is put
together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from judge_tui.tui.cells import cells_of, padded
from judge_tui.tui.widgets.line_list import Piece

_GAP = 2
_HEAD = 12
"""Cells for the head of the names and the sign: `query ‹ +6 ›`, less the space in front."""


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
    """The columns that have room (`kept`, their places), and what is left for the name in front.
    `page`: how far one has gone sideways, of so many `pages`."""

    columns: tuple[Column, ...]
    kept: tuple[int, ...]
    name_width: int
    cuts_end: bool
    page: int = 0
    pages: int = 1

    @property
    def sign(self) -> str:
        """How many columns there are beside these, and on which sides."""
        if self.pages == 1:
            return ""
        more = f"+{len(self.columns) - len(self.kept)}"
        before, behind = "‹ " * (self.page > 0), " ›" * (self.page < self.pages - 1)
        return f"{before}{more}{behind}"

    def head(self, name: str) -> str:
        """The names of the columns, each where its cells stand, and whether there are more."""
        cells = [(self.columns[place].name, "") for place in range(len(self.columns))]
        if self.sign:
            name = f"{_cut(name, max(1, self.name_width - len(self.sign) - 1))} {self.sign}"
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
    page: int = 0,
) -> Laid:
    """The columns that fit into `room` cells behind a name of at most `widest`, which gives way
    down to `least` before a column goes. Names that differ by their end are cut in the middle,
    those that are read from their beginning at the end (`cuts_end`). The columns that go stand on
    further pages, in their order; behind the last `page` there is none."""
    least = min(widest, least)
    pages = _pages(columns, room, least)
    if len(pages) > 1:
        # The sign that there are more stands beside the head of the names.
        widest, least = max(widest, _HEAD), max(least, _HEAD)
        pages = _pages(columns, room, least)
    page = min(page, len(pages) - 1)
    kept = pages[page]
    name_width = max(1, min(widest, room - _used(columns, kept)))
    return Laid(columns, kept, name_width, cuts_end, page, len(pages))


def _pages(columns: Sequence[Column], room: int, least: int) -> list[tuple[int, ...]]:
    kept = list(range(len(columns)))
    while kept and _used(columns, kept) + least > room:
        rank = max(columns[place].rank for place in kept)
        if rank == 0:
            break
        kept.remove(max(place for place in kept if columns[place].rank == rank))
    pages = [tuple(kept)]
    page: list[int] = []
    for place in (place for place in range(len(columns)) if place not in kept):
        if page and _used(columns, [*page, place]) + least > room:
            pages.append(tuple(page))
            page = []
        page.append(place)
    return [*pages, tuple(page)] if page else pages


def _used(columns: Sequence[Column], kept: Sequence[int]) -> int:
    return 1 + sum(_GAP + columns[place].width for place in kept)


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
