"""Nothing is graded unseen: which keys can mean the document on screen."""

from __future__ import annotations

from datetime import UTC, datetime
from time import monotonic

_LATE = 0.5


class PaintGuard:
    """A key counts only if it was pressed after the document on screen had been painted.

    Keys can outrun painting: twenty of them in one burst wait in the queue while the screen
    changes, and all but the first are older than what it shows then. Times are those of the
    monotonic clock, in seconds.
    """

    def __init__(self) -> None:
        self._painted: float | None = None
        self._expected = monotonic()
        self._pressed = 0.0
        self.painted_at: str | None = None

    def expect(self) -> None:
        """Another document is about to be painted: no key counts until it was."""
        self._painted = None
        self._expected = monotonic()
        self.painted_at = None

    @property
    def late(self) -> bool:
        """Whether painting has been waited for so long that there must be no room for it."""
        return self.waiting and monotonic() - self._expected > _LATE

    @property
    def waiting(self) -> bool:
        """Whether the document has not been painted yet."""
        return self._painted is None

    def painted(self, at: float) -> None:
        """The document on screen was handed to the terminal."""
        self._painted = at
        self.painted_at = datetime.now(UTC).isoformat(timespec="milliseconds")

    def pressed(self, at: float) -> None:
        """A key was pressed at that moment; it is the one that is acted on next."""
        self._pressed = at

    @property
    def counts(self) -> bool:
        """Whether the key pressed last can mean the document on screen."""
        return self._painted is not None and self._pressed >= self._painted
