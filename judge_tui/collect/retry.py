"""How often and how fast a system is asked: tries with growing waits, a least gap between two
queries, and the pauses that the system asks for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from judge_tui.collect.search_system import SearchError

if TYPE_CHECKING:
    from judge_tui.collect.settings import Limits

Item = TypeVar("Item")
Value = TypeVar("Value")

_FIRST_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class TimedOutcome(Generic[Value]):
    """What came of so many `tries`, the last of which took `seconds`."""

    outcome: Value | SearchError
    seconds: float
    tries: int

    def value(self) -> Value:
        """The value. Raises the `SearchError` of the last try where none came."""
        if isinstance(self.outcome, SearchError):
            raise self.outcome
        return self.outcome


class Throttle:
    """The clock of one system, shared by all who ask it: where one is told to wait, all wait."""

    def __init__(
        self, limits: Limits, on_wait: Callable[[float, str], None] = lambda _seconds, _why: None
    ) -> None:
        """`on_wait` is told the seconds of each pause and why."""
        self._limits = limits
        self._on_wait = on_wait
        self._next = 0.0

    async def call(self, fetch: Callable[[], Awaitable[Value]]) -> TimedOutcome[Value]:
        """Call `fetch`, again where that may help. A pause that the system asks for uses up no try,
        up to `max_wait` seconds of them in all."""
        limits = self._limits
        tries = failures = 0
        paused = 0.0
        while True:
            await self._turn()
            tries += 1
            start = time.perf_counter()
            try:
                return TimedOutcome(await fetch(), time.perf_counter() - start, tries)
            except SearchError as error:
                answer: TimedOutcome[Value] = TimedOutcome(
                    error, time.perf_counter() - start, tries
                )
                pause = error.retry_after
                if pause is not None and limits.retries and paused + pause <= limits.max_wait:
                    # Not less than the first wait: a server may say 0 and mean it for ever.
                    pause = max(pause, _FIRST_WAIT)
                    paused += pause
                    self._next = max(self._next, asyncio.get_running_loop().time() + pause)
                    self._on_wait(pause, error.what)
                    continue
                if pause is not None:
                    error.what += f" (it asks to be left alone for {pause:,.0f} s)"
                    return answer
                if not error.transient or failures >= limits.retries:
                    return answer
                wait = min(_FIRST_WAIT * 2**failures, limits.max_wait)
                failures += 1
                self._on_wait(wait, error.what)
                await asyncio.sleep(wait)

    async def _turn(self) -> None:
        """Wait until the system may be asked."""
        clock = asyncio.get_running_loop()
        while (left := self._next - clock.time()) > 0:
            await asyncio.sleep(left)
        if self._limits.rate is not None:
            self._next = clock.time() + 1 / self._limits.rate


async def do_each(items: Iterable[Item], do: Callable[[Item], Awaitable[None]], jobs: int) -> None:
    """Do it to each of the items in their order, `jobs` at a time. The first error ends it all;
    when this is cancelled, so is what is under way."""
    waiting = iter(items)

    async def worker() -> None:
        for item in waiting:
            await do(item)

    workers = [asyncio.create_task(worker()) for _ in range(jobs)]
    try:
        await asyncio.gather(*workers)
    finally:
        for one in workers:
            one.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
