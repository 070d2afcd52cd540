"""What is no fault of an answers file, and seldom what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judge_tui.formats.answers.entry import Answered
from judge_tui.formats.problems import quoted
from judge_tui.scoring.class_terms import misspelt
from judge_tui.scoring.truths import Truth

__all__ = ["cautions_of"]

_GREATEST_OF_A_SCALE = 9
_BETWEEN = re.compile(r"\s*[,;]\s*")
_NOTHING = re.compile(
    r"n\.?/?a\.?|nan|none|null|nil|nothing|missing|unknown|todo|tbd|true|false|yes|no|[-–—?.*]+",
    re.IGNORECASE,
)
"""What people and programs write where there is nothing to write, or mark a cell with."""

_FORMULA = re.compile(r"[='].*")
_PATH = re.compile(r"\S*[^\s/.]\.[A-Za-z]\w{0,7}(?:[:#]\S*)?")


def cautions_of(answers: Sequence[Answered]) -> tuple[str, ...]:
    """Notes on classes that seem to be misspelt, on what is
    right twice for one query, on grades that look like columns, and on cells that look like several
    paths, or like none; of each kind one, with the first place and how many more there are."""
    return tuple(_notes(answers))


def _notes(answers: Sequence[Answered]) -> Iterator[str]:
    yield from misspelt(one.query_class for one in answers)
    twice = [(one.line, written) for one in answers for written in one.again]
    if twice:
        line, written = twice[0]
        yield (
            f"line {line}: {quoted(written)} is there a second time and counts once, with its best"
            f" grade{_more(len(twice))}: take it out, or write what was meant"
        )
    columns = [(one.line, truth) for one in answers for truth in one.truths if _is_column(truth)]
    if columns:
        line, truth = columns[0]
        yield (
            f"line {line}: {quoted(truth.written)} has grade {truth.grade}, more than the scale of"
            f" any campaign goes to{_more(len(columns))}: leave it out if it is a column"
        )
    several = [(one.line, cell) for one in answers for cell in _cells_of_several(one)]
    if several:
        line, cell = several[0]
        yield (
            f"line {line}: {quoted(cell)} is taken for one path{_more(len(several))}: give each"
            " result a cell of its own"
        )
    yield from _taken_for_paths(answers)


def _is_column(truth: Truth) -> bool:
    """Whether what stands behind a line seems to be no grade: `a.py:12:37`, as `rg --vimgrep` and
    compilers write a line and a column."""
    lines = None if truth.place is None else truth.place.lines
    return lines is not None and lines[0] == lines[1] and truth.grade > _GREATEST_OF_A_SCALE


def _cells_of_several(answer: Answered) -> Iterator[str]:
    for truth in answer.truths:
        parts = () if truth.place is None else _BETWEEN.split(truth.written)
        if len(parts) > 1 and all(map(_PATH.fullmatch, parts)):
            yield truth.written


def _taken_for_paths(answers: Sequence[Answered]) -> Iterator[str]:
    """Of cells that say that there is nothing, and of what is left of formulas."""
    paths = [(one.line, truth.written) for one in answers for truth in one.truths if truth.place]
    for seldom, mend in (
        (_NOTHING, "leave a cell empty where it says nothing"),
        (_FORMULA, "write the path alone if that is what is left of a formula"),
    ):
        cells = [(line, written) for line, written in paths if seldom.fullmatch(written)]
        if cells:
            line, written = cells[0]
            yield f"line {line}: {quoted(written)} is taken for a path{_more(len(cells))}: {mend}"


def _more(count: int) -> str:
    return f" (and {count - 1} more)" if count > 1 else ""
