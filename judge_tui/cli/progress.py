"""How far a long read is: on standard error, and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from judge_tui.visible import visible_line

__all__ = ["counting", "reading"]

_MEGABYTE = 1_000_000
_LARGE = 20 * _MEGABYTE
"""What is read before anybody would look is not told."""


@contextmanager
def counting(name: str, what: str) -> Iterator[Callable[[int], None]]:
    """A callable that shows `NAME: 10,000 WHAT`; the line is wiped when the block is left."""
    with _one_line() as show:

        def tell(count: int) -> None:
            if sys.stderr.isatty():
                show(f"{visible_line(name)}: {count:,} {what}")

        yield tell


@contextmanager
def reading() -> Iterator[Callable[[int, int], None] | None]:
    """A callable that takes the bytes read so far and their total, and shows how far a large read
    is; the line is wiped when the block is left. None where nobody would see it.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    with _one_line() as show:

        def tell(done: int, total: int) -> None:
            if done >= _LARGE:
                # Of what is compressed there comes more than the files hold.
                known = f" of {total // _MEGABYTE:,}" if done <= total else ""
                show(f"{done // _MEGABYTE:,}{known} MB read")

        yield tell


@contextmanager
def _one_line() -> Iterator[Callable[[str], None]]:
    widest = 0

    def show(line: str) -> None:
        nonlocal widest
        widest = max(widest, len(line))
        click.echo(f"\r{line}", nl=False, err=True)

    try:
        yield show
    finally:
        if widest:
            click.echo(f"\r{' ' * widest}\r", nl=False, err=True)
