"""What answers name and a checkout does not hold, or holds under another spelling."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from judge_tui.errors import InputError
from judge_tui.formats.answers.entry import Answered
from judge_tui.formats.checkout import read_checkout
from judge_tui.formats.inside import RefusedError, file_inside
from judge_tui.formats.problems import quoted
from judge_tui.model import composed, lines_named

__all__ = ["not_in_checkout"]

_SEVERAL = re.compile(r"[,;\n]")


class _Fault(NamedTuple):
    what: str
    mend: str


def not_in_checkout(
    path: str | os.PathLike[str], answers: Iterable[Answered], root: str | os.PathLike[str]
) -> list[InputError]:
    """The paths and lines of an answers file that are not below `root`, or that it has under
    another spelling, by which no result would be right; each with the line of its answer."""
    real_root = os.path.realpath(root)
    if not Path(real_root).is_dir():
        raise InputError(root, None, "there is no such folder", "give the folder of the checkout")
    named: dict[str, dict[int, None]] = {}
    for answer in answers:
        for truth in answer.truths:
            if truth.place is not None:
                named.setdefault(truth.written, {}).setdefault(answer.line)
    usual = f"is {os.fspath(root)} the checkout that the answers are about?"
    return [
        InputError(path, line, f"{quoted(written)}: {fault.what}", fault.mend)
        for written, fault in _faults(named, real_root, usual)
        for line in named[written]
    ]


def _faults(named: Iterable[str], root: str, usual: str) -> Iterator[tuple[str, _Fault]]:
    sought = {written: _as_there(root, written) for written in named}
    whole = [written for written in named if lines_named(written)[1] is None]
    # Sorted, each file is read once.
    of_lines = sorted(set(named) - set(whole), key=lines_named)
    missing = _whole_files([sought[written] for written in whole], root)
    wanted = dict.fromkeys(sought[written] for written in of_lines)
    for _ in read_checkout(wanted, root, missing=missing.__setitem__, lines_alone=True):
        continue
    for written in (*whole, *of_lines):
        file, _ = lines_named(written)
        if (why := missing.get(sought[written])) is not None:
            yield written, _why_missing(file, why, usual)
        elif (plain := posixpath.normpath(file)) != file.removeprefix("./"):
            as_ids_are = plain + written[len(file) :]
            what = "a result is right by the same text alone, and paths are not written so"
            yield written, _Fault(what, f"write {quoted(as_ids_are)}")


def _as_there(root: str, written: str) -> str:
    """What is written, or what its codes such as %20 stand for, or with its accents as they are
    there, where only that is there: a result is right by any of them."""
    file, _ = lines_named(written)
    if not _whole_files([file], root):
        return written
    native = unquote(written)
    if native != written and not _whole_files([lines_named(native)[0]], root):
        return native
    other = _alike(root, file)
    return written if other is None else other + written[len(file) :]


def _whole_files(names: Iterable[str], root: str) -> dict[str, str]:
    """Those whose file is not there, and why: what is in it plays no part."""
    missing: dict[str, str] = {}
    for name in names:
        try:
            file_inside(root, name)
        except RefusedError as refused:
            missing[name] = f"it {refused}"
    return missing


def _why_missing(file: str, why: str, usual: str) -> _Fault:
    if not why.endswith("is not there"):
        return _Fault(why, usual)
    if all(map(str.strip, parts := _SEVERAL.split(file))) and len(parts) > 1:
        return _Fault(why, "if these are several results, give each a cell of its own")
    return _Fault(why, usual)


def _alike(root: str, path: str) -> str | None:
    """The path of a file below the root that differs from this one in the form of its accents
    alone."""
    here, found = root, []
    for part in posixpath.normpath(path).split("/"):
        try:
            names = sorted(os.listdir(here))  # noqa: PTH208
        except (OSError, ValueError):
            return None
        wanted = composed(part)
        same = [name for name in names if composed(name) == wanted]
        if not same:
            return None
        found.append(same[0])
        here = os.path.join(here, same[0])  # noqa: PTH118
    return "/".join(found) if "/".join(found) != path else None
