"""One query of an answers file and its truths, whatever form the file has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge_tui.formats.problems import Reporter
from judge_tui.scoring.truths import Truth, place_of

__all__ = ["KEYS", "Answered", "entry_of", "truth_in"]

KEYS = (
    "query_id",
    "id",
    "query",
    "expected",
    "pattern",
    "patterns",
    "grade",
    "class",
)
"""What an entry may have."""

_GREATEST = 1000
_GRADED = re.compile(r"(.+:[0-9]{1,9}-[0-9]{1,9}):([0-9]{1,4})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answered:
    """A query and what is right for it. `query_id` is the file's own (`own_id`), else q001… by its
    place; `query` may be empty where it has one. `line` counts from 1."""

    query_id: str
    query: str
    truths: tuple[Truth, ...]
    query_class: str = ""
    line: int = 1
    own_id: bool = False


def entry_of(
    record: Mapping[str, Any], number: int, line: int, report: Reporter
) -> Answered | None:
    """What an object or table says; None where it cannot be used, which is reported.

    `number`: its place among the entries, from 1. Truths written twice are one.
    """
    bad = [name for name in record if name not in KEYS]
    if bad:
        report(line, f"an answer has no {bad[0]!r}", f"known: {', '.join(KEYS)}")
        return None
    query_id = record.get("query_id", record.get("id"))
    own_id = query_id is not None
    query = record.get("query", "" if own_id else None)
    if isinstance(query_id, int) and not isinstance(query_id, bool):
        query_id = str(query_id)
    query_id = query_id if own_id else f"q{number:03}"
    for name, value in (("query", query), ("query_id", query_id)):
        if not isinstance(value, str) or not (value.strip() or (own_id and name == "query")):
            report(line, f"an answer without {name}", f'write "{name}" as a text')
            return None
    grade = record.get("grade", 1)
    if not isinstance(grade, int) or isinstance(grade, bool) or not 0 <= grade <= _GREATEST:
        report(line, f"grade {grade!r} is none", f"write a whole number from 0 to {_GREATEST}")
        return None
    truths = _truths(record, grade, line, report)
    query_class = record.get("class", "")
    if truths is None:
        return None
    if not isinstance(query_class, str):
        report(line, "class is not a text", "write it in quotes")
        return None
    return Answered(query_id, query.strip(), truths, query_class, line, own_id)


def truth_in(cell: str, grade: int, line: int, report: Reporter) -> Truth | None:
    """A truth by its place: `path`, `path:start-end`, `path:start-end:grade`."""
    written, graded = cell.strip(), _GRADED.fullmatch(cell.strip())
    if graded is not None:
        written, grade = graded[1], int(graded[2])
        if grade > _GREATEST:
            report(line, f"grade {grade} is too great", f"write at most {_GREATEST}")
            return None
    if not written:
        report(line, "an expected result is empty", "write path, path:start-end or leave it out")
        return None
    place = place_of(written)
    if place.lines is None and re.search(r":[0-9]+-[0-9]+$", written):
        report(line, f"{written!r} ends before it begins", "write path:start-end")
        return None
    if place.lines is not None and place.lines[0] < 1:
        report(line, f"{written!r}: lines count from 1", "write path:start-end")
        return None
    return Truth(written, grade, place=place)


def _truths(
    record: Mapping[str, Any], grade: int, line: int, report: Reporter
) -> tuple[Truth, ...] | None:
    expected = _texts(record, "expected", line, report)
    patterns = _texts(record, "patterns", line, report)
    pattern = _texts(record, "pattern", line, report)
    if expected is None or patterns is None or pattern is None:
        return None
    truths: dict[tuple[str, bool], Truth] = {}
    whole = True
    for cell in expected:
        if (truth := truth_in(cell, grade, line, report)) is None:
            whole = False
        else:
            _keep(truths, truth)
    for written in (*pattern, *patterns):
        try:
            _keep(truths, Truth(written, grade, pattern=re.compile(written)))
        except (re.error, RecursionError, OverflowError) as error:
            report(line, f"pattern {written!r} is no regular expression: {error}", "mend it")
            whole = False
    if not truths and whole:
        report(line, "nothing is right for this query", "write expected, pattern or patterns")
        return None
    return tuple(truths.values()) if whole else None


def _keep(truths: dict[tuple[str, bool], Truth], truth: Truth) -> None:
    """The best grade counts where one is written twice."""
    key = (truth.written, truth.pattern is None)
    before = truths.get(key)
    if before is None or before.grade < truth.grade:
        truths[key] = truth


def _texts(
    record: Mapping[str, Any], name: str, line: int, report: Reporter
) -> tuple[str, ...] | None:
    """One text or a list of them; () where the record has none, None where it is something else."""
    value = record.get(name, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        report(line, f"{name} is neither a text nor a list of texts", f'write "{name}": ["…"]')
        return None
    return tuple(values)
