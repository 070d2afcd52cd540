"""What a pooling strategy is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Order", "Strategy", "Tie"]

Tie: TypeAlias = Callable[[str], bytes]
"""Document to a place among equals: seeded, so that a tie is not settled by the alphabet."""

Order: TypeAlias = Callable[[Sequence[Sequence[str]], int | None, Tie], list[str]]
"""(one query's ranked lists of doc_ids, best first, one a run; depth, None for no limit; tie) to
the documents to be judged, the one that deserves it most first. The order of the lists must not
matter."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """`order` and what it does, in one line for `--help`; where `budget_is_the_limit`, a budget
    takes the place of the depth, otherwise it takes the best of what lies within the depth;
    `whole_lists`, where it looks below the depth."""

    summary: str
    order: Order
    budget_is_the_limit: bool = False
    whole_lists: bool = False
