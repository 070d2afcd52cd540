"""Judgments as UMBRELA writes them: JSON Lines, what a model said of a passage for a query.

Its records (castorini/umbrela, `prepare_judgments`) have no ids, so that the passage names the
document; ids that somebody added count. An answer that it could not parse comes as 0 with
`result_status` 0: no judgment was made, and none is read. Files of before that status was have the
answer alone to tell by: a 0 that stands nowhere in it was not parsed either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from judge_tui.formats.json_records import RecordError, records
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.pair_names import (
    open_pair,
    pair_names,
    text_at,
)
from judge_tui.formats.problems import Reporter, counted
from judge_tui.formats.source import Source

__all__ = ["UMBRELA_GRADES", "rows"]

UMBRELA_GRADES = range(4)
"""The grades that its prompts ask for, from irrelevant to perfectly relevant."""

# An answer that is nothing but its grade explains nothing.
_BARE_ANSWER = re.compile(r"[\W_]*(?:final|overall)?[\W_]*(?:score|o)?[\W_]*[0-9]?[\W_]*", re.I)
_ZERO = re.compile(r"(?<![0-9.])0(?:\.0+)?(?!\.?[0-9])")


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every judgment that was parsed, under the model's name. What the model gave as its reasons,
    else an answer of more than a grade, is a note. A passage that is judged again with the same
    outcome counts once: two documents may have one text. What was not parsed is to be judged."""
    missing = again = found = 0
    grades: dict[tuple[str, str, str], int | None] = {}
    for line, row in records(source, report, _row):
        if row.decision == "open":
            missing += 1
            yield row._replace(line=line)
            continue
        found += 1
        key = (row.query_id, row.passage, row.judge)
        if row.passage and key in grades and grades[key] == row.grade:
            again += 1
            continue
        grades.setdefault(key, row.grade)
        yield row._replace(line=line)
    if missing and not found:
        report(None, f"none of {counted(missing, 'answer')} could be parsed", "judge them again")
    elif missing:
        what = counted(missing, "answer")
        report.notes.append(f"{what} that could not be parsed left out: missing, not 0")
    if again:
        report.notes.append(f"{counted(again, 'passage')} judged again, with the same grade")


def _row(record: dict[str, Any]) -> JudgmentRow:
    """What a record says: an open pair where the model's answer was not parsed."""
    names = pair_names(record)
    status = record.get("result_status", 1)
    if isinstance(status, bool):
        status = int(status)
    if status not in (0, 1):
        raise RecordError("'result_status' is neither 0 nor 1", "write 1 where it was parsed")
    grade = _grade(record.get("judgment"))
    if status == 0 or grade is None or (grade == 0 and _is_unparsed(record)):
        return open_pair(0, names)
    answer = text_at(record, "prediction")
    note = text_at(record, "reasoning") or ("" if _BARE_ANSWER.fullmatch(answer) else answer)
    return JudgmentRow(
        0,
        names.query_id,
        names.doc_id,
        text_at(record, "model"),
        "grade",
        grade,
        note,
        query_text=names.query_text,
        by_text=names.by_text,
        passage=names.passage,
        kind="model",
    )


def _is_unparsed(record: dict[str, Any]) -> bool:
    """Whether a 0 of a record without a status is none that the model gave."""
    if record.get("result_status") is not None or record.get("prediction") is None:
        return False
    return _ZERO.search(text_at(record, "prediction")) is None


def _grade(value: Any) -> int | None:
    if isinstance(value, bool):
        raise RecordError(f"'judgment' is {str(value).lower()}, no number", "write a grade, 0 to 3")
    if isinstance(value, str) and value.strip().isdecimal() and value.isascii():
        value = float(value.strip()[:9])
    if not isinstance(value, int | float):
        return None
    return int(value) if value in UMBRELA_GRADES else None
