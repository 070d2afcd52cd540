"""What a systems file names, read: the systems that are searched, and those that are put tasks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from judge_tui.collect.differing import settings_that_differ
from judge_tui.collect.digests import digest_of_documents
from judge_tui.collect.identity import Identify
from judge_tui.collect.kinds import Searcher, Surroundings
from judge_tui.collect.pace import Patience
from judge_tui.collect.price import Price
from judge_tui.collect.secrets import Secrets
from judge_tui.collect.tasks.settings import ASKING, TaskSettings
from judge_tui.formats.problems import quoted
from judge_tui.model import Document

__all__ = ["TASK", "Live", "System", "Systems", "TaskSystem"]

TASK = "task"
"""The kind of systems that are put tasks in place of queries."""

_BESIDE = frozenset({"identify", "price", "currency", *(one.name for one in fields(Patience))})
"""Settings of all kinds that change no reply."""


@dataclass(frozen=True, slots=True)
class Live:
    """What there is of every system. `settings` is its table as it is written: the names of secrets
    and nothing of the file's `[defaults]`; keys that are written out are hidden, and `marks` has of
    some settings what tells them apart all the same. `folder` is where its paths begin."""

    name: str
    kind: str
    line: int | None
    patience: Patience
    identify: Identify | None
    folder: Path
    settings: Mapping[str, Any]
    marks: Mapping[str, Sequence[str]]
    price: Price | None

    @property
    def surroundings(self) -> Surroundings:
        """What it is opened with, but for how it is used."""
        return Surroundings(self.folder, self.patience)

    @property
    def expected(self) -> str:
        """The pattern that it is identified by; empty where it is not asked."""
        return "" if self.identify is None else self.identify.expect.pattern

    def marks_of(self, names: Iterable[str]) -> list[Sequence[str]]:
        """Those of these settings that have some; nothing where none has."""
        return [self.marks[name] for name in sorted(names) if name in self.marks]


@dataclass(frozen=True, slots=True)
class System(Live):
    """One that is searched: its `name` is the tag of its run. `candidates`: query_id -> what it
    ranks, where it ranks those."""

    searcher: Searcher
    candidates: Mapping[str, Sequence[Document]] = field(default_factory=dict)

    @property
    def ranks_candidates(self) -> bool:
        """Whether it ranks what a benchmark has for each query, and searches for nothing."""
        return self.searcher.ranks_candidates

    @property
    def documents(self) -> Path | None:
        """The file or folder of documents that it searches, where it says one."""
        return self.folder / self.searcher.documents if self.searcher.documents else None

    @property
    def surroundings(self) -> Surroundings:
        """What it is opened with, but for how it is used."""
        return Surroundings(self.folder, self.patience, candidates=self.candidates)

    def fingerprint(self, k: int) -> str:
        """Tells whether replies that are there were given to the same settings and depth."""
        return self._fingerprint_of(self.settings, k)

    def differs(self, fingerprint: str, described: Mapping[str, Any], k: int) -> str:
        """What was otherwise when the replies with that fingerprint came, by what was `described`
        of the system then (`folder.describe`), which has all but the documents; empty where that is
        not of these replies."""
        settings, depth = described.get("settings"), described.get("depth")
        if not isinstance(settings, dict):
            return ""
        before, now = self._asked(settings), self._asked(self.settings)
        told = ", and ".join(settings_that_differ({"depth": depth, **before}, {"depth": k, **now}))
        if self._fingerprint_of(settings, depth) == fingerprint:
            return told
        documents = self.searcher.documents
        if told or not documents:
            return ""
        return (
            f"what is in its documents, {quoted(documents)}, was another, or an earlier version"
            " read a setting otherwise"
        )

    def _asked(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the settings that replies depend on."""
        beside = _BESIDE | self.searcher.beside
        return {name: value for name, value in settings.items() if name not in beside}

    def _fingerprint_of(self, settings: Mapping[str, Any], k: Any) -> str:
        asked = self._asked(settings)
        searched = "" if self.documents is None else digest_of_documents(self.documents)
        if self.ranks_candidates:
            searched = _digest_of_candidates(self.candidates)
        anew = self.searcher.read_anew
        return _fingerprint([asked, k, searched, *anew, *self.marks_of(asked)])


@dataclass(frozen=True, slots=True)
class TaskSystem(Live):
    """One that is put tasks: what it answers is checked."""

    tasks: TaskSettings

    @property
    def fingerprint(self) -> str:
        """Tells whether replies that are there came from the same model and settings."""
        return self._fingerprint_of(self.settings)

    def differs(self, fingerprint: str, described: Mapping[str, Any]) -> str:
        """As of a system that is searched."""
        settings = described.get("settings")
        if not isinstance(settings, dict) or self._fingerprint_of(settings) != fingerprint:
            return ""
        then, now = (
            {name: its[name] for name in ASKING if name in its} for its in (settings, self.settings)
        )
        return ", and ".join(settings_that_differ(then, now))

    def _fingerprint_of(self, settings: Mapping[str, Any]) -> str:
        asked = [settings.get(name) for name in ASKING]
        return _fingerprint([*asked, *self.marks_of(ASKING)])


@dataclass(frozen=True, slots=True)
class Systems:
    """All systems of a file, in its order, and the secrets that it names: those that are searched,
    and apart from them those of kind `task`. `left_out`: the names of such that are there, and were
    not wanted; `names`: of all that the file has, wanted or not; `notes`: what
    in them may be meant otherwise."""

    path: str
    systems: tuple[System, ...]
    secrets: Secrets
    tasks: tuple[TaskSystem, ...] = ()
    left_out: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def choosing_from(self, candidates: Mapping[str, Sequence[Document]]) -> Systems:
        """The same systems; those that rank candidates rank these: query_id -> documents."""
        systems = tuple(
            replace(one, candidates=candidates) if one.ranks_candidates else one
            for one in self.systems
        )
        return replace(self, systems=systems)


def _fingerprint(told: Any) -> str:
    said = json.dumps(told, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _digest_of_candidates(candidates: Mapping[str, Sequence[Document]]) -> str:
    told = {
        query_id: [(one.doc_id, one.title, one.text) for one in documents]
        for query_id, documents in candidates.items()
    }
    said = json.dumps(told, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
