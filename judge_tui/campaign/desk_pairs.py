"""The pairs of one visit to a query, as many as there may be: a hundred thousand are not too many.

What is kept of a pair is its key and its document's id; a `DeskPair` is made when one is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

__all__ = ["UNTOUCHED", "DeskPair", "DeskPairs", "PairState"]


@dataclass(frozen=True, slots=True)
class PairState:
    """What the judge's own events say of a pair. `decision` is grade, skip, cannot or None."""

    decision: str | None = None
    grade: int | None = None
    flagged: bool = False
    note: str = ""


UNTOUCHED = PairState()


@dataclass(frozen=True, slots=True)
class DeskPair:
    """One pair to judge, and its state. `turn` is 1 where it is the hidden repeat of a pair."""

    key: int
    doc_id: str
    state: PairState
    turn: int = 0

    @property
    def slot(self) -> tuple[int, int]:
        """What no two places on the desk share."""
        return self.key, self.turn


class DeskPairs(Sequence[DeskPair]):
    """The pairs of one visit, in the order in which the judge meets them."""

    def __init__(
        self,
        keys: Sequence[int] = (),
        doc_ids: Sequence[str] = (),
        states: Mapping[int, PairState] | None = None,
        turn: int = 0,
        waiting: int = 0,
    ) -> None:
        """`keys` and `doc_ids` side by side; `states` by key, of those that are not untouched.

        `waiting`: how many more belong to the visit and are not to be met yet.
        States of other pairs are left out: a judge may have done more than is on the desk.
        """
        self._keys = keys
        self._doc_ids = doc_ids
        self._states = {key: states[key] for key in keys if key in states} if states else {}
        self._turn = turn
        self.waiting = waiting
        self._decided = sum(state.decision is not None for state in self._states.values())

    @property
    def decided(self) -> int:
        """How many have a decision."""
        return self._decided

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, index: int) -> DeskPair: ...

    @overload
    def __getitem__(self, index: slice) -> list[DeskPair]: ...

    def __getitem__(self, index: int | slice) -> DeskPair | list[DeskPair]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        key = self._keys[index]
        return DeskPair(key, self._doc_ids[index], self._state(key), self._turn)

    def __iter__(self) -> Iterator[DeskPair]:
        return (self[index] for index in range(len(self)))

    def place_of(self, key: int) -> int | None:
        """Where the pair of that key is, None where it is not among them."""
        return next((index for index, known in enumerate(self._keys) if known == key), None)

    def put(self, index: int, state: PairState) -> DeskPair:
        """Give the pair at `index` another state; returns it with that."""
        key = self._keys[index]
        before = self._state(key)
        self._decided += (state.decision is not None) - (before.decision is not None)
        self._states[key] = state
        return self[index]

    def next_undecided(self, after: int) -> int | None:
        """The first pair without a decision behind `after`, then from the start up to it."""
        if self._decided == len(self):
            return None
        around = (*range(after + 1, len(self)), *range(max(0, after)))
        return next((i for i in around if self._state(self._keys[i]).decision is None), None)

    def _state(self, key: int) -> PairState:
        return self._states.get(key, UNTOUCHED)
