"""What a format is: a kind of file, a name within that kind, and how it is told and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from judge_tui.formats.problems import Reporter
from judge_tui.formats.sieve import IdOf
from judge_tui.formats.source import Source

if TYPE_CHECKING:
    from judge_tui.formats.plain_lists import Lists

__all__ = ["CALLED", "LONG_LINE", "Format", "Kind", "Likeness", "PlainLists", "Sample"]

Kind: TypeAlias = Literal["run", "qrels", "judgments", "queries", "documents"]

CALLED: dict[Kind, str] = {
    "run": "a run",
    "qrels": "qrels",
    "queries": "a queries file",
    "documents": "a documents file",
    "judgments": "judgments of several judges",
}

LONG_LINE = 300
"""In bytes: where nothing else tells queries from documents, longer lines are documents."""

Row = TypeVar("Row")


PlainLists: TypeAlias = "Callable[[Source, bool], Iterator[Lists]]"
"""The source, and whether rows of two tags make one run, too -> its lists."""


class Likeness(IntEnum):
    """How much the first lines of a file look like a format."""

    NO = 0
    POSSIBLE = 1
    LIKELY = 2
    SURE = 3
    NAMED = 4
    """A header names the columns: that says more than how many there are."""


class Sample:
    """The first lines of a file that hold something: what its format is told by. Of JSON that is
    one value over several lines there are more."""

    _LINES = 50

    def __init__(self, source: Source) -> None:
        lines = source.outline.split(b"\n")
        # The last line of a head may be cut anywhere; one that is also the first has to do.
        if not source.whole and len(lines) > 1:
            lines.pop()
        held = self._held = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
        first = held[0][1].strip() if held else b""
        goes_on = first.startswith(b"[") or (first.startswith(b"{") and not first.endswith(b"}"))
        self.numbered = held if goes_on else held[: self._LINES]

    @cached_property
    def lines(self) -> list[bytes]:
        return [line for _, line in self.numbered]

    @property
    def all_lines(self) -> list[bytes]:
        """As many lines as were looked at: where a few may say otherwise than the first ones do."""
        return [line for _, line in self._held]

    @property
    def first(self) -> bytes:
        """The first line that holds something, without the white space around it."""
        return self.lines[0].strip() if self.lines else b""

    @property
    def typical_size(self) -> int:
        """The median size of the lines in bytes: queries are short, documents are not."""
        return sorted(map(len, self.lines))[len(self.lines) // 2] if self.lines else 0

    def mostly(self, holds: Callable[[bytes], bool]) -> bool:
        """Whether half of the lines are so: bad lines among them do not hide a format."""
        return bool(self.lines) and 2 * sum(map(holds, self.lines)) >= len(self.lines)


class Format(NamedTuple, Generic[Row]):
    """One format of one kind of file.

    `layout` says in a few words what a line or a record holds; `likeness` tells the format by a
    sample; `rows` yields what the file holds, in file order and with line numbers, reports what
    is malformed and leaves it out. What concerns several rows (duplicates) is not its business.
    `id_of` tells a record's id by a look at its line, where a record is a line. `only_by_name`: a
    file is read so where somebody says it, whatever it looks like. `several_runs`: a file
    may hold some, told by the tags of their rows. `by_text`: it has no ids of queries, whose text
    stands for the id. `lists`: of a run in a table, its lists a piece at a time, as long as nothing
    is wrong with it (`plain_table`): several times as fast as `rows`. `has_texts`: it has ids of
    queries and their texts as well, which the format of queries of the same name reads.

    A reader of runs, qrels or judgments yields ids as `ids.id_in` has them; a text that stands for
    an id is `ids.text_field`. The ids of queries and documents come as they stand in the file;
    `rows.rows_of` makes ids of them.
    """

    kind: Kind
    name: str
    layout: str
    likeness: Callable[[Sample], Likeness]
    rows: Callable[[Source, Reporter], Iterator[Row]]
    id_of: IdOf | None = None
    only_by_name: bool = False
    several_runs: bool = False
    by_text: bool = False
    lists: PlainLists | None = None
    has_texts: bool = False
