"""How long a judge looks at a document, and what that says about the time left."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

__all__ = ["IDLE_SECONDS", "LookTimer", "pace_text"]

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


def pace_text(looked: Sequence[float], left: int) -> str:
    """The median seconds a document took, and the time left at that pace.

    Empty before the first decision: there is nothing to estimate from.
    """
    if not looked:
        return ""
    seconds = statistics.median(looked)
    pace = f"{seconds:.0f} s/doc" if seconds >= 1 else "<1 s/doc"
    if not left:
        return pace
    minutes = left * seconds / 60
    if minutes < 1:
        return f"{pace}   <1 min left"
    if minutes < 90:
        return f"{pace}   {minutes:.0f} min left"
    return f"{pace}   {minutes / 60:.1f} h left"
