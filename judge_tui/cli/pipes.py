"""Pipes whose reader may leave first, as `head` does."""

from __future__ import annotations

import io
import os
import stat
from typing import Any, TextIO

__all__ = ["is_pipe", "outliving"]


def is_pipe(stream: TextIO) -> bool:
    """Whether a reader stands at its other end."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def outliving(stream: TextIO) -> TextIO:
    """The same stream, but when its reader leaves, what is still written to it is thrown away.

    So a command does all it was asked to do, ends as it would have, and its exit code says whether
    a gate was met: the reader had enough, and that is no fault.
    """
    return io.TextIOWrapper(
        io.BufferedWriter(_Outliving(stream.fileno(), "wb", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=getattr(stream, "line_buffering", False),
    )


class _Outliving(io.FileIO):
    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return len(data)
