"""Long sequences of which no member is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any, TypeVar

T = TypeVar("T")


class OnDemand(Sequence[T]):
    """So many members, each made from its index whenever somebody asks for it."""

    def __init__(self, length: int, make: Callable[[int], T]) -> None:
        """`make`: index from 0 -> the member."""
        self._length = length
        self._make = make

    def __len__(self) -> int:
        """Return how many members there are."""
        return self._length

    def __getitem__(self, index: Any) -> Any:
        """Return the member at an index, or a tuple of those of a slice."""
        found = range(self._length)[index]
        return self._make(found) if isinstance(found, int) else tuple(map(self._make, found))

    def __iter__(self) -> Iterator[T]:
        """Iterate over the members, in their order."""
        return map(self._make, range(self._length))

    def __eq__(self, other: object) -> bool:
        """Tell whether the members are the same as those of another."""
        return isinstance(other, OnDemand) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def every_two(members: Sequence[T]) -> OnDemand[tuple[T, T]]:
    """Return each member with each later one, in the order of `itertools.combinations`."""
    last = len(members) - 1
    pairs = len(members) * last // 2

    def pair(index: int) -> tuple[T, T]:
        # Counted from the end, where 1, 2, 3 ... pairs begin with the same member.
        after = pairs - 1 - index
        row = (isqrt(8 * after + 1) - 1) // 2
        return members[last - 1 - row], members[last - after + row * (row + 1) // 2]

    return OnDemand(pairs, pair)
