"""How far a long read is: on standard error, and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from judge_tui.visible import visible_line

__all__ = ["counting"]


@contextmanager
def counting(name: str, what: str) -> Iterator[Callable[[int], None]]:
    """A callable that shows `NAME: 10,000 WHAT`; the line is wiped when the block is left."""
    widest = 0

    def tell(count: int) -> None:
        nonlocal widest
        if sys.stderr.isatty():
            line = f"{visible_line(name)}: {count:,} {what}"
            widest = max(widest, len(line))
            click.echo(f"\r{line}", nl=False, err=True)

    try:
        yield tell
    finally:
        if widest:
            click.echo(f"\r{' ' * widest}\r", nl=False, err=True)
