"""An empty folder for a program that nobody has read, and an end to all that it leaves behind."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from judge_tui.collect.left_behind import end_all_of
from judge_tui.errors import UsageError

__all__ = ["empty_folder", "remove_left_behind", "write_into"]

_PREFIX = "judge_tui-check-"
_TRIES = 5
"""Where nothing can be held, nothing is taken for left behind either."""


@contextmanager
def empty_folder() -> Iterator[Path]:
    """One that is there for as long as the block runs. Then the processes are ended that have it in
    their environment, or work in it, also those that made themselves daemons (where there is a
    /proc to find them), and the folder is removed. Raises `UsageError`."""
    folder, held = _made()
    here = Path(folder.name).resolve()
    try:
        yield here
    finally:
        end_all_of(str(here))
        try:
            folder.cleanup()
        except RecursionError:  # of folders within folders, which Python removes one by one
            _remove(here)
        if held is not None:
            os.close(held)


def _made() -> tuple[TemporaryDirectory[str], int | None]:
    """A new folder, and that it is held: before it is, somebody else may take it for left behind,
    and remove it; then another one is made. Raises `UsageError`."""
    try:
        for _ in range(_TRIES):
            folder = TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
            if (held := _held(Path(folder.name).resolve())) is not None:
                return folder, held
            folder.cleanup()
        return TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True), None
    except OSError as error:
        raise _no_room(error) from error


def remove_left_behind() -> None:
    """Remove the folders of this user's that were left by such as were killed. One that is held by
    its owner, who is alive then, stays."""
    for place in Path(gettempdir()).resolve().glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # one that goes in between
            if place.lstat().st_uid != os.getuid():
                continue
            if (held := _held(place)) is not None:
                end_all_of(str(place))
                _remove(place)
                os.close(held)


def _held(place: Path) -> int | None:
    """The folder, open and locked for as long as this process lives; None where that cannot be, as
    another one has it. Programs that are started do not inherit it."""
    import fcntl  # noqa: PLC0415 - not on every system

    try:
        held = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return None
    if not place.exists():  # removed between the two
        os.close(held)
        return None
    return held


def _remove(place: Path) -> None:
    subprocess.run(["rm", "-rf", "--", str(place)], check=False, capture_output=True)  # noqa: S603, S607


def write_into(path: Path, text: str) -> None:
    """Write a text as it is. Raises `UsageError`."""
    try:
        path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise _no_room(error) from error


def _no_room(error: OSError) -> UsageError:
    return UsageError(
        f"no answer can be put into a temporary folder: {error.strerror or error}",
        "make room there, or set TMPDIR to another folder",
    )
