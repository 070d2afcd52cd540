"""What is dealt, and what judges have of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import combinations

__all__ = ["REPEATABLE", "Hand", "QueryPairs", "shared_pairs"]

REPEATABLE = ("normal", "overlap")
"""The purposes of first looks that a hidden repeat may follow. A gold pair is none of them: what is
known of its grade tells more than a second look."""


@dataclass(frozen=True, slots=True)
class QueryPairs:
    """A query's pooled pairs by their keys. `place`: where it stands on every desk, from 0."""

    query_id: str
    place: int
    pairs: Sequence[int]


@dataclass(frozen=True, slots=True)
class Hand:
    """What a judge has been given, and what of it the judge has done; pairs by their keys.

    `given`: pair -> purpose (normal, overlap, gold), the first looks; `repeats`: pair -> position
    of its hidden repeat. `touched`, `touched_again`: pairs with an event of the first look, of the
    repeat; `decided`: with a decision of the first look that holds.
    """

    given: Mapping[int, str] = field(default_factory=dict)
    repeats: Mapping[int, int] = field(default_factory=dict)
    touched: AbstractSet[int] = frozenset()
    touched_again: AbstractSet[int] = frozenset()
    decided: AbstractSet[int] = frozenset()


def shared_pairs(
    given: Mapping[str, Mapping[int, str]], gold: AbstractSet[int]
) -> dict[tuple[str, str], int]:
    """How many pairs every two judges have in common, gold pairs aside."""
    hands = {name: pairs.keys() - gold for name, pairs in given.items()}
    return {(one, other): len(hands[one] & hands[other]) for one, other in combinations(given, 2)}
