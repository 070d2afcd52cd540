"""Numbers drawn in the row that they stand in."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import NamedTuple

from textual.content import Content

WIDTH = 21
"""Cells of what is drawn: odd, so that a difference has its 0 in the middle."""

_PARTS = " ▏▎▍▌▋▊▉"
_HEIGHTS = " ▁▂▃▄▅▆▇█"


class Axis(NamedTuple):
    """What a line begins and ends with."""

    start: float
    end: float

    @classmethod
    def around(cls, values: Iterable[float | None]) -> Axis:
        """The tenths that hold all values."""
        known = [value for value in values if value is not None] or [0.0, 1.0]
        return cls(floor(10 * min(known)) / 10, ceil(10 * max(known)) / 10)

    @classmethod
    def from_zero(cls, values: Iterable[float | None]) -> Axis:
        """From 0 to 1, where most measures end, or to the greatest value."""
        return cls(0.0, max(1.0, *(value for value in values if value is not None), 0.0))

    @property
    def title(self) -> str:
        """Both ends."""
        start, end = f"{self.start:g}", f"{self.end:g}"
        return f"{start}{end:>{WIDTH - len(start)}}"

    def at(self, value: float) -> int:
        """The cell in which the value stands."""
        share = (value - self.start) / ((self.end - self.start) or 1.0)
        return min(WIDTH - 1, max(0, round(share * (WIDTH - 1))))


def interval(
    axis: Axis, ends: tuple[float, float], mean: float | None = None, mark: float | None = None
) -> Content:
    """`├──●──┤` from one end to the other; where the `mark` stands, and nothing else, a dotted
    line."""
    low, high = map(axis.at, ends)
    cells = [" "] * WIDTH
    if mark is not None:
        cells[axis.at(mark)] = "┊"
    cells[low : high + 1] = "─" * (high - low + 1)
    cells[low], cells[high] = ("├", "┤") if low < high else ("│", "│")
    if mean is not None:
        cells[axis.at(mean)] = "●"
    return Content("".join(cells))


def value(axis: Axis, number: float) -> Content:
    """From the left, in eighths of a cell; what is not 0 is seen."""
    eighths = round(8 * WIDTH * min(1.0, number / axis.end))
    eighths = max(eighths, 1 if number > 0 else 0)
    return Content("█" * (eighths // 8) + _PARTS[eighths % 8].strip())


def difference(value: float, greatest: float) -> Content:
    """To the right what is more than 0, in green, to the left what is less, in red; in half cells.
    `greatest`: the difference that fills its half."""
    half = WIDTH // 2
    share = min(1.0, abs(value) / greatest) if greatest else 0.0
    halves = max(round(2 * half * share), 1 if value else 0)
    if value < 0:
        drawn = "▐" * (halves % 2) + "█" * (halves // 2)
        return Content.assemble((drawn.rjust(half), "$text-error"), ("│", "dim"))
    drawn = "█" * (halves // 2) + "▌" * (halves % 2)
    return Content.assemble(" " * half, ("│", "dim"), (drawn, "$text-success"))


def difference_title(greatest: float) -> str:
    """Both ends of the line of differences, and its 0."""
    end = f"{greatest:.2f}"
    return f"-{end}{'0':^{WIDTH - 2 * len(end) - 2}}+{end}"


def column(count: int, of: int) -> str:
    """One cell, as high as the share; what is not 0 is seen."""
    return _HEIGHTS[-(-8 * count // of)] if of else " "
