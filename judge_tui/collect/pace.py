"""How fast a system is asked, and how long it is left alone before it is asked again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from judge_tui.collect.answer import AskError

__all__ = ["GaveUpError", "Pace", "Patience", "Tried"]

Value = TypeVar("Value")

_FIRST_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class Patience:
    """`timeout`: seconds for one try; `retries`: how many more after connection errors, HTTP 429
    and 5xx; `rate`: queries a second, None for as fast as answers come; `longest_wait`: seconds
    that a system may ask to be left alone before its query has failed."""

    timeout: float = 30.0
    retries: int = 2
    rate: float | None = None
    longest_wait: float = 120.0


@dataclass(frozen=True, slots=True)
class Tried(Generic[Value]):
    """What came at last, in how many seconds of the last try, after how many tries."""

    value: Value
    seconds: float
    tries: int


class GaveUpError(AskError):
    """Nothing came, after so many `tries`, of which the last took so many `seconds`: why."""

    def __init__(self, what: str, said: Any, seconds: float, tries: int) -> None:
        super().__init__(what, said)
        self.seconds = seconds
        self.tries = tries


class Pace:
    """One system's clock, shared by all who ask it: what one is told to wait, all wait."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._next = 0.0

    async def trying(self, once: Callable[[], Awaitable[Value]]) -> Tried[Value]:
        """Call `once` when the system may be asked, and again where that may help.

        Waits grow from half a second twofold, or are as long as the system asked for. Raises
        `GaveUpError`, whose words may hold secrets.
        """
        tries = 0
        while True:
            await self._turn()
            tries += 1
            start = time.perf_counter()
            try:
                value = await once()
            except AskError as error:
                seconds = time.perf_counter() - start
                wait = self._wait_after(error, tries)
                if wait is None:
                    raise GaveUpError(self._why(error), error.said, seconds, tries) from None
                await asyncio.sleep(wait)
                continue
            return Tried(value, time.perf_counter() - start, tries)

    async def _turn(self) -> None:
        clock = asyncio.get_running_loop()
        while (left := self._next - clock.time()) > 0:
            await asyncio.sleep(left)
        if self._patience.rate is not None:
            self._next = clock.time() + 1 / self._patience.rate

    def _wait_after(self, error: AskError, tries: int) -> float | None:
        if not error.again or tries > self._patience.retries or self._is_too_long(error):
            return None
        wait: float = min(_FIRST_WAIT * 2 ** (tries - 1), max(self._patience.longest_wait, 0.01))
        if error.wait is not None:
            wait = max(wait, error.wait)
            self._next = max(self._next, asyncio.get_running_loop().time() + wait)
        return wait

    def _is_too_long(self, error: AskError) -> bool:
        return error.wait is not None and error.wait > self._patience.longest_wait

    def _why(self, error: AskError) -> str:
        if error.wait is not None and self._is_too_long(error):
            return f"{error.what} (it asks to be left alone for {error.wait:,.0f} s)"
        return error.what
