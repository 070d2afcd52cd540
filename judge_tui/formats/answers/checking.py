"""Every problem of an answers file, and what it names that a checkout does not hold."""

from __future__ import annotations

import os

from judge_tui.errors import InputError
from judge_tui.formats.answers.in_checkout import not_in_checkout
from judge_tui.formats.answers.reading import read_answers

__all__ = ["check_answers"]


def check_answers(
    path: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None
) -> list[InputError]:
    """All problems of an answers file; with `root`, also the paths and lines that are not in that
    checkout, each with the line of its answer. Patterns are not looked for in it."""
    found: list[InputError] = []
    try:
        answers = read_answers(path, problems=found.append)
        if root is not None:
            found += not_in_checkout(path, answers, root)
    except InputError as error:
        found.append(error)
    return sorted(found, key=lambda problem: problem.line or 0)
