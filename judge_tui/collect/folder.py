"""The folder that is collected into, and what its collect.json says of the systems."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from judge_tui.errors import InputError
from judge_tui.formats.places import COLLECTED
from judge_tui.formats.writing import write_atomically

__all__ = [
    "alone_in",
    "describe",
    "make_folder",
    "refuse_what_is_no_folder",
    "settings_in",
]


def refuse_what_is_no_folder(folder: Path) -> None:
    """What can be known before hours of work. Raises `InputError`."""
    try:
        there = next(place for place in (folder, *folder.resolve().parents) if place.exists())
    except OSError as error:
        raise _cannot_be_made(folder, error) from error
    if not there.is_dir():
        raise InputError(folder, None, f"{there} is no folder", "give another one with -o")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(
            folder, None, f"{there} cannot be written to", "give another folder with -o"
        )


def make_folder(folder: Path) -> None:
    """Make it if need be. Raises `InputError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_be_made(folder, error) from error


def _cannot_be_made(folder: Path, error: OSError) -> InputError:
    return InputError(
        folder, None, f"cannot be made: {error.strerror or error}", "give another folder with -o"
    )


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """As long as this lasts, no other program that collects into the folder writes what is of all
    of them. The folder itself is held, since its files are replaced."""
    import fcntl  # noqa: PLC0415 - not on every system

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems hold no folders
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def settings_in(folder: Path) -> dict[str, Any]:
    """What is described there, by name of the system. Raises `InputError` where that cannot be
    read: to write it anew would forget what it says of others."""
    path = folder / COLLECTED
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise InputError(path, None, what, _ANEW) from error
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(path, None, "is not what collect wrote there", _ANEW)
    return found


_ANEW = "move it away: it is written anew, of each system when it is collected from again"


def describe(folder: Path, name: str, about: Mapping[str, Any]) -> None:
    """Describe a system there, beside the others. Raises `InputError`."""
    with alone_in(folder):
        known = {**settings_in(folder), name: about}
        text = json.dumps(known, indent=1, sort_keys=True, ensure_ascii=False, default=str)
        write_atomically(folder / COLLECTED, [text.encode("utf-8", "backslashreplace") + b"\n"])
