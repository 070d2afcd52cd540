"""Documents below a folder: all its text files by their paths, or, of a checkout, files and lines
named by ids such as `src/app.py:10-20`. Never one outside it, whatever a path or a link says."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from judge_tui.counts import counted
from judge_tui.errors import InputError
from judge_tui.formats.compression import is_binary
from judge_tui.formats.languages import language_of
from judge_tui.formats.problems import Reporter, not_utf8, quoted
from judge_tui.formats.source import UnreadableError
from judge_tui.model import Document, lines_named

Missing = Callable[[str, str], None]
"""Called with the doc_id and the reason why its text cannot be had, or not all of it."""

Skipped = Callable[[str, str], None]
"""Called with the path within the folder and the reason why that file makes no document."""

_VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".jj"})

_KEPT_FILES = 8

# What is kept of the lines around a document's own, on either side.
_CONTEXT_LINES = 10
_CONTEXT_CHARACTERS = 2000


KEY = "checkout"
"""The key of a document's meta under which its excerpt is kept."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The lines `start` to `end` of a file at `path` that has `lines` lines, counted from 1.

    `sha256` is that of the file's bytes. `before` and `after` are the lines around the document's
    own, each with its line end: they are no part of it, and may be empty. Of an empty file, `end`
    is 0.
    """

    path: str
    start: int
    end: int
    lines: int
    sha256: str
    before: str = ""
    after: str = ""

    @classmethod
    def of(cls, meta: Mapping[str, Any]) -> Excerpt | None:
        """Return the excerpt that a document's meta holds; None where it holds none: what users
        keep under the same key is theirs."""
        fields = meta.get(KEY)
        if not isinstance(fields, dict) or fields.keys() != set(cls.__dataclass_fields__):
            return None
        types = {**dict.fromkeys(fields, str), **dict.fromkeys(("start", "end", "lines"), int)}
        sound = all(type(fields[name]) is its for name, its in types.items())
        return cls(**fields) if sound else None

    @property
    def first_line(self) -> int:
        """The number of the first line of `before`, or of the document's own first one."""
        return self.start - self.before.count("\n")

    def as_meta(self) -> dict[str, Any]:
        """Return the mapping that `of` reads."""
        return {KEY: asdict(self)}


class _File(NamedTuple):
    sha256: str
    lines: list[str]


def checkout_root(root: str | os.PathLike[str]) -> str:
    """The folder itself, whatever links lead to it. Raises `InputError` where it is none."""
    real_root = os.path.realpath(root)
    if not Path(real_root).is_dir():
        raise InputError(root, None, "there is no such folder", "give the folder of the checkout")
    return real_root


def read_checkout(
    ids: Iterable[str],
    root: str | os.PathLike[str],
    missing: Missing,
    *,
    shorter: Missing | None = None,
    lines_alone: bool = False,
) -> Iterator[Document]:
    """Yield the documents that the ids name, in the order of the ids, with text, kind and excerpt.

    An id is `path`, a whole file below `root`, or `path:start-end`, its lines from `start` to
    `end`, counted from 1, both included; `path:10`, `path#L10-L20` and the like are read so, too,
    unless a file is really called that. Where there is no file of that path, what its codes such as
    %20 stand for is tried. The text is as the file has it; the language goes to `kind`, and to
    `meta` where the lines are from and what stands around them (`Excerpt`).

    What leads out of the root, by `..` or by a link, is never read. An id whose text cannot be had
    is passed to `missing` and left out. With `shorter`, an id whose file ends between its first
    line and its last has the lines that are there for its text, and is passed to `shorter` before
    it comes. `lines_alone`: who asks wants to know whether the lines are there, of files in
    whatever encoding; what is not UTF-8 in a text is then replaced. Raises `InputError` for a root
    that is not a folder.
    """
    real_root = checkout_root(root)
    errors = "replace" if lines_alone else "strict"

    @lru_cache(_KEPT_FILES)
    def file_at(path: str) -> _File:
        data = _read_inside(real_root, path)
        # Only a line feed ends a line: str.splitlines knows eight more characters that do.
        lines = [f"{line}\n" for line in _text_of(data, errors).split("\n")]
        lines[-1] = lines[-1][:-1]
        return _File(hashlib.sha256(data).hexdigest(), lines if lines[-1] else lines[:-1])

    for doc_id in ids:
        try:
            yield _document(doc_id, file_at, real_root, shorter)
        except _RefusedError as refused:
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
        raise _RefusedError(f"{quoted(path)} is not UTF-8 (byte {error.start + 1})") from error
    except _RefusedError as refused:
        raise _RefusedError(f"{quoted(path)} {refused}") from refused
    start, end = named or (1, len(lines))
    if named and not 1 <= start <= end:
        raise _RefusedError(f"lines {start}-{end} are not a range counted from 1")
    if end > len(lines):
        why = f"{quoted(path)} has {counted(len(lines), 'line')}, not {end}"
        if shorter is None or start > len(lines):
            raise _RefusedError(why)
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
        _file_inside(real_root, path)
    except _RefusedError:
        return False
    return True


