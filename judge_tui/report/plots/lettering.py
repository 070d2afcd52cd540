"""Text and numbers in a picture: how they are written, and how much room they take."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import accumulate, takewhile
from math import isfinite

from judge_tui.visible import visible_line

__all__ = ["FONT_SIZE", "cut", "cut_name", "digits", "finite", "folded", "width_of"]

FONT_SIZE = 12

# Shares of the font size: how wide the letters of the wider ones of common sans-serif fonts are.
_THIN, _LETTER, _CAPITAL, _WIDE = 0.42, 0.63, 0.74, 1.05
_WIDTHS = {
    **dict.fromkeys(" !'(),./:;I[]fijlrt|`", _THIN),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ_", _CAPITAL),
    **dict.fromkeys("MW@%mw", 1.0),
}


def finite(value: float | None) -> float | None:
    """The value, None where it is none that can be drawn."""
    return float(value) if value is not None and isfinite(value) else None


def digits(values: list[float | None], *, signed: bool = False) -> list[str]:
    """Each value in words of its column: three decimals, none where all are whole numbers."""
    there = [value for value in values if value is not None]
    form = ".0f" if all(value.is_integer() and abs(value) < 1e9 for value in there) else ".3f"
    if any(abs(value) >= 1e9 for value in there):
        form = ".3g"
    sign = "+" if signed else ""
    return ["" if value is None else _signless_zero(f"{value:{sign}{form}}") for value in values]


def _signless_zero(shown: str) -> str:
    return shown.lstrip("+-") if not shown.strip("+-0.") else shown


def width_of(shown: str, size: float = FONT_SIZE) -> float:
    """About how wide a text is drawn."""
    return sum(_WIDTHS.get(char) or _other(char) for char in shown) * size


def _other(char: str) -> float:
    wide = not char.isascii() and unicodedata.east_asian_width(char) in "WF"
    return _WIDE if wide else _LETTER


def cut(shown: str, room: float, size: float = FONT_SIZE) -> str:
    """As much of a text as `room` has, with an ellipsis where that is not all."""
    return _shortened(shown, room, size, of_end=0.0)


def cut_name(shown: str, room: float, size: float = FONT_SIZE) -> str:
    """`cut`, but in the middle, for what names stand in: most of what is kept is the end, by which
    they differ."""
    return _shortened(shown, room, size, of_end=2 / 3)


def _shortened(shown: str, room: float, size: float, *, of_end: float) -> str:
    """`of_end`: the share of the room that the end of the text has before its beginning."""
    shown = visible_line(shown)
    if width_of(shown, size) <= room + 0.01:
        return shown
    room -= _WIDE * size
    end = _fitting(reversed(shown), room * of_end, size)
    tail = shown[len(shown) - end :]
    while tail and unicodedata.category(tail[0]).startswith("M"):  # marks of a letter that is gone
        tail = tail[1:]
    head = shown[: _fitting(shown, room - width_of(tail, size), size)]
    return f"{head}…{tail}"


def _fitting(chars: Iterable[str], room: float, size: float) -> int:
    """How many of them, one after the other, have room."""
    widths = accumulate(width_of(char, size) for char in chars)
    return sum(1 for _ in takewhile(lambda width: width <= room, widths))


def folded(note: str, room: float) -> list[str]:
    """The words of a note, in lines that fit."""
    lines: list[str] = []
    for word in note.split():
        if lines and width_of(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [cut_name(one, room) for one in lines]
