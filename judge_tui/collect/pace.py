"""How fast a system is asked, and how long it is left alone before it is asked again."""

from __future__ import annotations

import asyncio
import bisect
import itertools
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from judge_tui.collect.reply import AskError

__all__ = ["GaveUpError", "Pace", "Patience", "Rest", "Rested", "Tried"]

Value = TypeVar("Value")

_FIRST_WAIT = 0.5

_LESS = "to ask it less: rate in the systems file, or a smaller -j"


@dataclass(frozen=True, slots=True)
class Patience:
    """`timeout`: seconds for one try; `retries`: how many more after connection errors and HTTP
    5xx, and after 429 once it has gone on for too long; `rate`: queries a second, None for as fast
    as replies come; `longest_wait`: seconds that a system may ask to be left alone, or let nobody
    in (429), before its query has failed."""

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


class Rest(NamedTuple):
    """A system is left alone for so many `seconds` from now: `why`, which may hold secrets."""

    seconds: float
    why: str


Rested = Callable[[Rest | None], None]
"""Is told that a system is left alone, and by None that it is asked again."""


class GaveUpError(AskError):
    """Nothing came, after so many `tries`, of which the last took so many `seconds`: why the last
    one failed, told by `what`."""

    def __init__(self, last: AskError, what: str, seconds: float, tries: int) -> None:
        super().__init__(what, last.said, again=last.again, too_large=last.too_large)
        self.seconds = seconds
        self.tries = tries


class Pace:
    """One system's clock, shared by all who ask it: what one is told to wait, all wait.

    A system that wants rest (HTTP 429, and whatever comes with Retry-After) is asked by one at a
    time from then on, the earliest first; with every reply by some more, as in additive increase,
    multiplicative decrease (Chiu and Jain 1989). Who is sent away among others has used up no try
    by that, since it says nothing of a query but that there were too many at once; and who is sent
    away by HTTP 429 alone has not, either, until the system has let nobody in for `longest_wait`.
    `rested` is told once for each rest that somebody waits for.
    """

    def __init__(self, patience: Patience, rested: Rested = lambda _rest: None) -> None:
        self._patience = patience
        self._rested = rested
        self._why_rests = ""
        self._told_until: float | None = None
        self._next = 0.0
        self._full_since: float | None = None
        self._rests = 0
        self._at_once = math.inf
        self._under_way = 0
        self._turns = 0
        self._places = itertools.count()
        self._line: list[int] = []
        self._moved = asyncio.Event()

    async def trying(self, once: Callable[[], Awaitable[Value]]) -> Tried[Value]:
        """Call `once` when the system may be asked, and again where that may help.

        Waits grow from half a second twofold, or are as long as the system asked for. Raises
        `GaveUpError`, whose words may hold secrets.
        """
        place = next(self._places)
        tries = used_up = sent_away = 0
        while True:
            async with self._turn(place):
                tries += 1
                rests, turns, others = self._rests, self._turns, self._under_way - 1
                start = time.perf_counter()
                try:
                    value = await once()
                except AskError as error:
                    failed = error
                else:
                    self._answered(rests)
                    return Tried(value, time.perf_counter() - start, tries)
                seconds = time.perf_counter() - start
                alone = not others and turns == self._turns
                counts = alone or not failed.wants_rest
                left = self._may_be_full_for(failed)
                if left > 0:
                    sent_away += counts
                    wait = self._wait_after(failed, sent_away, left)
                else:
                    used_up += counts
                    wait = self._wait_after(failed, used_up, self._patience.longest_wait)
                if failed.wants_rest and wait is not None:
                    self._rest(wait, rests, failed.what)
            # Who wants no retries is asked once, whatever the reason.
            if wait is None or used_up > self._patience.retries or not self._patience.retries:
                raise GaveUpError(failed, self._why(failed), seconds, tries) from None
            if not failed.wants_rest:
                await asyncio.sleep(wait)

    @asynccontextmanager
    async def _turn(self, place: int) -> AsyncIterator[None]:
        """As long as this lasts the system may be asked; waits until then."""
        clock = asyncio.get_running_loop()
        bisect.insort(self._line, place)
        try:
            while True:
                if (left := self._next - clock.time()) > 0:
                    self._tell_rest(left)
                    await asyncio.sleep(left)
                elif self._line[0] != place or self._under_way + 1 > self._at_once:
                    await self._moved.wait()
                else:
                    break
        finally:
            self._line.remove(place)
            self._move()
        self._tell_end_of_rest()
        if self._patience.rate is not None:
            self._next = clock.time() + 1 / self._patience.rate
        self._under_way += 1
        self._turns += 1
        try:
            yield
        finally:
            self._under_way -= 1
            self._move()

    def _move(self) -> None:
        """Let those who wait for their turn look whether it has come."""
        self._moved.set()
        self._moved.clear()

    def _answered(self, rests: int) -> None:
        """A reply to what was sent after so many rests."""
        if rests == self._rests:
            self._at_once += 1 / self._at_once
            self._full_since = None

    def _may_be_full_for(self, error: AskError) -> float:
        """Seconds that the system may go on sending everybody away, 0 where it has for too long, or
        where it is another error."""
        if not error.too_many:
            return 0.0
        now = asyncio.get_running_loop().time()
        if self._full_since is None:
            self._full_since = now
        return max(self._full_since + self._patience.longest_wait - now, 0.0)

    def _rest(self, wait: float, rests: int, why: str) -> None:
        """Nobody asks for so long, told to what was sent after so many rests."""
        self._why_rests = why
        self._next = max(self._next, asyncio.get_running_loop().time() + wait)
        if rests == self._rests:
            self._rests += 1
            self._at_once = 1.0

    def _tell_rest(self, left: float) -> None:
        if self._why_rests and self._told_until != self._next:
            self._told_until = self._next
            self._rested(Rest(left, self._why_rests))

    def _tell_end_of_rest(self) -> None:
        self._why_rests = ""
        if self._told_until is not None:
            self._told_until = None
            self._rested(None)

    def _wait_after(self, error: AskError, times: int, longest: float) -> float | None:
        """How long it is to be left alone after failing so many times, at most so long if it does
        not ask for more; None where that is of no use, or too long."""
        if not error.again or self._is_too_long(error):
            return None
        wait: float = min(_FIRST_WAIT * 2 ** max(times - 1, 0), max(longest, 0.01))
        return wait if error.wait is None else max(wait, error.wait)

    def _is_too_long(self, error: AskError) -> bool:
        return error.wait is not None and error.wait > self._patience.longest_wait

    def _why(self, error: AskError) -> str:
        if error.wait is not None and self._is_too_long(error):
            return f"{error.what} (it asks to be left alone for {error.wait:,.0f} s)"
        if error.too_many and not self._patience.retries:
            return f"{error.what} ({_LESS}; to wait until it lets one in: retries)"
        if error.too_many:
            longest = self._patience.longest_wait
            return (
                f"{error.what} (nobody was let in for {longest:,g} s; {_LESS}; to wait longer:"
                " longest_wait)"
            )
        return error.what
