"""Parameters that are more than one number: the gains of grades, the points of recall."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

__all__ = ["GRADED", "Gains", "Points", "number", "share"]


class Gains(NamedTuple):
    """What a document of each grade gains. A grade that is not in `pairs` gains its own number.

    `pairs`: (grade, gain), ascending by grade, without those that say nothing new.
    """

    pairs: tuple[tuple[int, float], ...] = ()

    @classmethod
    def read(cls, text: str) -> Gains:
        """Read `{1:3.5,2:9}`, as ir_measures writes it, or trec_eval's `1=3.5,2=9`.

        Raises `ValueError` for anything else, and where a grade is named twice.
        """
        inside = text[1:-1] if text.startswith("{") and text.endswith("}") else text
        gains: dict[int, float] = {}
        for part in inside.split(",") if inside.strip() else ():
            match = re.fullmatch(r"\s*([0-9]{1,10})\s*[:=]\s*(\S+)\s*", part)
            if match is None or int(match[1]) in gains:
                raise ValueError(text)
            gains[int(match[1])] = number(match[2])
        return cls(tuple((grade, gain) for grade, gain in sorted(gains.items()) if gain != grade))

    def of(self, grade: int) -> float:
        """The gain of a document of that grade."""
        for known, gain in self.pairs:
            if known == grade:
                return gain
        return float(grade)

    def __repr__(self) -> str:
        return "{" + ",".join(f"{grade}:{_short(gain)}" for grade, gain in self.pairs) + "}"


GRADED = Gains()
"""Every grade gains its own number."""


class Points(tuple[float, ...]):
    """Levels of recall, ascending, each between 0 and 1."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Points:
        """Read `0.2,0.5,0.8`. Raises `ValueError` for anything else."""
        return cls(sorted({share(part) for part in text.split(",")}))

    def __repr__(self) -> str:
        return "'" + ",".join(_short(point) for point in self) + "'"


def number(text: str) -> float:
    """Read a decimal number; `ValueError` for infinity, NaN, underscores and other alphabets."""
    if not re.fullmatch(r"\s*[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\s*", text):
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    value = number(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def _short(value: float) -> str:
    """The shortest text that reads as the same number: 1 for 1.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
