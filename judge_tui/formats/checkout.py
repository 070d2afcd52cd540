"""Documents that are lines of files: ids such as `src/app.py:10-20`, read from a checkout."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from judge_tui.errors import InputError
from judge_tui.formats.inside import RefusedError, read_inside, text_of
from judge_tui.formats.problems import counted, quoted
from judge_tui.model import Document

__all__ = ["Missing", "read_checkout"]

Missing = Callable[[str, str], None]
"""Called with the doc_id and the reason why its text cannot be had."""

_LINES = re.compile(r"(.+):([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_KEPT_FILES = 64


def read_checkout(
    ids: Iterable[str], root: str | os.PathLike[str], *, missing: Missing | None = None
) -> Iterator[Document]:
    """The documents that the ids name, in the order of the ids, with their text.

    An id is `path`, a whole file below `root`, or `path:start-end`, its lines from `start` to
    `end`, counted from 1, both included; the text is as the file has it. What leads out of the
    root, by `..` or by a link, is never read. An id whose text cannot be had is told to `missing`
    and left out; without `missing` the first one is raised as `InputError`. So is a root that is
    no folder.
    """
    real_root = os.path.realpath(root)
    if not Path(real_root).is_dir():
        raise InputError(root, None, "there is no such folder", "give the folder of the checkout")

    @lru_cache(_KEPT_FILES)
    def lines(path: str) -> list[str]:
        # Only a line feed ends a line: str.splitlines knows eight more characters that do.
        text = text_of(read_inside(real_root, path))
        found = [f"{line}\n" for line in text.split("\n")]
        found[-1] = found[-1][:-1]
        return found if found[-1] else found[:-1]

    for doc_id in ids:
        try:
            yield Document(doc_id, text=_text(doc_id, lines))
        except RefusedError as refused:
            if missing is None:
                raise InputError(
                    root,
                    None,
                    f"document {quoted(doc_id)}: {refused}",
                    "give the checkout that the ids were made from",
                ) from refused
            missing(doc_id, str(refused))


def _text(doc_id: str, lines: Callable[[str], list[str]]) -> str:
    match = _LINES.fullmatch(doc_id)
    path = match.group(1) if match else doc_id
    try:
        found = lines(path)
    except UnicodeDecodeError as error:
        raise RefusedError(f"{quoted(path)} is not UTF-8 (byte {error.start + 1})") from error
    except RefusedError as refused:
        raise RefusedError(f"{quoted(path)} {refused}") from refused
    if not match:
        return "".join(found)
    start, end = int(match.group(2)), int(match.group(3))
    if not 1 <= start <= end:
        raise RefusedError(f"lines {start}-{end} are no range that counts from 1")
    if end > len(found):
        raise RefusedError(f"{quoted(path)} has {counted(len(found), 'line')}, not {end}")
    return "".join(found[start - 1 : end])
