"""What a page consists of, before it is HTML or Markdown: sections of plain blocks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.report.grids import Grid
from judge_tui.report.plots import Picture

__all__ = ["Block", "Figure", "Page", "Paragraph", "Points", "Section", "Table", "Terms", "tables"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; `strong` is for the one that carries the section."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """A list, one sentence or so each."""

    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class Terms:
    """Names and what they are."""

    items: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Table:
    """The grid, its title as the caption; `note` says what its columns are."""

    grid: Grid
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, beside a table of the same numbers: Markdown has the table alone."""

    picture: Picture


Block: TypeAlias = Paragraph | Points | Terms | Table | Figure


def tables(grids: Iterable[Grid], most: int = sys.maxsize) -> Iterator[Block]:
    """What the grids found, and why numbers are not there; on what all numbers rest, the page says
    once. Of more than `most` rows, the first and the last."""
    for grid in grids:
        if not grid.rows or grid.says == "basis":
            continue
        if len(grid.rows) > most:
            half = most // 2
            rows = [*grid.rows[:half], *grid.rows[-half:]]
            note = f"The first and the last {half} of {len(grid.rows):,} rows."
            yield Table(grid._replace(rows=rows), note)
        elif grid.says == "reasons":
            yield Points([f"Without a value: {line}." for (line,) in grid.rows])
        else:
            yield Table(grid)


@dataclass(frozen=True, slots=True)
class Section:
    """`key` names it in links; it is made of letters and hyphens."""

    key: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """The `answer` comes first, before all sections."""

    title: str
    answer: Sequence[Block]
    sections: Sequence[Section]
