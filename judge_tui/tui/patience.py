"""Writing while others write: at once if it can be, and again and again for a while if not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol, TypeVar

from textual.content import Content

from judge_tui.errors import CampaignError, LockedError
from judge_tui.tui.once import Timed, once

__all__ = ["NOT_SAVED", "SQLITE_WAITS", "Patience"]

NOT_SAVED = "NOT SAVED"
"""What is said first of what could not be written."""

SQLITE_WAITS = 100
"""Milliseconds that SQLite itself waits: the screen stands still for no longer."""

_AGAIN = 0.25
_GREATEST_WAIT = 30.0

Result = TypeVar("Result")


class _Speaks(Timed, Protocol):
    def say(self, said: Content) -> None: ...
    def say_error(self, start: str, error: CampaignError) -> None: ...
    def may_leave(self, keys: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Attempt:
    change: Callable[[], Any]
    then: Callable[[Any], None]
    until: float


class Patience:
    """One change at a time; while it waits for the file it is pending, and the screen says so."""

    def __init__(self, screen: _Speaks, leave_keys: Callable[[], str]) -> None:
        self._screen = screen
        self._leave_keys = leave_keys
        self._pending: _Attempt | None = None
        self._leaves = False
        self.failed = False
        """Whether the last change could not be written."""

    @property
    def waiting(self) -> bool:
        """Whether something is still to be written: nothing else may be done meanwhile."""
        return self._pending is not None

    def may_leave(self) -> bool:
        """Whether the app may end: nothing would be lost, or it is asked for the second time."""
        if self._pending is None:
            return self._screen.may_leave(self._leave_keys())
        if self._leaves:
            return True
        self._leaves = True
        self._say_waiting()
        return False

    def attempt(self, change: Callable[[], Result], then: Callable[[Result], None]) -> None:
        """Make the change, then call `then` with what came of it.

        While another program holds the file it is tried again; what cannot be written in the end is
        said, and `then` is not called.
        """
        self._pending = _Attempt(change, then, monotonic() + _GREATEST_WAIT)
        self._leaves = False
        self._try()

    def _try(self) -> None:
        attempt = self._pending
        if attempt is None:
            return
        try:
            result = attempt.change()
        except LockedError as error:
            if monotonic() < attempt.until:
                self._say_waiting()
                once(self._screen, _AGAIN, self._try)
                return
            self.give_up(error)
        except CampaignError as error:
            self.give_up(error)
        else:
            self._pending = None
            self.failed = False
            attempt.then(result)

    def give_up(self, error: CampaignError) -> None:
        """Say that the change is not made; also where an error came before it could be tried."""
        self._pending = None
        self.failed = True
        self._screen.say_error(NOT_SAVED, error)

    def give_up_unread(self, error: CampaignError, *, typing: bool) -> None:
        """The same where what a change is about cannot be read again; `typing`: it is only being
        typed, and nothing is to be saved yet. Raises the error where a change waits already, which
        is told not to be made."""
        if self.waiting:
            raise error
        if typing:
            self._screen.say_error("CANNOT READ", error)
        else:
            self.give_up(error)

    def _say_waiting(self) -> None:
        again = "once more" if self._leaves else "twice"
        self._screen.say(
            Content.assemble(
                ("WAITING  ", "bold $text-warning"),
                "another program has the file  ",
                (f"{self._leave_keys()} {again} leaves without it", "dim"),
            )
        )
