"""Numbers drawn in the row that they stand in."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

WIDTH = 21
"""Cells of what is drawn: odd, so that a difference has its 0 in the middle."""

_PARTS = " ▏▎▍▌▋▊▉"
_HEIGHTS = " ▁▂▃▄▅▆▇█"


def interval_bar(
    ends: tuple[float, float],
    mean: float | None = None,
    mark: float | None = None,
    full: float = 1.0,
) -> Content:
    """`├──●──┤` from one end to the other, on a line from 0 to `full`; where the `mark` stands, and
    nothing else, a dotted line."""

    def at(value: float) -> int:
        return min(WIDTH - 1, max(0, round(value / (full or 1.0) * (WIDTH - 1))))

    low, high = map(at, ends)
    cells = [" "] * WIDTH
    if mark is not None:
        cells[at(mark)] = "┊"
    cells[low : high + 1] = "─" * (high - low + 1)
    cells[low], cells[high] = ("├", "┤") if low < high else ("│", "│")
    if mean is not None:
        cells[at(mean)] = "●"
    return Content("".join(cells))


def value_bar(value: float, full: float = 1.0) -> Content:
    """From the left, in eighths of a cell; what is not 0 is seen."""
    eighths = round(8 * WIDTH * min(1.0, value / full)) if full else 0
    eighths = max(eighths, 1 if value > 0 else 0)
    return Content("█" * (eighths // 8) + _PARTS[eighths % 8].strip())


def difference_bar(value: float, greatest: float) -> Content:
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


def column_bar(count: int, of: int) -> str:
    """One cell, as high as the share; what is not 0 is seen."""
    return _HEIGHTS[-(-8 * count // of)] if of else " "


def full_of(values: Iterable[float | None]) -> float:
    """What fills a line: 1, where most measures end, or the greatest value."""
    return max(1.0, *(value for value in values if value is not None), 0.0)


def axis(full: float, *, signed: bool = False) -> str:
    """The ends of a line, as its heading."""
    if signed:
        end = f"{full:.2f}"
        return f"-{end}{'0':^{WIDTH - 2 * len(end) - 2}}+{end}"
    return f"0{f'{full:g}':>{WIDTH - 1}}"
