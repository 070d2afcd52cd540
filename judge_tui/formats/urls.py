"""Files in an object store, named by URLs such as s3://bucket/new.run, opened by fsspec."""

from __future__ import annotations

import os
from typing import IO, Any

from judge_tui.errors import UsageError
from judge_tui.formats.problems import UnreadableError

MEND = "pip install 'judge_tui[cluster]'"


def is_url(path: str | os.PathLike[str]) -> bool:
    """Whether this is a URL, and not the path of a file."""
    scheme, mark, _ = os.fspath(path).partition("://")
    return bool(mark) and scheme.isalnum()


def open_bytes(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a file or what a URL names, for reading and seeking; who calls closes it.

    Raises `OSError` as `open` does, `UnreadableError` for a URL that fsspec cannot open, and
    `UsageError` where fsspec is not installed.
    """
    if not is_url(path):
        return open(path, "rb")  # noqa: PTH123 - a path may be of bytes that are no text
    system, name = _found(os.fspath(path))
    opened: IO[bytes] = system.open(name, "rb")
    return opened


def size_of(path: str | os.PathLike[str]) -> int:
    """Return how many bytes a regular file has, or what a URL names; 0 for anything else. Raises
    as `open_bytes` does for a URL."""
    if not is_url(path):
        return os.path.getsize(path) if os.path.isfile(path) else 0  # noqa: PTH113, PTH202
    system, name = _found(os.fspath(path))
    return int(system.size(name) or 0)


def _found(url: str) -> tuple[Any, str]:
    """Return fsspec's file system of a URL, and the name there."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - few files are elsewhere
    except ImportError as error:
        raise UsageError(f"{url} needs fsspec", MEND) from error
    try:
        system, name = url_to_fs(url)
    except (ImportError, ValueError) as error:  # what speaks with this store is not there
        what = f"cannot be opened: {error}"
        raise UnreadableError(url, None, what, "check the URL; install what it needs") from error
    return system, name
