"""Numbers as tables and JSON write them, and what is said of those that are none."""

from __future__ import annotations

import re
from math import isfinite

from judge_tui.formats.problems import Reporter, quoted

__all__ = ["grade_in", "no_grade", "rank_in", "score_in", "whole_in"]

# pandas writes a column of whole numbers as 1.0 where one of its cells is empty.
_WHOLE = re.compile(r"([+-]?[0-9]{1,16})(?:\.0*)?")
_FRACTION = re.compile(r"[+-]?[0-9]{0,16}\.[0-9]{1,16}")
_NOTHING = ("null", "nan", "none", "na", "n/a")
_LIMIT = 2**31
# So does it write columns of booleans; JavaScript and R differ from it in capitals alone.
_TRUTHS = {"true": 1, "false": 0}


def score_in(text: str, line: int, report: Reporter) -> float | None:
    """The finite decimal number that `text` is; None where it is none, and has been reported."""
    # Python alone would also take 1_000, inf and ٣.
    if text.isascii() and "_" not in text:
        try:
            score = float(text)
        except ValueError:
            pass
        else:
            if isfinite(score):
                return score
    report(
        line,
        f"score {quoted(text)} is not a finite decimal number",
        "write it like 12.5 or 1.25e1",
    )
    return None


def whole_in(text: str) -> int | None:
    """The whole number that `text` is (`3`, `-1`, `3.0`); None where it is none."""
    match = _WHOLE.fullmatch(text)
    return int(match[1]) if match else None


def rank_in(text: str, line: int, report: Reporter) -> int | None:
    """The whole number from 0 up that `text` is (`3`, `3.0`), else None, and a report."""
    rank = whole_in(text)
    # Where -1 stands for what was not found, it must not come before all that was.
    if rank is not None and rank >= 0:
        return rank
    report(line, f"rank {quoted(text)} is not a whole number from 0 up", "write it in digits")
    return None


def grade_in(text: str, line: int, report: Reporter) -> int | None:
    """The whole number of 32 bits that `text` is (`2`, `-1`, `1.0`; `True` is 1), else None,
    and a report."""
    whole = whole_in(text)
    grade = whole if whole is not None else _TRUTHS.get(text.lower())
    if grade is not None and -_LIMIT <= grade < _LIMIT:
        return grade
    no_grade(text, line, report)
    return None


def no_grade(text: str | bytes, line: int, report: Reporter) -> None:
    """Report a grade that is none."""
    written = text if isinstance(text, str) else text.decode("utf-8", "replace")
    if written.lower() in _NOTHING:
        mend = "where nobody judged the document, leave it out"
    elif _FRACTION.fullmatch(written):
        mend = "write it in digits, like 2: of a scale such as 0, 0.5, 1 make 0, 1, 2"
    else:
        mend = "write it in digits, like 2, or -1 for pooled but not judged"
    report(line, f"grade {quoted(text)} is not a whole number of 32 bits", mend)
