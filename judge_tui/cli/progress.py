"""How far long work is: one line on standard error, where that is a terminal, wiped at the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from judge_tui.visible import visible_line

_MEGABYTE = 1_000_000

_PATIENCE = 2.0
"""Seconds: what is over by then is not shown."""

_WIPE = "\r\x1b[K"


@contextmanager
def show_steps() -> Iterator[Callable[[str], None]]:
    """A callable that shows what is being done, in place of what it showed before."""
    stream, shown = sys.stderr, False

    def show(what: str) -> None:
        nonlocal shown
        if stream is not None and stream.isatty():
            import shutil

            from rich.cells import set_cell_size

            line, width = visible_line(what), shutil.get_terminal_size().columns - 2
            stream.write(f"{_WIPE}{set_cell_size(line, width).rstrip()} …")
            stream.flush()
            shown = True

    try:
        yield show
    finally:
        if shown:
            stream.write(_WIPE)
            stream.flush()


@contextmanager
def show_reading(
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Callable[[int, int], None]]:
    """A callable that takes the bytes read so far and their total, and shows how far that is and
    the time left."""
    begun = clock()
    with show_steps() as show:

        def tell(done: int, total: int) -> None:
            if (seconds := clock() - begun) < _PATIENCE:
                return
            read = f"{done // _MEGABYTE:,}"
            # Of a pipe, and of what is read again, more comes than is known.
            left = time_left(done, total, seconds)
            of = f"{read} of {total // _MEGABYTE:,} MB read, {left}"
            show(of if left else f"{read} MB read")

        yield tell


@contextmanager
def show_files_read(paths: Sequence[str]) -> Iterator[Callable[[int], None]]:
    """The same for files that are read one after another: a callable that takes the bytes read
    since the last call."""
    done, total = 0, sum(Path(path).stat().st_size for path in paths if Path(path).is_file())
    with show_reading() as show:

        def more(count: int) -> None:
            nonlocal done
            done += count
            show(done, total)

        yield more


def time_left(done: int, total: int, seconds: float) -> str:
    """`40 s left`, `3 min left`, for work of which so much is done in so many seconds; "" in the
    first two of them, and where nothing is done, or more than there is."""
    if seconds < _PATIENCE or not 0 < done <= total:
        return ""
    left = seconds * (total - done) / done
    return f"{duration(left)} left"


def duration(seconds: float) -> str:
    """`40 s` or `3 min`."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
