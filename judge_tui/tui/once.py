"""Something done once, later, for certain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from textual.timer import Timer


class Timed(Protocol):
    """Whatever sets timers: an app, a screen, a widget."""

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Timer: ...


def once(where: Timed, delay: float, does: Callable[[], Any]) -> Timer:
    """Call `does` after `delay` seconds, however long the program is held up meanwhile.

    See `never_skipped`.
    """
    return never_skipped(where.set_timer(delay, does))


def never_skipped(timer: Timer) -> Timer:
    """The timer, which has not begun yet, made to call in any case.

    A timer of Textual passes over a time that is behind it already. Where that was its only one,
    on a busy machine, nobody would ever be called.
    """
    timer._skip = False
    return timer
