"""One text file to be read, wherever it comes from: opened, decompressed and cut into lines.

Lines are bytes and end at a line feed; a carriage return before it stays, for bytes.split() and
the readers to drop. A byte order mark is dropped. What is not text at all is refused.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, cast

from judge_tui.errors import UsageError
from judge_tui.formats.compression import (
    MAGIC_SIZE,
    Compression,
    compression_of,
    damaged,
    refuse_binary,
    refuse_nul,
)
from judge_tui.formats.problems import UnreadableError, not_utf8
from judge_tui.formats.sniff import Shape, shape_of
from judge_tui.formats.urls import is_url, open_bytes

if TYPE_CHECKING:
    from judge_tui.formats.judgments import Labels

__all__ = [
    "STDIN",
    "AsLayout",
    "Layout",
    "PathLike",
    "Source",
    "UnreadableError",
    "check_columns",
    "fitting",
    "open_source",
]

STDIN = "-"

PathLike: TypeAlias = str | os.PathLike[str]


class Layout(NamedTuple):
    """What the user says of a file: the name of its format (`csv`, or `run:csv`); what its columns
    are called, `{"query_id": "topic"}`; what its labels in place of grades mean."""

    format: str | None = None
    columns: Mapping[str, str] = MappingProxyType({})
    labels: Labels | None = None

    @classmethod
    def of(cls, layout: AsLayout) -> Layout:
        """Return the layout itself, or one of which the format alone is known."""
        return layout if isinstance(layout, Layout) else cls(layout)


AsLayout: TypeAlias = str | Layout | None


_Passing: TypeAlias = Callable[[Iterator[tuple[int, bytes]]], Iterator[tuple[int, bytes]]]
"""Takes lines with their numbers and yields those that are to be read, as they are to be."""

_BLOCK = 1 << 20
_HEAD = 1 << 16
_HEAD_OF_JSON = 1 << 20
_IN_MEMORY = 1 << 25  # of a pipe; what is larger goes to a file
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Source:
    """An opened file.

    `path`: as the caller wrote it. `head`: its first 64 KB, or a megabyte of JSON, whose values may
    be long; `whole`: whether that is all of it. `layout`: what the user says of it.
    """

    def __init__(
        self,
        path: str,
        raw: BinaryIO,
        on_read: Callable[[int], None] | None,
        layout: Layout,
    ) -> None:
        self.path = path
        self.layout = layout
        self._raw = raw
        self._start = raw.tell()
        self._on_read = on_read
        self._passed = 0
        self._passing: _Passing | None = None
        self._begin()

    @cached_property
    def shape(self) -> Shape | None:
        """What the text is made of; None for an empty one."""
        return shape_of(self.head, whole=self.whole, columns=self.layout.columns)

    def sift(self, passing: _Passing) -> None:
        """Let lines come as `passing` has them, with the numbers that they have in the file."""
        self._passing = passing

    def rewind(self) -> None:
        """Begin again."""
        if self._on_read is not None and self._passed:
            self._on_read(-self._passed)
            self._passed = 0
        self._raw.seek(self._start)
        self._begin()

    def sha256(self) -> str:
        """Return the digest of the file's bytes, compressed as they may be, and begin again."""
        self._raw.seek(self._start)
        digest = hashlib.file_digest(self._raw, "sha256").hexdigest()  # type: ignore[arg-type]
        self.rewind()
        return digest

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield every line with its number, from 1; raises `UnreadableError` where reading ends
        early."""
        lines = self._numbered()
        return lines if self._passing is None else self._passing(lines)

    def blocks(self) -> Iterator[list[bytes]]:
        """Yield the lines of `lines` about a megabyte at a time, which suits a tight loop."""
        if self._passing is not None:
            yield [line for _, line in self._passing(self._numbered())]
        else:
            yield from self._blocks()

    def _blocks(self) -> Iterator[list[bytes]]:
        parts: list[bytes] = []
        for piece in self.pieces():
            parts.append(piece)
            # One long line is put together once, and not again with every piece.
            if b"\n" in piece:
                lines = b"".join(parts).split(b"\n")
                parts = [lines.pop()]
                yield lines
        rest = b"".join(parts)
        if rest:
            yield [rest]

    def read_into(self, view: memoryview) -> int:
        """Fill `view` with the next bytes of the text, as far as they come; 0 is the end.

        Nothing is looked for in them. Not to be mixed with the other ways of reading.
        """
        if self._from_head < len(self.head):
            piece = memoryview(self.head)[self._from_head : self._from_head + len(view)]
            view[: len(piece)] = piece
            self._from_head += len(piece)
            self._tell(len(piece))
            return len(piece)
        with self._in_words():
            count = self._stream.readinto(view) or 0  # type: ignore[attr-defined]
        self._tell(count)
        return count

    @property
    def plain_file(self) -> int | None:
        """The offset at which the text of a regular file, or of one in an object store, begins;
        None for any other source."""
        if self._compression is not None:
            return None
        if not (is_url(self.path) or os.path.isfile(self.path)):  # noqa: PTH113
            return None
        return self._marked * len(_BYTE_ORDER_MARK)

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the text, cut anywhere."""
        line = 0
        piece = self.head
        while piece:
            nul = piece.find(b"\0")
            if nul >= 0:
                # What is wrong before it is reported first.
                yield piece[: piece.rfind(b"\n", 0, nul) + 1]
                refuse_nul(self.path, piece, line)
            yield piece
            self._tell(len(piece))
            line += piece.count(b"\n")
            piece = self._read(_BLOCK)

    def text(self) -> str:
        """Return all of the text. Raises `UnreadableError` where it is not UTF-8."""
        data = b"".join(self.pieces())
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            fault = not_utf8(self.path, data, error.start)
            raise UnreadableError(self.path, fault.line, fault.what, fault.mend) from error

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        number = 0
        for block in self._blocks():
            yield from enumerate(block, number + 1)
            number += len(block)

    def _begin(self) -> None:
        first = self._raw.read(MAGIC_SIZE)
        self._compression: Compression | None = compression_of(first)
        self._raw.seek(self._start)
        self._errors: tuple[type[Exception], ...] = (OSError, EOFError, ValueError)
        self._stream = self._raw
        if self._compression:
            self._stream, damage = self._compression.open(self._raw)
            self._errors += damage
        head = self._read(_HEAD)
        limit = _HEAD
        if head.lstrip().startswith((b"{", b"[")) and len(head) == _HEAD:
            limit = _HEAD_OF_JSON
            head += self._read(limit - _HEAD)
        self.whole = len(head) < limit
        refuse_binary(self.path, head)
        self._marked = head.startswith(_BYTE_ORDER_MARK)
        self.head = head.removeprefix(_BYTE_ORDER_MARK)
        self._from_head = 0

    def _read(self, size: int) -> bytes:
        with self._in_words():
            return self._stream.read(size)

    def _tell(self, count: int) -> None:
        """Tell how much was read; of a compressed file, how much of its own bytes."""
        if self._on_read is None:
            return
        if self._compression is not None:
            count = self._raw.tell() - self._start - self._passed
        self._passed += count
        self._on_read(count)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turn what goes wrong while reading into words."""
        try:
            yield
        except self._errors as error:
            if self._compression is None:
                raise UnreadableError(
                    self.path, None, f"cannot be read: {_reason(error)}"
                ) from error
            raise UnreadableError(self.path, None, *damaged(self._compression.name)) from error


@contextmanager
def open_source(
    path: PathLike,
    *,
    on_read: Callable[[int], None] | None = None,
    layout: AsLayout = None,
) -> Iterator[Source]:
    """Open a file, or standard input for `-`, decompressing what is compressed.

    A pipe is read into memory, and a large one into a temporary file. `on_read` is called with the
    bytes of the file that were read since the last call, fewer than 0 where it begins again
    (`Source.rewind`). Raises `UnreadableError` for what is missing, unreadable, a directory or no
    text.
    """
    shown = os.fspath(path)
    raw = _open(shown)
    try:
        with _seekable(shown, raw) as file:
            yield Source(shown, file, on_read, Layout.of(layout))
    finally:
        if shown != STDIN:
            raw.close()


def fitting(path: PathLike, layout: Layout) -> Layout:
    """Return the layout of one of several files: with those of the declared columns that it has."""
    if layout.columns and path != STDIN and Path(path).is_dir():
        return layout._replace(columns={})
    if not layout.columns or path == STDIN or not Path(path).is_file():
        return layout
    with open_source(path, layout=layout._replace(format=None)) as source:
        header = source.shape.header if source.shape is not None else ()
    its = {name: theirs for name, theirs in layout.columns.items() if name in header}
    return layout._replace(columns=its)


def check_columns(layout: Layout | None, paths: Iterable[PathLike | None]) -> None:
    """Raise `UsageError` for a declared column that none of several files has."""
    if layout is None or not layout.columns:
        return
    found = {name for path in paths if path for name in fitting(path, layout).columns}
    for name, theirs in layout.columns.items():
        if name not in found:
            what = f"no file has the column {theirs!r:.70} of --columns"
            raise UsageError(what, "write the name in a header after the =, or leave it out")


def _open(path: str) -> BinaryIO:
    if path == STDIN:
        if sys.stdin is None:
            raise UnreadableError(path, None, "there is no standard input", "give a file")
        return sys.stdin.buffer
    try:
        return cast(BinaryIO, open_bytes(path))  # open_source closes it
    except FileNotFoundError as error:
        raise UnreadableError(path, None, "there is no such file", "check the path") from error
    except IsADirectoryError as error:
        raise UnreadableError(
            path, None, "this is a directory, not a file", "give a file in it"
        ) from error
    except (OSError, ValueError) as error:
        raise UnreadableError(
            path, None, f"cannot be opened: {_reason(error)}", "check the path and its permissions"
        ) from error


@contextmanager
def _seekable(path: str, raw: BinaryIO) -> Iterator[BinaryIO]:
    """Return the file itself, or all of a pipe."""
    if raw.seekable():
        yield raw
        return
    import tempfile  # noqa: PLC0415 - seldom needed, and start-up is counted

    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as copy:
        while piece := _next_of(path, raw):
            try:
                copy.write(piece)
            except OSError as error:
                raise UnreadableError(
                    path,
                    None,
                    f"cannot be kept for reading: {_reason(error)}",
                    "set TMPDIR to a folder with room for it, or give it as a file",
                ) from error
        copy.seek(0)
        yield cast(BinaryIO, copy)


def _next_of(path: str, pipe: BinaryIO) -> bytes:
    try:
        return pipe.read(_BLOCK)
    except (OSError, ValueError) as error:
        raise UnreadableError(path, None, f"cannot be read: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
