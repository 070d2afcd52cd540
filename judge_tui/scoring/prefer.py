"""The demand `prefer`: documents of the better kind before those of the worse one, such as a
framework's manual of today before that of ten years ago."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from judge_tui.scoring.truths import found_in

__all__ = ["Fate", "Hit", "Prefer", "Preferred", "first_hit"]


@dataclass(frozen=True, slots=True)
class Prefer:
    """Two regular expressions, each sought anywhere in a doc_id."""

    better: re.Pattern[str]
    worse: re.Pattern[str]

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """All that is sought."""
        return self.better, self.worse

    @property
    def written(self) -> dict[str, str]:
        """As files say it."""
        return {"better": self.better.pattern, "worse": self.worse.pattern}

    def met_by(self, doc_ids: Sequence[str]) -> Preferred:
        """How one list, best first, meets it."""
        return Preferred(first_hit(self.better, doc_ids), first_hit(self.worse, doc_ids))


class Hit(NamedTuple):
    """A result and its rank, from 1."""

    rank: int
    doc_id: str


class Fate(StrEnum):
    """How a query ended."""

    MODERN = "modern wins"
    ONLY_MODERN = "only modern"
    LEGACY = "legacy wins"
    ONLY_LEGACY = "only legacy"
    TIED = "tied"
    MISSING = "both missing"


@dataclass(frozen=True, slots=True)
class Preferred:
    """The first result of either kind in one list, None where there is none."""

    better: Hit | None
    worse: Hit | None

    @property
    def first(self) -> tuple[Hit | None, ...]:
        """By each of the patterns."""
        return self.better, self.worse

    @property
    def fate(self) -> Fate:
        """Tied are they where one document is of both kinds and nothing of either stands before
        it."""
        if self.better is None:
            return Fate.MISSING if self.worse is None else Fate.ONLY_LEGACY
        if self.worse is None:
            return Fate.ONLY_MODERN
        if self.better.rank == self.worse.rank:
            return Fate.TIED
        return Fate.MODERN if self.better.rank < self.worse.rank else Fate.LEGACY

    @property
    def sign(self) -> int:
        """1 where the better kind comes first, -1 where the worse one does, else 0. What is missing
        is last."""
        if self.fate in (Fate.MODERN, Fate.ONLY_MODERN):
            return 1
        return -1 if self.fate in (Fate.LEGACY, Fate.ONLY_LEGACY) else 0

    @property
    def held(self) -> bool:
        """Whether the better kind comes first: rank(better) < rank(worse)."""
        return self.sign > 0


def first_hit(pattern: re.Pattern[str], doc_ids: Sequence[str]) -> Hit | None:
    """The first result in which the pattern is found."""
    for rank, doc_id in enumerate(doc_ids, 1):
        if found_in(pattern, doc_id):
            return Hit(rank, doc_id)
    return None