def _nearest(lines: Sequence[str], order: int) -> str:
    """Lines around a document, the nearest one first, as far as there is room for them."""
    near: list[str] = []
    room = _CONTEXT_CHARACTERS
    for line in lines:
        room -= len(line)
        if room < 0:
            break
        near.append(line)
    return "".join(near[::order])


# ---- A folder of documents ----


def folder_rows(
    path: str, report: Reporter, skipped: Skipped | None = None
) -> Iterator[tuple[int, Document]]:
    """Yield every text file below `path`, in byte order of the ids, with line 1.

    The doc_id is the path relative to the folder, with `/` on every system. Binary files, files
    that cannot be opened and links that lead out are left out and passed to `skipped`; folders of
    version control are not entered. A text file that is not UTF-8 is reported.
    """
    root = os.path.realpath(path)
    for doc_id in sorted(_files(path, root), key=os.fsencode):
        try:
            doc_id.encode()
        except UnicodeEncodeError:
            report(None, f"the file name {doc_id!a} is not valid UTF-8", "rename the file")
            continue
        try:
            data = _read_inside(root, doc_id)
        except _RefusedError as refused:
            if skipped:
                skipped(doc_id, str(refused))
            continue
        try:
            yield 1, Document(doc_id, text=_text_of(data))
        except UnicodeDecodeError as error:
            shown = os.path.join(path, doc_id)  # noqa: PTH118  (as given, so that ./docs stays)
            report.pass_on(not_utf8(shown, data, error.start))


def _files(path: str, root: str) -> Iterator[str]:
    def refuse(error: OSError) -> None:
        raise UnreadableError(
            error.filename or path,
            None,
            f"the folder cannot be read: {error.strerror}",
            "check its permissions",
        ) from error

    for folder, subfolders, names in os.walk(root, onerror=refuse):
        subfolders[:] = [name for name in subfolders if name not in _VERSION_CONTROL]
        within = os.path.relpath(folder, root)
        # Links to folders are not entered; as files they are refused, and so reported.
        linked = [name for name in subfolders if Path(folder, name).is_symlink()]
        for name in names + linked:
            yield Path(within, name).as_posix()


# ---- Files below a folder ----


class _RefusedError(Exception):
    """Why a file below the folder is not read."""


def _read_inside(root: str, path: str) -> bytes:
    """Return the bytes of `path`, relative to `root`, which is a real path (`os.path.realpath`).

    Raises `_RefusedError` where it leaves the root (`..`, an absolute path, a link), is missing, is
    no plain file, cannot be read or is binary.
    """
    real = _file_inside(root, path)
    try:
        data = Path(real).read_bytes()
    except OSError as error:
        raise _unreadable(error) from error
    if is_binary(data):
        raise _RefusedError("is binary")
    return data


def _file_inside(root: str, path: str) -> str:
    """Return the real path of the file `path` below `root`. Raises `_RefusedError` as
    `_read_inside` does, but for what only reading tells."""
    try:
        real = os.path.realpath(Path(root, path), strict=True)
        if os.path.commonpath([root, real]) != root:
            raise _RefusedError("leads out of the folder")
        # Opening a pipe would wait for whoever writes into it.
        if not stat.S_ISREG(os.stat(real).st_mode):  # noqa: PTH116
            raise _RefusedError("is not a file")
    except FileNotFoundError as error:
        raise _RefusedError("is not there") from error
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error
    return real


def _unreadable(error: Exception) -> _RefusedError:
    return _RefusedError(f"cannot be read: {getattr(error, 'strerror', None) or error}")


def _text_of(data: bytes, errors: str = "strict") -> str:
    """Return the text of a file, without a byte order mark; `errors` as of `bytes.decode`.

    Raises `UnicodeDecodeError` where it is not UTF-8, counting from the first byte of the file.
    """
    return data.decode(errors=errors).removeprefix("\ufeff")
