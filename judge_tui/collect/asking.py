"""Asking one system all its queries: so many at once, at its pace, again where that may help."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from judge_tui.collect.kinds import Asking
from judge_tui.collect.lack import LackError
from judge_tui.collect.pace import GaveUpError, Pace
from judge_tui.collect.reply import AskError, Hit, Reply, cut
from judge_tui.collect.secrets import Secrets, if_no_secret
from judge_tui.model import Query

__all__ = ["ask", "ask_all", "each"]

Item = TypeVar("Item")

_WAITS = (0.5, 1, 2, 4, 8, 16)

_TELLING = f"the id of a result holds a secret ({if_no_secret('NAME')})"


async def ask_all(
    asking: Asking,
    pace: Pace,
    queries: Sequence[Query],
    k: int,
    *,
    at_once: int,
    secrets: Secrets,
    began: Callable[[Query], None],
    answered: Callable[[Reply], None],
) -> LackError | None:
    """Ask every query, `at_once` of them at a time; `answered` gets each reply as it comes.
    Returns and raises what `each` does.

    When this is cancelled, what is under way is given up and what was answered is not.
    """

    async def one(query: Query) -> None:
        began(query)
        answered(await ask(asking, pace, query, k, secrets))

    return await each(queries, one, at_once)


async def each(
    items: Sequence[Item],
    do: Callable[[Item], Awaitable[None]],
    at_once: int,
    *,
    waits: Sequence[float] = _WAITS,
) -> LackError | None:
    """Do it to each of the items in their order, `at_once` of them at a time. The first error ends
    it all; when this is cancelled, so is what is under way.

    Where there is not enough here for so many, as `LackError` says, what lacks it is done later,
    and from then on one fewer at a time; the error is returned. Where there is not enough for one
    alone, that waits so many seconds in turn, and raises the error then.
    """
    waiting = deque(items)
    working = min(at_once, len(items))
    lack: LackError | None = None

    async def worker() -> None:
        nonlocal working, lack
        left = iter(waits)
        while waiting:
            item = waiting.popleft()
            try:
                await do(item)
            except LackError as error:
                lack = error
                waiting.appendleft(item)
                if working > 1:
                    break
                if (wait := next(left, None)) is None:
                    raise
                await asyncio.sleep(wait)
            else:
                left = iter(waits)
        working -= 1

    workers = [asyncio.create_task(worker()) for _ in range(working)]
    try:
        await asyncio.gather(*workers)
    finally:
        for one in workers:
            one.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return lack


async def ask(asking: Asking, pace: Pace, query: Query, k: int, secrets: Secrets) -> Reply:
    """Ask one query, again where that may help: its reply, or why there is none. Raises
    `LackError`."""
    try:
        tried = await pace.trying(lambda: asking.ask(query, k))
    except GaveUpError as error:
        return Reply(
            query.query_id,
            query.text,
            seconds=error.seconds,
            tries=error.tries,
            failure=error.line(secrets.hidden),
        )
    reply = Reply(query.query_id, query.text, seconds=tried.seconds, tries=tried.tries)
    try:
        hits = await tried.value() if callable(tried.value) else tried.value
    except AskError as error:
        return replace(reply, failure=error.line(secrets.hidden))
    kept, repeated = cut(hits, k)
    telling = next((hit for hit in kept if secrets.hidden(hit.doc_id) != hit.doc_id), None)
    if telling is not None:
        # With the name in its place it would be the id of no document, and nobody would know why.
        failure = AskError(_TELLING, telling.doc_id)
        return replace(reply, failure=failure.line(secrets.hidden))
    return replace(reply, hits=tuple(_hidden(kept, secrets)), repeated=repeated)


def _hidden(hits: Iterable[Hit], secrets: Secrets) -> list[Hit]:
    """A system that answers with what it was sent must not bring a secret into a file."""
    return [
        replace(
            hit,
            title=secrets.hidden(hit.title),
            text=secrets.hidden(hit.text),
            url=secrets.hidden(hit.url),
        )
        for hit in hits
    ]
