"""The demand `authority`: does the list begin with the best source that it has?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge_tui.scoring.prefer import Hit, first_hit

__all__ = ["Authority", "Sourced"]


@dataclass(frozen=True, slots=True)
class Authority:
    """Sources as regular expressions, the highest first, each sought anywhere in a doc_id."""

    patterns: tuple[re.Pattern[str], ...]

    @property
    def written(self) -> list[str]:
        """As files say it."""
        return [source.pattern for source in self.patterns]

    def met_by(self, doc_ids: Sequence[str]) -> Sourced:
        """How one list, best first, meets it."""
        return Sourced(
            tuple(source.pattern for source in self.patterns),
            tuple(first_hit(source, doc_ids) for source in self.patterns),
        )


@dataclass(frozen=True, slots=True)
class Sourced:
    """One list by its sources: of each, as it is `written`, its `first` result, None where it has
    none. A document that belongs to several sources is one of each."""

    written: tuple[str, ...]
    first: tuple[Hit | None, ...]

    @property
    def highest(self) -> int | None:
        """The place of the highest source that has any result in the list; None where none has."""
        return next((place for place, hit in enumerate(self.first) if hit is not None), None)

    @property
    def held(self) -> bool:
        """Whether result 1 of the list is from the highest source that has any result in it. Not
        held where no source has."""
        place = self.highest
        hit = None if place is None else self.first[place]
        return hit is not None and hit.rank == 1

    def reciprocal_rank(self, place: int) -> float:
        """One over the rank of the first result from a source, 0 without one."""
        hit = self.first[place]
        return 0.0 if hit is None else 1 / hit.rank
