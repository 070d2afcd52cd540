"""Standard output and error: what they cannot show, and readers that leave, as `head` does."""

from __future__ import annotations

import io
import os
import stat
from typing import Any, TextIO


def prepare(stream: TextIO) -> TextIO:
    """The stream, on which a character that it cannot show becomes its escape, not a traceback.

    When the reader of a pipe leaves, what is still written to it is thrown away. So a command does
    all it was asked to do, ends as it would have, and its exit code says whether a gate was met.
    None, as Python has a stream that is closed, stays.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
        if _is_pipe(stream):
            return io.TextIOWrapper(
                io.BufferedWriter(_Outliving(stream.fileno(), "wb", closefd=False)),
                encoding=stream.encoding,
                errors=stream.errors,
                line_buffering=stream.line_buffering,
            )
    return stream


def discard(stream: TextIO | io.FileIO | None) -> None:
    """Throw away what is still buffered: it would fail once more as Python ends, with an exit code
    of its own."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_pipe(stream: TextIO) -> bool:
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class _Outliving(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            discard(self)
            return len(data)
