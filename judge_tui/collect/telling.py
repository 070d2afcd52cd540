"""How far the work is, told to whoever waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from judge_tui.collect.pace import Rest
from judge_tui.collect.secrets import Secrets
from judge_tui.model import Query

__all__ = ["Progress", "Telling"]


class Progress(NamedTuple):
    """How far it is: `done` of `queries` of a system, or of its attempts at tasks; the query that
    is asked now; and `what` is made ready before, or the arm that a task is put in. `rest`: that
    the system is left alone, without secrets; None where it is not."""

    system: str
    done: int
    queries: int
    query: Query | None
    what: str = ""
    rest: Rest | None = None


class Telling:
    """Tells how far it is, and of a system that is left alone that it is, as long as it is."""

    def __init__(self, told: Callable[[Progress], None], secrets: Secrets) -> None:
        self._told = told
        self._secrets = secrets
        self._last: Progress | None = None
        self._rests: dict[str, tuple[float, str]] = {}

    def __call__(self, progress: Progress) -> None:
        self._last = progress
        if progress.system in self._rests:
            until, why = self._rests[progress.system]
            left = max(until - asyncio.get_running_loop().time(), 0.0)
            progress = progress._replace(rest=Rest(left, why))
        self._told(progress)

    def rested(self, system: str, rest: Rest | None) -> None:
        """As `Pace` has it."""
        self._rests.pop(system, None)
        if rest is not None:
            until = asyncio.get_running_loop().time() + rest.seconds
            self._rests[system] = until, self._secrets.hidden(rest.why)
        if self._last is not None:
            self(self._last)
