"""Python's collector of cycles, moved to where no key waits for it."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from time import monotonic

__all__ = ["Collecting"]

# The youngest objects are looked at as ever, which takes a tenth of a millisecond; those that have
# outlived that, idle or not, only after so many times.
_TIMES = 1000
# Seconds without a key after which a short collection, or a whole one, keeps nobody waiting.
_IDLE = 0.2
_LONG_IDLE = 2.0
# Seconds between two whole collections.
_PERIOD = 60.0


@dataclass
class _Collector:
    """Python's, of which there is one, however many apps run in the process."""

    users: int = 0
    threshold: tuple[int, int, int] = (0, 0, 0)

    def take(self) -> None:
        if not self.users:
            self.threshold = gc.get_threshold()
            gc.set_threshold(self.threshold[0], _TIMES, _TIMES)
        self.users += 1

    def give_back(self) -> None:
        self.users -= 1
        if not self.users:
            gc.set_threshold(*self.threshold)
            gc.unfreeze()


_collector = _Collector()


class Collecting:
    """Collects while the judge reads: between a key and its document it would take longer than
    painting. `look` is to be called some times a second, and `active` with each key."""

    def __init__(self) -> None:
        self._is_begun = self._is_ended = False
        self._active = self._whole = monotonic()
        self._is_due = False

    def begin(self) -> None:
        """What start-up made lives as long as the app: it is not looked at again. Does nothing once
        the app has ended."""
        if self._is_ended:
            return
        gc.enable()
        gc.collect()
        gc.freeze()
        if not self._is_begun:
            self._is_begun = True
            _collector.take()

    def end(self) -> None:
        """Leave the collector as it was before, if nobody else needs it."""
        self._is_ended = True
        if self._is_begun:
            self._is_begun = False
            _collector.give_back()

    def active(self) -> None:
        """A key was pressed."""
        self._active = monotonic()
        self._is_due = True

    def look(self) -> None:
        """Collect, if nobody waits."""
        now = monotonic()
        if not self._is_begun or not self._is_due or now - self._active < _IDLE:
            return
        if now - self._whole < _PERIOD:
            gc.collect(1)
        elif now - self._active < _LONG_IDLE:
            return
        else:
            gc.collect()
            self._whole = now
        self._is_due = False
