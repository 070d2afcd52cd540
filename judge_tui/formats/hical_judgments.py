"""Judgments as HiCAL exports them: a CSV with a row for each judgment of each user.

Its commands `judgments_to_csv` and `judgments_trec_to_csv` write USER,TOPIC,DOCID,(METHOD,)
JUDGMENT(,TIME_AWAY,TIME_TO_JUDGE), times in seconds; 2 is highly relevant, 1 relevant, 0 not
relevant. What its web page exports, and takes, is docno,judgment: one user's for one topic, which
it does not name.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from judge_tui.formats.ids import as_field, is_blank
from judge_tui.formats.judgments import JudgmentRow
from judge_tui.formats.numerals import grade_in
from judge_tui.formats.problems import Reporter, quoted
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.table import Header, header_of, seen_columns, whole_rows

__all__ = ["rows"]

_OF_ALL = ("user", "topic", "docid", "judgment")
_OF_SESSION = ("docno", "judgment")
_TIME = "time_to_judge"


def rows(source: Source, report: Reporter) -> Iterator[JudgmentRow]:
    """Every well-formed row. The user is the judge; the table of a session names neither judge nor
    query. How it was found (METHOD) and how long a user was away (TIME_AWAY) is not kept."""
    header = header_of(Sample(source))
    if header is None:
        return
    if not _is_hical(header):
        raise UnreadableError(
            source.path,
            header.line,
            f"these are not the columns of HiCAL; {seen_columns(header)}",
            f"name them {','.join(_OF_ALL).upper()}, or {','.join(_OF_SESSION)}",
        )
    whole = header.names != list(_OF_SESSION)
    user, topic, document, judgment = (
        [header.names.index(name) for name in _OF_ALL] if whole else [-1, -1, 0, 1]
    )
    time = header.names.index(_TIME) if _TIME in header.names else -1
    for line, cells in whole_rows(source, header, report):
        wanted = {"document": document, **({"query": topic, "judge": user} if whole else {})}
        if nameless := [noun for noun, place in wanted.items() if is_blank(cells[place])]:
            report(line, f"the row has no {nameless[0]}", f"give each row a {nameless[0]}")
            continue
        grade = grade_in(cells[judgment].strip(), line, report)
        seconds = _seconds(cells[time].strip(), line, report) if time >= 0 else None
        if grade is not None:
            yield JudgmentRow(
                line,
                as_field(cells[topic]) if whole else "",
                as_field(cells[document]),
                cells[user].strip() if whole else "",
                "grade",
                grade,
                seconds=seconds,
            )


def _seconds(cell: str, line: int, report: Reporter) -> float | None:
    """The seconds that somebody looked; None where nobody measured, as HiCAL has it: 0."""
    try:
        seconds = float(cell) if cell.isascii() and "_" not in cell else float("nan")
    except ValueError:
        seconds = 0.0 if not cell else float("nan")
    if isfinite(seconds) and seconds >= 0:
        return seconds or None
    report(line, f"time {quoted(cell)} is no number of seconds", "write it like 12.5, or 0")
    return None


def _is_hical(header: Header) -> bool:
    """Whether these are the columns of either of HiCAL's tables."""
    return header.is_hical or header.names == list(_OF_SESSION)
