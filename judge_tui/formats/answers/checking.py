"""Every problem of an answers file, and what it names that a checkout does not hold."""

from __future__ import annotations

import os

from judge_tui.errors import InputError
from judge_tui.formats.answers.cautions import cautions_of
from judge_tui.formats.answers.in_checkout import not_in_checkout
from judge_tui.formats.answers.reading import answers_in
from judge_tui.formats.problems import Reporter
from judge_tui.formats.source import Source, open_source

__all__ = ["check_answers", "problems_of_answers"]


def check_answers(
    path: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None
) -> list[InputError]:
    """All problems of an answers file; with `root`, also the paths and lines that are not in that
    checkout, each with the line of its answer. Patterns are not looked for in it."""
    try:
        with open_source(path) as source:
            return problems_of_answers(source, root, [])
    except InputError as error:
        return [error]


def problems_of_answers(
    source: Source, root: str | os.PathLike[str] | None, notes: list[str]
) -> list[InputError]:
    """The same of a source that is open already. What is no problem and yet to be known is added to
    the `notes`."""
    found: list[InputError] = []
    try:
        answers = answers_in(source, Reporter(source.path, found.append))
        notes += cautions_of(answers)
        if root is not None:
            found += not_in_checkout(source.path, answers, root)
    except InputError as error:
        found.append(error)
    return sorted(found, key=lambda problem: problem.line or 0)
