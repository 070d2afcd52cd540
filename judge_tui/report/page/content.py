"""What a page consists of, before it is HTML or Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from judge_tui.report.layout import Table, plain
from judge_tui.report.plots import Picture


@dataclass(frozen=True, slots=True)
class Terms:
    """Names and what they are."""

    items: Sequence[tuple[str, str]]


Block: TypeAlias = str | Terms | Table | Picture
"""Text is a note, such as one on the table above it. A picture stands beside a table of the same
numbers: Markdown has the table alone."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is folded away until somebody asks for it. `key` names it in links: letters and hyphens;
    `about`: what is in it, in a few words."""

    key: str
    title: str
    about: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Page:
    """A page, from its first line to its last: sentences that answer the question, what they rest
    on (`sure`), what could change them (`doubts`), the `systems`, and the rest."""

    title: str
    about: str
    answer: Sequence[str]
    sure: Sequence[str]
    doubts: Sequence[str]
    systems: Sequence[Block]
    parts: Sequence[Part]


def blocks_of(tables: Iterable[Table], most: int = 60) -> Iterator[Block]:
    """What tables of a report found, of more than `most` rows the first and the last, and why
    numbers are not there; on what all numbers rest, the page says once."""
    for table in map(_in_words, tables):
        if table.about == "reasons":
            for (line,) in table.rows:
                yield f"{str(table.columns[0].title).capitalize()}: {line}."
        elif table.about == "findings" and table.columns and table.rows:
            if len(table.rows) <= most:
                yield table
                continue
            half = most // 2
            yield table._replace(rows=[*table.rows[:half], *table.rows[-half:]])
            yield f"The first and the last {half} of {len(table.rows):,} rows."


def sentence_of(warning: str) -> str:
    """A warning as a sentence; a name that it begins with, such as a file's, stays as it is."""
    is_word = warning.partition(" ")[0].isalpha()
    return f"{warning[:1].upper() if is_word else warning[:1]}{warning[1:]}."


_WORDS = {"run": "system", "delta": "difference"}


def _in_words(table: Table) -> Table:
    """The table for readers, in the words of the page."""
    table = table.for_readers()
    columns = [
        one._replace(
            title=_WORDS.get(one.title or "", one.title),
            # There is room for all of a query.
            show=plain if one.key == "text" else one.show,
        )
        for one in table.columns
    ]
    return table._replace(columns=columns)
