"""A scale of numbers along a picture: which, where, and how they are written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, isfinite, log10

from judge_tui.report.plots.elements import LINE, line, text
from judge_tui.report.plots.lettering import cut_name

__all__ = ["Axis", "axis_of", "foot"]

_TICKS = 5
_STEPS = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, drawn between `start` and `end`, with a number at each of `ticks`."""

    low: float
    high: float
    start: float
    end: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> float:
        """Where the value stands."""
        # Halves, as the difference of two great numbers may be too great for a float.
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + share * (self.end - self.start)

    @property
    def labels(self) -> tuple[str, ...]:
        """The ticks as they are written."""
        return tuple(f"{tick:.6g}" for tick in self.ticks)


def axis_of(values: Iterable[float], start: float, end: float) -> Axis:
    """An axis that has room for all `values` (finite), and something around a single one."""
    given = list(values) or [0.0, 1.0]
    low, high = min(given), max(given)
    size = max(abs(low), abs(high))
    if high / 2 - low / 2 <= size * 1e-6 or size < 1e-300:
        # Next to nothing between them: room to both sides, so that there is a scale at all.
        pad = size / 4 if size >= 1e-300 else 1.0
        low, high = low - pad, high + pad
    if not (isfinite(low) and isfinite(high)):
        low, high = max(low, -1.7e308), min(high, 1.7e308)
    return Axis(low, high, start, end, _ticks(low, high))


def foot(axis: Axis, bottom: float, unit: str) -> list[str]:
    """The numbers of an axis and what they are, below a picture."""
    return [
        line(axis.start, bottom, axis.end, bottom, ink=0.4),
        *(
            text(axis.at(tick), bottom + LINE, label, anchor="middle", size=11, faint=True)
            for tick, label in zip(axis.ticks, axis.labels, strict=True)
        ),
        text(
            (axis.start + axis.end) / 2,
            bottom + 2 * LINE,
            cut_name(unit, axis.end - axis.start, 11),
            anchor="middle",
            size=11,
        ),
    ]


def _ticks(low: float, high: float) -> tuple[float, ...]:
    """Round numbers between `low` and `high`."""
    rough = high / _TICKS - low / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next((one * power for one in _STEPS if one * power >= rough * 0.999), 10 * power)
    first, last = -floor(-low / step + 1e-9), floor(high / step + 1e-9)
    ticks = [place * step for place in range(first, last + 1)]
    inside = [tick for tick in ticks if isfinite(tick)]
    return tuple(inside) or (low, high)
