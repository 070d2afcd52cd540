"""A screen that others come back to."""

from __future__ import annotations

from time import monotonic

from textual import events


class Returning:
    """Goes before its other classes: takes the keys that were meant for the screen above it."""

    _back_at = 0.0
    """When this screen was there again (monotonic)."""

    def on_screen_resume(self) -> None:
        self._back_at = monotonic()

    def takes(self, event: events.Key) -> bool:
        """Whether a key that comes here was meant for the screen before, which was still there when
        it was pressed: nothing is done then. A second q would leave this one, too."""
        return event.time < self._back_at
