"""What a page consists of, before it is HTML or Markdown: sections of plain blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.report.layout import Grid
from judge_tui.report.plots import Picture

__all__ = ["Block", "Figure", "Page", "Paragraph", "Points", "Section", "Table", "Terms"]


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
