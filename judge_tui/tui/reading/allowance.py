"""An allowance of processor time, for what foreign text can make slow without end.

Lexers are regular expressions, and for most of them there is a text that takes them hours. Python's
`re` looks for signals while it searches, so that one can call it off: from the main thread, on
systems that have interval timers. Elsewhere the bounds on what is fed to a lexer have to do.
"""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlowError(Exception):
    """The allowance is used up."""


_armed = False


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `TooSlowError` in the block when it took this much processor time. Does not nest."""
    global _armed  # noqa: PLW0603 - there is one timer in a process
    if not _can_interrupt():
        yield
        return
    # What is raised while the collector calls somebody back is swallowed there.
    collects = gc.isenabled()
    gc.disable()
    _armed = True
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        # First this: a signal that arrives from here on is too late to raise anything.
        _armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        if collects:
            gc.enable()


def _can_interrupt() -> bool:
    """Whether the timer's signal comes to this thread and to us. Our handler stays in place, since
    without one the signal would end the process."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        return False
    handler = signal.getsignal(signal.SIGVTALRM)
    if handler is signal.SIG_DFL:
        signal.signal(signal.SIGVTALRM, _interrupt)
        return True
    return handler is _interrupt


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    if _armed:
        raise TooSlowError
