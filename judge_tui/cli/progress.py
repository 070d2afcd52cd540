"""How far long work is: on standard error, where that is a terminal; a log gets `log_seldom`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from rich.live import Live

_MEGABYTE = 1_000_000

_PATIENCE = 2.0
"""Seconds: what is over by then is not shown."""

_BETWEEN = 60.0
"""Seconds between two lines of one thing in a log."""


@contextmanager
def show_steps() -> Iterator[Callable[[str], None]]:
    """A callable that shows what is being done; the line is wiped when the block is left."""
    with _one_line() as show:
        yield lambda what: show(f"{visible_line(what)} …")


@contextmanager
def show_reading(
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Callable[[int, int], None]]:
    """A callable that takes the bytes read so far and their total, and shows how far that is and
    the time left."""
    begun = clock()
    with _one_line() as show:

        def tell(done: int, total: int) -> None:
            if (seconds := clock() - begun) >= _PATIENCE:
                show(_how_far(done, total, seconds))

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


def _how_far(done: int, total: int, seconds: float) -> str:
    read = f"{done // _MEGABYTE:,}"
    # Of a pipe, and of what is read again, more comes than is known.
    left = time_left(done, total, seconds)
    return f"{read} of {total // _MEGABYTE:,} MB read, {left}" if left else f"{read} MB read"


@contextmanager
def _one_line() -> Iterator[Callable[[str], None]]:
    """A callable that shows a line in place of the last; it is wiped when the block is left."""
    live: Live | None = None

    def show(line: str) -> None:
        nonlocal live
        if sys.stderr is None or not sys.stderr.isatty():
            return
        from rich.text import Text

        if live is None:
            from rich.console import Console
            from rich.live import Live as Lines

            live = Lines(
                console=Console(stderr=True),
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            live.start()
            live.console.show_cursor(True)  # killed, it could not bring it back
        live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)

    try:
        yield show
    finally:
        if live is not None:
            live.stop()
