"""Files below a folder, read as documents: never one outside it, whatever a path or a link says."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from judge_tui.formats.no_text import is_binary

__all__ = ["RefusedError", "file_inside", "read_inside", "text_of"]


class RefusedError(Exception):
    """Why a file below the folder is not read."""


def read_inside(root: str, path: str) -> bytes:
    """The bytes of `path`, relative to `root`, which is a real path (`os.path.realpath`).

    Raises `RefusedError` where it leaves the root (`..`, an absolute path, a link), is missing, is
    no plain file, cannot be read or is binary.
    """
    real = file_inside(root, path)
    try:
        data = Path(real).read_bytes()
    except OSError as error:
        raise _unreadable(error) from error
    if is_binary(data):
        raise RefusedError("is binary")
    return data


def file_inside(root: str, path: str) -> str:
    """Where the file `path` below `root` really is; raises `RefusedError` as `read_inside` does,
    but for what only reading tells."""
    try:
        real = os.path.realpath(Path(root, path), strict=True)
        if os.path.commonpath([root, real]) != root:
            raise RefusedError("leads out of the folder")
        # Opening a pipe would wait for whoever writes into it.
        if not stat.S_ISREG(os.stat(real).st_mode):  # noqa: PTH116
            raise RefusedError("is not a file")
    except FileNotFoundError as error:
        raise RefusedError("is not there") from error
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error
    return real


def _unreadable(error: Exception) -> RefusedError:
    return RefusedError(f"cannot be read: {getattr(error, 'strerror', None) or error}")


def text_of(data: bytes, errors: str = "strict") -> str:
    """The text of a file, without a byte order mark; `errors` as of `bytes.decode`.

    Raises `UnicodeDecodeError` where it is not UTF-8, counting from the first byte of the file.
    """
    return data.decode(errors=errors).removeprefix("\ufeff")
