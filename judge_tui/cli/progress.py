"""How far long work is: on standard error, where that is a terminal; a log gets `log_seldom`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from judge_tui.visible import visible_line

__all__ = ["log_seldom", "show_files_read", "show_reading", "show_steps", "time_left"]

_MEGABYTE = 1_000_000

_PATIENCE = 2.0
"""Seconds: what is over by then is not shown."""

_WIDTH = 8

_BETWEEN = 60.0
"""Seconds between two lines of one thing in a log."""


@contextmanager
def show_steps() -> Iterator[Callable[[str], None]]:
    """A callable that shows what is being done; the line is wiped when the block is left."""
    with _one_line() as show:
        yield lambda what: show(f"{visible_line(what)} …") if _is_watched() else None


@contextmanager
def show_reading(
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Callable[[int, int], None] | None]:
    """A callable that takes the bytes read so far and their total, and shows how far that is and
    the time left. None where nobody would see it.

    Copies of this process may call it as well, each with the bytes that it read itself: they tell
    this one, which shows the sum.
    """
    if not _is_watched():
        yield None
        return
    process, last, read, begun = os.getpid(), 0, 0, clock()
    reader, writer = os.pipe()
    for end in (reader, writer):
        os.set_blocking(end, False)
    with _one_line() as show, open(reader, "rb", buffering=0), open(writer, "wb", buffering=0):  # noqa: PTH123

        def tell(done: int, total: int) -> None:
            nonlocal last, read
            step, last = done - last, done
            if os.getpid() != process:
                # Nobody waits for room in the pipe: then less is shown than is read.
                with suppress(BlockingIOError):
                    os.write(writer, step.to_bytes(_WIDTH, signed=True))
                return
            read += step + _read_by_others(reader)
            if (seconds := clock() - begun) >= _PATIENCE:
                show(_how_far(read, total, seconds))

        yield tell


@contextmanager
def show_files_read(paths: Sequence[str]) -> Iterator[Callable[[int], None] | None]:
    """The same for files that are read one after another: a callable that takes the bytes read
    since the last call."""
    with show_reading() as tell:
        if tell is None:
            yield None
            return
        show, done = tell, 0
        total = sum(Path(path).stat().st_size for path in paths if Path(path).is_file())

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
    return f"{left:.0f} s left" if left < 90 else f"{left / 60:.0f} min left"


def log_seldom(clock: Callable[[], float] = time.monotonic) -> Callable[[str, str], None]:
    """A callable that takes what a line is about, and the line: it is written where `show_steps`
    shows nothing, as in a log, at most once a minute about the same."""
    until: dict[str, float] = {}

    def say(about: str, line: str) -> None:
        now = clock()
        if sys.stderr is None or sys.stderr.isatty() or now < until.get(about, now):
            return
        until[about] = now + _BETWEEN
        click.echo(line, err=True)

    return say


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _how_far(done: int, total: int, seconds: float) -> str:
    read = f"{done // _MEGABYTE:,}"
    # Of a pipe, and of what is read again, more comes than is known.
    left = time_left(done, total, seconds)
    return f"{read} of {total // _MEGABYTE:,} MB read, {left}" if left else f"{read} MB read"


def _read_by_others(reader: int) -> int:
    try:
        data = os.read(reader, 1 << 16)
    except BlockingIOError:
        return 0
    steps = range(0, len(data), _WIDTH)
    return sum(int.from_bytes(data[at : at + _WIDTH], signed=True) for at in steps)


@contextmanager
def _one_line() -> Iterator[Callable[[str], None]]:
    """A callable that writes one line over the last; the line is wiped when the block is left."""
    widest = 0

    def show(line: str) -> None:
        nonlocal widest
        line, width = _fitting(line)
        widest = max(widest, width)
        click.echo(f"\r{line}{' ' * (widest - width)}", nl=False, err=True)

    wiped = True
    try:
        yield show
    except KeyboardInterrupt:
        # Behind it the terminal has shown Ctrl+c, maybe in the next row: what follows has its own.
        wiped = False
        raise
    finally:
        if widest:
            click.echo(f"\r{' ' * widest}\r" if wiped else "\n", nl=False, err=True)


def _fitting(line: str) -> tuple[str, int]:
    """As much of the line as the terminal has room for, and how wide that is: one that goes on in
    the next row could not be wiped."""
    from rich.cells import cell_len, set_cell_size

    try:
        room = os.get_terminal_size(sys.stderr.fileno()).columns - 1
    except (OSError, ValueError):
        return line, cell_len(line)
    if room > 1 and cell_len(line) > room:
        line = f"{set_cell_size(line, room - 1)}…"
    return line, cell_len(line)
