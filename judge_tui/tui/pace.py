"""How long a judge looks at a document, and what that says about the time left."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

LEAST_DOCUMENTS = 3
"""Nothing is said of the pace before so many were decided."""

# Longer without a key or a mouse move: the judge was away, and is counted for this much.
IDLE_SECONDS = 120.0


class LookTimer:
    """Seconds looked at the document on screen, with idle time capped.

    All times are those of the monotonic clock, in seconds.
    """

    def __init__(self) -> None:
        self._looked = 0.0
        self._last: float | None = None

    def start(self, at: float) -> None:
        """A document was painted at that moment."""
        self._looked = 0.0
        self._last = at

    def active(self, at: float) -> None:
        """A key or the mouse says that the judge is there."""
        if self._last is not None and at > self._last:
            self._looked += min(at - self._last, IDLE_SECONDS)
            self._last = at

    def seconds(self, at: float) -> float:
        """Seconds looked up to that moment."""
        self.active(at)
        return self._looked


def mean_pace(looked: Sequence[float]) -> float | None:
    """The mean seconds a document took; None before a few were decided: there is nothing to
    estimate from."""
    return statistics.fmean(looked) if len(looked) >= LEAST_DOCUMENTS else None


def pace_text(looked: Sequence[float], left: int) -> str:
    """The mean pace, and the time left at it; "" where it is not known."""
    seconds = mean_pace(looked)
    if seconds is None:
        return ""
    pace = f"{seconds_text(seconds)}/doc"
    return f"{pace}  {time_left(seconds, left)} left" if left else pace


def time_left(seconds: float, left: int) -> str:
    """How long so many documents take at so many seconds each."""
    return duration(seconds * left, least="<1 min")


def seconds_text(seconds: float) -> str:
    """Seconds that one document takes."""
    return f"{seconds:.0f} s" if seconds >= 1 else "<1 s"


def duration(seconds: float, *, least: str = "") -> str:
    """Seconds as minutes or hours, in words; `least` stands for less than a minute."""
    minutes = seconds / 60
    if minutes < 1:
        return least or f"{seconds:.0f} s"
    if minutes < 90:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h"
