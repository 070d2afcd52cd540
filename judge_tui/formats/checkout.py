"""Documents that are lines of files: ids such as `src/app.py:10-20`, read from a checkout."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from judge_tui.errors import InputError
from judge_tui.formats.excerpt import Excerpt
from judge_tui.formats.inside import RefusedError, file_inside, read_inside, text_of
from judge_tui.formats.languages import language_of
from judge_tui.formats.problems import counted, quoted
from judge_tui.model import Document, lines_named

__all__ = ["Missing", "read_checkout"]

Missing = Callable[[str, str], None]
"""Called with the doc_id and the reason why its text cannot be had, or not all of it."""

_KEPT_FILES = 8

# What is kept of the lines around a document's own, on either side.
_CONTEXT_LINES = 10
_CONTEXT_CHARACTERS = 2000


class _File(NamedTuple):
    sha256: str
    lines: list[str]


def read_checkout(
    ids: Iterable[str],
    root: str | os.PathLike[str],
    *,
    missing: Missing | None = None,
    shorter: Missing | None = None,
    lines_alone: bool = False,
) -> Iterator[Document]:
    """The documents that the ids name, in the order of the ids, with text, kind and excerpt.

    An id is `path`, a whole file below `root`, or `path:start-end`, its lines from `start` to
    `end`, counted from 1, both included; `path:10`, `path#L10-L20` and the like are read so, too,
    unless a file is really called that. Where there is no file of that path, what its codes such as
    %20 stand for is tried. The text is as the file has it;
    the language goes to `kind`, and to `meta` where the lines are from and what stands around them
    (`excerpt.Excerpt`).
    What leads out of the root, by `..` or by a link, is never read. An id whose text cannot be had
    is told to `missing` and left out; without `missing` the first one is raised as `InputError`. So
    is a root that is no folder. With `shorter`, an id whose file ends between its first line and
    its last has those that are there for its text, and is told to it before it comes.
    `lines_alone`: who asks wants to know whether the lines are there, of files in whatever
    encoding; what is not UTF-8 in a text is then replaced.
    """
    real_root = os.path.realpath(root)
    if not Path(real_root).is_dir():
        raise InputError(root, None, "there is no such folder", "give the folder of the checkout")

    errors = "replace" if lines_alone else "strict"

    @lru_cache(_KEPT_FILES)
    def file_at(path: str) -> _File:
        data = read_inside(real_root, path)
        # Only a line feed ends a line: str.splitlines knows eight more characters that do.
        lines = [f"{line}\n" for line in text_of(data, errors).split("\n")]
        lines[-1] = lines[-1][:-1]
        return _File(hashlib.sha256(data).hexdigest(), lines if lines[-1] else lines[:-1])

    for doc_id in ids:
        try:
            yield _document(doc_id, file_at, real_root, shorter)
        except RefusedError as refused:
            if missing is None:
                raise InputError(
                    root,
                    None,
                    f"document {quoted(doc_id)}: {refused}",
                    "give the checkout that the ids were made from",
                ) from refused
            missing(doc_id, str(refused))


def _document(
    doc_id: str, file_at: Callable[[str], _File], real_root: str, shorter: Missing | None
) -> Document:
    path, named = lines_named(doc_id)
    if named is not None and _is_file(real_root, doc_id):
        path, named = doc_id, None
    elif "%" in path and not _is_file(real_root, path) and _is_file(real_root, unquote(path)):
        path = unquote(path)
    try:
        sha256, lines = file_at(path)
    except UnicodeDecodeError as error:
        raise RefusedError(f"{quoted(path)} is not UTF-8 (byte {error.start + 1})") from error
    except RefusedError as refused:
        raise RefusedError(f"{quoted(path)} {refused}") from refused
    start, end = named or (1, len(lines))
    if named and not 1 <= start <= end:
        raise RefusedError(f"lines {start}-{end} are no range that counts from 1")
    if end > len(lines):
        why = f"{quoted(path)} has {counted(len(lines), 'line')}, not {end}"
        if shorter is None or start > len(lines):
            raise RefusedError(why)
        shorter(doc_id, why)
        end = len(lines)
    excerpt = Excerpt(
        path=path,
        start=start,
        end=end,
        lines=len(lines),
        sha256=sha256,
        before=_nearest(lines[max(0, start - 1 - _CONTEXT_LINES) : start - 1][::-1], -1),
        after=_nearest(lines[end : end + _CONTEXT_LINES], 1),
    )
    return Document(
        doc_id,
        text="".join(lines[start - 1 : end]),
        kind=language_of(path),
        meta=excerpt.as_meta(),
    )


def _is_file(real_root: str, path: str) -> bool:
    try:
        file_inside(real_root, path)
    except RefusedError:
        return False
    return True


def _nearest(lines: Sequence[str], order: int) -> str:
    """Lines around a document, the nearest one first, as far as there is room for them."""
    kept: list[str] = []
    room = _CONTEXT_CHARACTERS
    for line in lines:
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    return "".join(kept[::order])
