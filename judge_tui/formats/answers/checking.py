"""Every problem of an answers file, and what it names that a checkout does not hold."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.answers.entry import Answered
from judge_tui.formats.answers.reading import read_answers
from judge_tui.formats.checkout import read_checkout
from judge_tui.formats.inside import RefusedError, file_inside
from judge_tui.formats.problems import quoted
from judge_tui.scoring.truths import Place

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
            found += _missing(path, answers, root)
    except InputError as error:
        found.append(error)
    return sorted(found, key=lambda problem: problem.line or 0)


def _missing(
    path: str | os.PathLike[str], answers: Iterable[Answered], root: str | os.PathLike[str]
) -> list[InputError]:
    real_root = os.path.realpath(root)
    if not Path(real_root).is_dir():
        raise InputError(root, None, "there is no such folder", "give the folder of the checkout")
    named: dict[Place, dict[int, str]] = {}
    for answer in answers:
        for truth in answer.truths:
            if truth.place is not None:
                named.setdefault(truth.place, {}).setdefault(answer.line, truth.written)
    missing = _whole_files(named, real_root)
    # Sorted, each file is read once.
    lines = sorted((place.path, place.lines, place) for place in named if place.lines is not None)
    ids = {f"{file}:{start}-{end}": place for file, (start, end), place in lines}
    for _ in read_checkout(
        ids, root, missing=lambda doc_id, why: missing.update({ids[doc_id]: why})
    ):
        continue
    mend = f"is {os.fspath(root)} the checkout that the answers are about?"
    return [
        InputError(path, line, f"{quoted(written)}: {why}", mend)
        for place, why in missing.items()
        for line, written in named[place].items()
    ]


def _whole_files(places: Iterable[Place], root: str) -> dict[Place, str]:
    """Those whose file is not there, and why: what is in it plays no part."""
    missing: dict[Place, str] = {}
    for place in places:
        if place.lines is None:
            try:
                file_inside(root, place.path)
            except RefusedError as refused:
                missing[place] = f"it {refused}"
    return missing
