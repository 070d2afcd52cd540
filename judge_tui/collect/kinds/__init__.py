"""The kinds of systems: how each is asked. One file a kind, and one line in this registry."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

from judge_tui.collect.pace import Patience, Rested
from judge_tui.collect.reply import Hit
from judge_tui.collect.section import Section
from judge_tui.model import Document, Query

__all__ = ["KINDS", "Answer", "Asking", "Marked", "Opener", "Searcher", "Surroundings", "read_kind"]


class Surroundings(NamedTuple):
    """What a system is opened with: the folder that its paths begin at, how patiently it is asked,
    how many queries at once. `trial`: whether it is opened to be tried alone, and need not be made
    ready for all that costs time; `told` is called with what is being made ready, and `noted` with
    what is to be known of it afterwards; `rested` as `Pace` has it; `queries`: what it will be
    asked, as far as that is known; `candidates`: query_id -> what there is to choose from, where a
    benchmark says so."""

    folder: Path
    patience: Patience
    at_once: int = 1
    trial: bool = False
    told: Callable[[str], None] = lambda _what: None
    noted: Callable[[str], None] = lambda _what: None
    rested: Rested = lambda _rest: None
    queries: Sequence[Query] = ()
    candidates: Mapping[str, Sequence[Document]] = MappingProxyType({})


Answer = Sequence[Hit] | Callable[[], Awaitable[Sequence[Hit]]]
"""Results in their order; or what reads them out of what the system said, which takes this machine
time and not the system. Raises `AskError`."""


class Asking(Protocol):
    """A system that is ready to be asked."""

    async def ask(self, query: Query, k: int) -> Answer:
        """What it answers, which is there when this returns: the seconds of a query end then.
        Raises `AskError`."""
        ...


@runtime_checkable
class Marked(Protocol):
    """A system that can be told by its replies, beside what `identify` says."""

    async def mark(self, before: Mapping[str, str]) -> tuple[dict[str, str], str]:
        """What it is known again by, of which `model` is what it calls itself, empty where it does
        not say; and why it is not the one that `before`, {} where nothing is known, is of, as far
        as names do not tell, empty where it is. Raises `AskError`."""
        ...


Opener = Callable[[Surroundings], AbstractAsyncContextManager[Asking]]
"""Makes a system ready, and puts it away at the end. Raises `JudgeTuiError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """What a kind makes of the table of a system: how it is opened, and what tells whether replies
    that are there are still those that it would give.

    `documents`: the file or folder that it searches, by its name from the folder of the systems
    file on, empty where it has none; `beside`: its settings that change no reply, but for those
    that all kinds have. Replies are used again as long as all other settings, and what the
    documents hold, are the same; nothing is written over the documents.
    `read_anew`: what earlier versions read otherwise out of the same settings, so that the replies
    that they had are of others. `gives_texts`: whether its results have texts; `ranks_candidates`:
    whether it ranks what a benchmark has for each query, and searches for nothing.
    """

    open: Opener
    beside: frozenset[str]
    gives_texts: bool
    documents: str = ""
    read_anew: tuple[str, ...] = ()
    ranks_candidates: bool = False


def _http(section: Section) -> Searcher | None:
    from judge_tui.collect.kinds.http import read  # noqa: PLC0415

    return read(section)


def _command(section: Section) -> Searcher | None:
    from judge_tui.collect.kinds.command import read  # noqa: PLC0415

    return read(section)


def _embedding(section: Section) -> Searcher | None:
    from judge_tui.collect.kinds.embedding import read  # noqa: PLC0415

    return read(section)


KINDS: dict[str, Callable[[Section], Searcher | None]] = {
    "http": _http,
    "command": _command,
    "embedding": _embedding,
}


def read_kind(name: str, section: Section) -> Searcher | None:
    """What that kind makes of a table; None where a setting of it was refused."""
    return KINDS[name](section)
