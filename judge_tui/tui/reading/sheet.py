"""Where a rendered document is written: lines of styled text, with margins for lists and quotes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from judge_tui.tui.reading.reading import Part, Span
from judge_tui.visible import TAB_WIDTH, visible

RULE = "─" * 40

_ROOM = 56
"""In cells: what is drawn in columns is no wider than this where the width of the screen is not
known, so that it has room on small ones, too."""

Run = tuple[str, tuple[str, ...]]
"""Foreign text and the styles it has."""

_DEEPEST = 12
"""Margins drawn: a document nested thousands of levels deep is not pushed out of sight."""


@dataclass(slots=True)
class _Margin:
    rest: str
    style: str
    first: str | None = field(default=None)


class Sheet:
    """Takes foreign text from top to bottom, and gives it away as visible parts.

    Line ends are written when something follows them, so that no part ends with one, and blank
    lines between blocks are one however many ask for them.
    """

    def __init__(self, room: int = 0) -> None:
        self._room = room or _ROOM
        self._pieces: list[str] = []
        self._spans: list[Span] = []
        self._length = 0
        self._column = 0
        self._line_ends = 0
        self._begun = False
        self._margins: list[_Margin] = []

    @property
    def length(self) -> int:
        """How much was written since the last part was taken."""
        return self._length

    @property
    def room(self) -> int:
        """Cells that a line has beside its margins."""
        return self._room - sum(len(margin.rest) for margin in self._margins[:_DEEPEST])

    @property
    def at_line_start(self) -> bool:
        return self._line_ends > 0 or not self._begun

    @property
    def begins_item(self) -> bool:
        """Whether the innermost margin has not begun its first line yet."""
        return bool(self._margins) and self._margins[-1].first is not None

    def write(self, text: str, styles: tuple[str, ...] = ()) -> None:
        """Write foreign text as it stands, its line ends with it."""
        if "\n" not in text:
            self._write(text, styles)
            return
        first, *others = text.replace("\r\n", "\n").split("\n")
        self._write(first, styles)
        for line in others:
            self._line_ends += 1
            self._write(line, styles)

    def write_runs(self, runs: Iterable[Run]) -> None:
        for text, styles in runs:
            self.write(text, styles)

    def end_line(self) -> None:
        """What comes next begins a line."""
        self._line_ends = max(1, self._line_ends)

    def gap(self) -> None:
        """What comes next has a blank line above it."""
        self._line_ends = max(2, self._line_ends)

    def indent(self, rest: str, *, first: str | None = None, style: str = "") -> None:
        """Begin each line with `rest`, the next one with `first`, until `outdent`."""
        self._margins.append(_Margin(rest, style, first))

    def outdent(self) -> None:
        margin = self._margins[-1]
        if margin.first is not None and len(self._margins) <= _DEEPEST:
            # An item that holds nothing is seen all the same.
            self._write("", (), even_empty=True)
        self._margins.pop()

    def part(self) -> Part:
        """What was written since the last part was taken."""
        part = Part("".join(self._pieces), tuple(self._spans))
        self._pieces, self._spans, self._length = [], [], 0
        return part

    def _write(self, text: str, styles: tuple[str, ...], *, even_empty: bool = False) -> None:
        """Write a piece of one line."""
        if not text and not even_empty:
            return
        if self.at_line_start:
            self._begin_line()
        shown = (
            visible(" " * self._column + text)[self._column :] if "\t" in text else visible(text)
        )
        start = self._length
        self._add(shown)
        self._column = (self._column + len(shown)) % TAB_WIDTH
        self._spans += ((start, self._length, style) for style in styles)

    def _begin_line(self) -> None:
        if self._begun:
            self._add("\n" * self._line_ends)
        self._begun = True
        self._line_ends = 0
        self._column = 0
        for margin in self._margins[:_DEEPEST]:
            text = margin.rest if margin.first is None else margin.first
            margin.first = None
            start = self._length
            self._add(text)
            if margin.style:
                self._spans.append((start, self._length, margin.style))

    def _add(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self._length += len(text)
