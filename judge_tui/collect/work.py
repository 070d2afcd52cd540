"""One call of `collect`: what is asked for, and what each system is to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from judge_tui.collect.journal import Journal
from judge_tui.collect.retry import Throttle
from judge_tui.collect.search_system import Reply
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.settings import SystemSettings
from judge_tui.collect.systems_file import Systems
from judge_tui.model import Document, Query

__all__ = ["Found", "Order", "Progress", "Work"]

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


@dataclass
class Order:
    """Ask the `systems` these `queries`, `jobs` at once, for `depth` results each, and write into
    the `folder`: `fresh` asks everything anew, `retry_failed` what failed. `candidates`: query_id
    -> the documents to rank, where a benchmark has them; `pages`: files that tell of an earlier
    call."""

    systems: Systems
    queries: Sequence[Query]
    folder: Path
    depth: int
    jobs: int
    fresh: bool
    retry_failed: bool
    candidates: Mapping[str, Sequence[Document]]
    pages: Sequence[str]
    on_progress: Callable[[Progress], None]
    _last: Progress = field(default_factory=lambda: Progress("", 0, 0))

    def path(self, name: str) -> Path:
        """Where a path of the systems file leads."""
        return self.systems.folder / name

    @property
    def secrets(self) -> Secrets:
        """What is said to nobody but the systems."""
        return self.systems.secrets

    def tell(self, progress: Progress) -> None:
        """How far it is."""
        self._last = progress
        self.on_progress(progress)

    def note_wait(self, seconds: float, why: str) -> None:
        """Why nothing happens for so long."""
        note = f"waits {math.ceil(seconds):,} s ({self.secrets.redact(why)})"
        self.on_progress(self._last._replace(note=note, waits=seconds))


class Work(Generic[Record, Outcome]):
    """What one system is to do. `done` of `total` has its record by now."""

    def __init__(self, order: Order, name: str, journal: Journal[Record], total: int) -> None:
        self.order = order
        self.name = name
        self.settings: SystemSettings = order.systems.systems[name]
        self.journal = journal
        self.throttle = Throttle(self.settings, order.note_wait)
        self.total = total
        self.done = 0

    def tell(self, query: Query, note: str = "") -> None:
        """How far it is."""
        self.order.tell(Progress(self.name, self.done, self.total, query, note))

    @property
    def fingerprint(self) -> str:
        """Of what its records depend on."""
        raise NotImplementedError

    async def try_out(self) -> None:
        """Ask one query before the work, where any is left. Raises `JudgeTuiError`."""
        raise NotImplementedError

    async def ask(self, found: Found) -> bool:
        """Ask what is left; whether that was anything. Raises `JudgeTuiError`."""
        raise NotImplementedError

    def write(self) -> Outcome:
        """Write the files for others, each whole or not at all. Raises `InputError`."""
        raise NotImplementedError
