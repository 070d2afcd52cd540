"""One call of `collect`: what is asked for, and what each system is to do."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from judge_tui.collect.journal import Journal
from judge_tui.collect.retry import Throttle
from judge_tui.collect.search_system import Reply
from judge_tui.model import Document, Query

if TYPE_CHECKING:
    from judge_tui.collect.secrets import Secrets
    from judge_tui.collect.systems_file import Systems

Record = TypeVar("Record")
Outcome = TypeVar("Outcome")

Found = Mapping[str, Mapping[str, Reply]]
"""Search system -> query_id -> what it answered."""


class Progress(NamedTuple):
    """How far it is: `done` of `total` queries of a system, or attempts at tasks; or without a
    `query` that is asked now, of what is made ready; `note`: what that is, or why it `waits` so
    many seconds."""

    system: str
    done: int
    total: int
    query: Query | None = None
    note: str = ""
    waits: float = 0.0


@dataclass(frozen=True)
class CollectRequest:
    """Ask the `systems` these `queries`, `jobs` at once, for `depth` results each, and write into
    the `folder`. Queries that have a reply there are not asked again: `retry_failed` asks those
    that failed, `fresh` all. `candidates`: query_id -> the documents that an embedding system
    ranks. `pages`: files of the folder that tell of an earlier call, and go when the asking
    begins. To systems of kind `task` the queries are tasks."""

    systems: Systems
    queries: Sequence[Query]
    folder: Path
    depth: int = 50
    jobs: int = 1
    fresh: bool = False
    retry_failed: bool = False
    candidates: Mapping[str, Sequence[Document]] = field(default_factory=dict)
    pages: Sequence[str] = ()
    on_progress: Callable[[Progress], None] = lambda _progress: None

    def path(self, name: str) -> Path:
        """Where a path of the systems file leads."""
        return self.systems.folder / name

    @property
    def secrets(self) -> Secrets:
        """What is said to nobody but the systems."""
        return self.systems.secrets


class Work(ABC, Generic[Record, Outcome]):
    """What one system is to do. `done` of `total` has its record by now."""

    def __init__(
        self, request: CollectRequest, name: str, journal: Journal[Record], total: int
    ) -> None:
        self.request = request
        self.name = name
        self.settings = request.systems.systems[name]
        self.journal = journal
        self.throttle = Throttle(self.settings, self._tell_wait)
        self.total = total
        self.done = 0
        self._last = Progress(name, 0, total)

    def tell(self, progress: Progress) -> None:
        """How far it is."""
        self._last = progress
        self.request.on_progress(progress)

    def tell_query(self, query: Query, note: str = "") -> None:
        """What is asked now."""
        self.tell(Progress(self.name, self.done, self.total, query, note))

    def _tell_wait(self, seconds: float, why: str) -> None:
        """Why nothing happens for so long."""
        note = f"waits {math.ceil(seconds):,} s ({self.request.secrets.redact(why)})"
        self.request.on_progress(self._last._replace(note=note, waits=seconds))

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Of what its records depend on."""

    @abstractmethod
    async def preflight(self) -> None:
        """Ask one query before the work, where any is left. Raises `JudgeTuiError`."""

    @abstractmethod
    async def ask_rest(self, found: Found) -> bool:
        """Ask what is left; whether that was anything. Raises `JudgeTuiError`."""

    @abstractmethod
    def write(self) -> Outcome:
        """Write the files for others, each whole or not at all. Raises `InputError`."""
