"""Numbers as files write them, by one strict reader each: `RecordError` for what is none."""

from __future__ import annotations

import re

from judge_tui.formats.problems import RecordError, quoted

# pandas writes a column of whole numbers as 1.0 where one of its cells is empty.
_WHOLE = re.compile(r"([+-]?[0-9]{1,16})(?:\.0*)?")
_LIMIT = 2**31
# Made once: readers ask hundreds of thousands of times.
_WRITTEN = (str, int, float)
# As pandas writes columns of booleans; JavaScript and R differ from it in capitals alone.
_TRUTHS = {"true": 1, "false": 0}


def score_of(value: object) -> float:
    """Read a finite decimal number; of text not 12abc, 0x1p3, 1_000, nan or inf."""
    number = number_in(value)
    if number is None:
        raise RecordError(
            f"score {_shown(value)} is not a finite decimal number", "write it like 12.5 or 1.25e1"
        )
    return number


def grade_of(value: object) -> int:
    """Read a whole number of 32 bits: `2`, `-1`, `1.0`; `True` in a table is 1."""
    truth = _TRUTHS.get(value.lower()) if isinstance(value, str) else None
    whole = _whole(value) if truth is None else truth
    if whole is None or not -_LIMIT <= whole < _LIMIT:
        raise RecordError(
            f"grade {_shown(value)} is not a whole number of 32 bits", "write it like 2"
        )
    return whole


def rank_of(value: object) -> int:
    """Read a whole number from 0 up. Where -1 stands for what was not found, it must not come
    before all that was."""
    return count_of(value, "rank")


def count_of(value: object, noun: str) -> int:
    """Read a whole number from 0 up; `noun` is what messages call it."""
    count = _whole(value)
    if count is None or count < 0:
        what = f"{noun} {_shown(value)} is not a whole number from 0 up"
        raise RecordError(what, "write it like 2")
    return count


def seconds_of(value: object) -> float | None:
    """Read a number of seconds; None where there is none."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    seconds = number_in(value)
    if seconds is None or seconds < 0:
        raise RecordError(f"{_shown(value)} is not a number of seconds", "write it like 12.5")
    return seconds


def number_in(value: object) -> float | None:
    """Read a finite decimal number; None of anything else."""
    # Python alone would also take 1_000 and ٣, and below inf.
    if isinstance(value, str):
        if "_" in value or not value.isascii():
            return None
    elif not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return None if number - number else number


def _whole(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, _WRITTEN):
        return None
    if isinstance(value, str):
        match = _WHOLE.fullmatch(value.strip())
        return int(match[1]) if match else None
    return int(value) if float(value).is_integer() and abs(value) < 2.0**53 else None


def _shown(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    return f"{value!r:.60}" if value is not None else "(none)"
