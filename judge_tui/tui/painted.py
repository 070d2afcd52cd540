"""Nothing is graded unseen: which keys can mean the document on screen."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic

AUTO_REPEAT = 0.1
"""Seconds within which the same key again is the keyboard's repetition, not a decision."""

NOT_PAINTED = "not yet: the document was not on screen when you pressed the key"
NO_ROOM = "no room for the document: enlarge the terminal"


class PaintGuard:
    """A key counts only if its document had been painted for a moment when it was pressed.

    Keys outrun painting, and a held key repeats faster than anybody reads: twenty keys in one
    burst, or one held for a second, make one judgment. Times are those of the monotonic clock, in
    seconds.

    For each document it is told, in this order:

    - `expect`: a `DocumentView` is about to draw it, or what was on screen is there no more;
    - `drawn`: it is in what Textual hands to the terminal next;
    - `displayed`: the app has handed that over. The document is painted;
    - `pressed`: the app is about to do what a key means, which was pressed at some time.
    """

    def __init__(self, least_look: float) -> None:
        """`least_look`: seconds that a document is on screen before a grade counts."""
        self.least_look = least_look
        self.painted_at: str | None = None
        self._then: Callable[[float], object] = lambda _at: None
        self._why = NOT_PAINTED
        self._is_drawn = False
        self._painted: float | None = None
        self._key = ""
        self._pressed = 0.0
        self._repeated = False

    def expect(self, then: Callable[[float], object], why: str = NOT_PAINTED) -> None:
        """No key counts, and `why`, before what is about to be drawn is on screen: `then` is called
        with the time when it is."""
        self._then, self._why = then, why
        self._is_drawn = False
        self._painted = self.painted_at = None

    def drawn(self) -> None:
        """The document is in what will be handed to the terminal next."""
        self._is_drawn = True
        self._why = NOT_PAINTED

    def displayed(self) -> None:
        """What was drawn was handed to the terminal."""
        if not self._is_drawn or self._painted is not None:
            return
        self._painted = monotonic()
        self.painted_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._then(self._painted)

    def pressed(self, key: str, at: float) -> None:
        """A key, or "" for a button of the mouse, was pressed at that moment; its action runs
        next."""
        self._repeated = bool(key) and key == self._key and at - self._pressed < AUTO_REPEAT
        self._key, self._pressed = key, at

    @property
    def refusal(self) -> str:
        """Why the key pressed last does not count as a judgment of what is on screen; "" where it
        does."""
        if self._painted is None or self._pressed < self._painted:
            return self._why
        if self._repeated:
            return "a held key counts once"
        if self._pressed - self._painted < self.least_look:
            return f"too fast: look for {self.least_look:g} s, then press the key again"
        return ""

    @property
    def takes_back(self) -> bool:
        """Whether the key pressed last may undo or redo: once for each screen that was seen."""
        return self._painted is not None and self._pressed >= self._painted and not self._repeated
