"""What every live system is to `collect`: asked a query, it gives results or says why not."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.model import Query
from judge_tui.visible import visible_line

if TYPE_CHECKING:
    from judge_tui.collect.retry import Throttle

LARGEST = 64_000_000
"""Bytes of one reply; no query of a person is answered with more."""

_LOOKED_AT = 1_000_000
_SHOWN = 80
_SURROGATES = re.compile("[\ud800-\udfff]")
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)


@dataclass(frozen=True, slots=True)
class Hit:
    """One result; results stand in the system's order. `score` is the system's own; texts are empty
    where it gives none."""

    doc_id: str
    score: float | None = None
    title: str = ""
    text: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What one query brought: no document twice. `seconds`: of the last try, without waits;
    `repeated`: results dropped because their document stood above; `failure`: why there is no
    reply, in one line, empty where there is one."""

    query_id: str
    query: str
    hits: tuple[Hit, ...] = ()
    seconds: float = 0.0
    tries: int = 1
    repeated: int = 0
    failure: str = ""


class SearchError(JudgeTuiError):
    """A query that was not answered. `said`: what the system said, uncut, since a cut may end amid
    a secret; `transient`: another try may help; `retry_after`: the seconds it asked for."""

    def __init__(
        self,
        what: str,
        said: Any = "",
        *,
        transient: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(what)
        self.said = said
        self.transient = transient
        self.retry_after = retry_after

    def line(self, redact: Callable[[str], str]) -> str:
        """Why, and how what was said begins, in one line that a terminal may show."""
        said = self.said if isinstance(self.said, str) else json.dumps(self.said)
        said = " ".join(redact(said[:_LOOKED_AT]).split())
        if len(said) > _SHOWN:
            said = f"{said[:_SHOWN]}…"
        what = " ".join(redact(self.what).split())
        return visible_line(f"{what}: {said}" if said else what)


class SearchSystem:
    """A live system, usable within `async with`. `prepares`: whether the first query needs what
    may take hours to make ready."""

    prepares = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Nothing to put away."""

    async def prepare(self, throttle: Throttle, tell: Callable[[int, int], None]) -> None:
        """Make ready what the first query needs; `tell` takes how many vectors of documents of how
        many there are. Raises `JudgeTuiError`."""

    async def probe(self, query: Query) -> None:
        """Try one that `prepares` something, before that. Raises `SearchError`."""

    async def fetch(self, query: Query, depth: int) -> Any:
        """The whole reply; the seconds of a query end when this returns. Raises `SearchError`."""
        raise NotImplementedError

    def hits(self, reply: Any) -> Iterable[Hit]:
        """The results in it, each judged when it is taken; not timed. Raises `SearchError`."""
        raise NotImplementedError

    def content_digest(self) -> str:
        """SHA-256 of the documents that it searches; empty where they are not known here."""
        return ""


def drop_repeated(hits: Iterable[Hit], depth: int) -> tuple[tuple[Hit, ...], int]:
    """The first `depth` documents, each at its first place, and how many results repeated one;
    what stands behind them is not looked at."""
    kept: dict[str, Hit] = {}
    repeated = 0
    for hit in hits:
        if hit.doc_id in kept:
            repeated += 1
        else:
            kept[hit.doc_id] = hit
        if len(kept) >= depth:
            break
    return tuple(kept.values()), repeated


def storable(text: str) -> str:
    """A text with a sign in the place of what no file can hold."""
    return _SURROGATES.sub("\ufffd", text)


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Raises `TimeoutError` where the block takes longer, also where it came to its end before this
    process, at work on something else, could end it."""
    async with asyncio.timeout(seconds) as limit:
        yield
        due = limit.when()
        if due is not None and asyncio.get_running_loop().time() > due:
            raise TimeoutError


def refuse_exhausted(error: BaseException | None) -> None:
    """Raise `UsageError` where an error comes from want of files or processes on this machine,
    which is no failure of the system. Libraries wrap it."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _EXHAUSTED:
            raise UsageError(
                f"this machine says: {os.strerror(error.errno)}",
                "give a smaller -j; what was answered is kept",
            ) from error
        error = error.__cause__ or error.__context__
