"""Scores of a benchmark made grades, which are whole numbers: by a scale that is declared, or found
in the scores themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from judge_tui.errors import UsageError

__all__ = ["Grades", "found_grades", "parse_grades", "written_apart"]

_MOST = 10
"""Distinct scores of which each is a grade; of more nobody has graded by hand."""

_GREATEST = 1000

_USUAL = 10
"""Grades above it are rather scores, such as per cent, that nobody meant as grades."""

_DIGITS, _ALL_DIGITS = 6, 17
"""Of 17 digits, no two numbers of 64 bits have the same."""

_PART = re.compile(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*=\s*([0-9]{1,4})\s*")


@dataclass(frozen=True, slots=True)
class Grades:
    """`steps`: scores, ascending, each with the grade that documents have from that score on.
    `declared`: whether somebody said so."""

    steps: tuple[tuple[float, int], ...]
    declared: bool = False

    def of(self, score: float) -> int | None:
        """The grade of a score; None where it is less than the first of the steps."""
        grade = None
        for start, its_grade in self.steps:
            if score < start:
                break
            grade = its_grade
        return grade

    def note(self, scores: Sequence[float]) -> str:
        """What became of the scores, in a line; empty where nothing did."""
        if not self.declared and all(score == grade for score, grade in self.steps):
            return ""
        counts = Counter(map(self.of, scores))
        beginning, sign = ("as declared", "from ") if self.declared else ("found", "")
        written = written_apart([score for score, _ in self.steps])
        told = ", ".join(
            f"{sign}{score} is grade {grade} ({counts[grade]:,})"
            for score, (_, grade) in zip(written, self.steps, strict=True)
        )
        return f"scores became grades, {beginning}: {told}"

    def caution(self, scores: Sequence[float]) -> str:
        """Why relevant documents may be none, in a line; empty where nothing looks like it."""
        grades = {grade for score in scores if (grade := self.of(score)) is not None}
        says = "which documents are, --scores of load collection says"
        if grades and 0 not in grades:
            return f"warning: no document has grade 0: all count as relevant; {says}"
        if not self.declared and max(grades, default=0) > _USUAL:
            return (
                f"warning: scores up to {max(grades):,} are taken as grades, and all above 0 count"
                f" as relevant; {says}"
            )
        return ""


def written_apart(scores: Sequence[float]) -> list[str]:
    """Scores as text, in six digits, or in as many as it takes to tell unlike ones apart."""
    written: list[str] = []
    for digits in range(_DIGITS, _ALL_DIGITS + 1):
        written = [f"{score:.{digits}g}" for score in scores]
        if len(set(written)) == len(set(scores)):
            break
    return written


def parse_grades(text: str) -> Grades:
    """Read `0=0,0.5=1,1=2`: from each score on, the grade. Raises `UsageError`."""
    steps: dict[float, int] = {}
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None or int(match[2]) > _GREATEST:
            raise UsageError(
                f"{part.strip()!r:.60} of --scores is not SCORE=GRADE",
                "write from which score on each grade is meant: --scores 0=0,0.5=1,1=2",
            )
        score = float(match[1])
        if score in steps:
            raise UsageError(f"--scores names {score:g} twice", "give each score one grade")
        steps[score] = int(match[2])
    ordered = sorted(steps.items())
    for (_, before), (start, grade) in pairwise(ordered):
        if grade < before:
            raise UsageError(
                f"--scores gives a better score, {start:g}, a lower grade: {grade} after {before}",
                "let grades grow with the scores",
            )
    return Grades(tuple(ordered), declared=True)


def found_grades(scores: Iterable[float]) -> Grades | None:
    """The scale of some scores of 0 or more. Whole numbers up to 1,000 are grades as they are. Of
    others each distinct one is a grade, 0 for 0 and from 1 up for what is more: what has a score
    stays right. None where there are too many of them."""
    distinct = sorted(set(scores))
    if all(score.is_integer() and score <= _GREATEST for score in distinct):
        return Grades(tuple((score, int(score)) for score in distinct))
    if len(distinct) > _MOST:
        return None
    return Grades(tuple((score, at) for at, score in enumerate(distinct, distinct[0] > 0)))
