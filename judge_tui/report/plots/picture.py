"""What is drawn: the few kinds of picture that a report has, before they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Bars", "Histogram", "Interval", "Intervals", "Picture", "Series"]


@dataclass(frozen=True, slots=True)
class Interval:
    """One row: a value with its interval `low` to `high`, and the wider band `least` to `greatest`
    of what it could be. None (or NaN) is undefined: nothing is drawn, and `words` say why.

    `words` stand beside the row. `tone` gives the mark a shape and a colour of its own.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    least: float | None = None
    greatest: float | None = None
    words: str = ""
    tone: Literal["good", "bad"] | None = None


@dataclass(frozen=True, slots=True)
class Intervals:
    """Dots with whiskers, one below the other, on the scale of `unit` ("nDCG@10").

    `mark`: where a line crosses the rows, such as 0 or the baseline's mean; `marked`: how many from
    the top, None for all. `note` says in one line what the whiskers and the band are.
    """

    title: str
    unit: str
    rows: Sequence[Interval]
    mark: float | None = None
    marked: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A named row of values; None (or NaN) is undefined, and no bar is drawn."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar for each label (and series), from 0 to its value, to the left where that is negative.

    Every series has a value for each label. Few labels stand beside bars that lie; more than a page
    has room for become columns without labels, in the same order.
    """

    title: str
    unit: str
    labels: Sequence[str]
    series: Sequence[Series]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many of something fell into each of the `buckets`, one strip of columns for each series.

    `unit` says what is counted ("queries"), `axis` what the buckets are ("rank of the first
    relevant document").
    """

    title: str
    unit: str
    buckets: Sequence[str]
    series: Sequence[Series]
    axis: str = ""
    note: str = ""


Picture: TypeAlias = Intervals | Bars | Histogram
