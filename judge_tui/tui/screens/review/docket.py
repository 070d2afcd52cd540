"""The queue of cases: in which order, which of them are shown, and at which one the lead is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.store.arrays import NOT_DECIDED
from judge_tui.tui.screens.review.filters import Filter

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNKNOWN = -1
"""In the place of how many systems swap, where that is not known."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What hangs on disagreements: `pairs`, int64[n], ascending; `swaps`, int64[n], and `change`,
    float64[n], as in `analysis.Effects`."""

    pairs: NDArray[np.int64]
    swaps: NDArray[np.int64]
    change: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the queue, of keys. `grades`: one of each judge, or what the judge did instead;
    `swaps` is `UNKNOWN`, and `change` nan, where nothing was worked out."""

    pair: int
    query: int
    document: int
    grades: tuple[int, ...]
    settled: int | None
    swaps: int
    change: float
    spread: int
    disputed: bool


class Docket:
    """Rows never change places of themselves, so that none jumps under the cursor."""

    def __init__(self, cases: Cases, classes: Mapping[int, str]) -> None:
        """`classes`: of the queries, by key."""
        self.cases = cases
        self.filter = Filter()
        self.index = 0
        self._classes = classes
        # What was settled here since the cases began to be read anew.
        self._meanwhile: dict[int, int] = {}
        self._weigh(None)
        self._order = self._best_order()
        self._show(None)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def here(self) -> Case | None:
        """The case that the lead is at, None where none is shown."""
        return self[self.index] if len(self._rows) else None

    @property
    def open(self) -> int:
        """How many of those shown are not settled."""
        return int((self.cases.settled[self._rows] == NOT_DECIDED).sum())

    def __getitem__(self, index: int) -> Case:
        row, cases = int(self._rows[index]), self.cases
        settled = int(cases.settled[row])
        return Case(
            int(cases.pairs[row]),
            int(cases.queries[row]),
            int(cases.documents[row]),
            tuple(cases.grades[row].tolist()),
            None if settled == NOT_DECIDED else settled,
            int(self._swaps[row]),
            float(self._change[row]),
            int(self._spread[row]),
            bool(self._disputed[row]),
        )

    def documents(self, begin: int, end: int) -> list[int]:
        """The keys of the documents of some rows."""
        keys: list[int] = self.cases.documents[self._rows[max(0, begin) : end]].tolist()
        return keys

    # Moving

    def to(self, index: int) -> None:
        """To a row, or the nearest there is."""
        self.index = max(0, min(len(self._rows) - 1, index))

    def to_pair(self, pair: int) -> bool:
        """To a case by its pair; False where it is not shown."""
        places = np.flatnonzero(self.cases.pairs[self._rows] == pair)
        if len(places):
            self.index = int(places[0])
        return bool(len(places))

    def to_open(self) -> bool:
        """To the next case that is not settled, from the beginning again if need be; False where
        there is none."""
        is_open = np.flatnonzero(self.cases.settled[self._rows] == NOT_DECIDED)
        if not len(is_open):
            return False
        later = is_open[is_open > self.index]
        self.index = int(later[0] if len(later) else is_open[0])
        return True

    def to_first_open(self) -> None:
        """To the first case that is not settled, else to the first."""
        self.index = -1
        if not self.to_open():
            self.index = 0

    # Changing what is shown

    def show(self, filter: Filter) -> None:
        """Show what a filter lets through, and stay at the case of now if that is among it."""
        self.filter = filter
        self._show(self._pair)

    def settle(self, pair: int, grade: int | None) -> None:
        """Take in that a pair is settled, or is not any more (None)."""
        self._meanwhile[pair] = NOT_DECIDED if grade is None else grade
        settled = self.cases.settled.copy()
        settled[self.cases.pairs == pair] = self._meanwhile[pair]
        self.cases = replace(self.cases, settled=settled)

    def reads_anew(self) -> None:
        """The cases are being read: what is settled from now on may not be among what comes."""
        self._meanwhile.clear()

    def leave_out_settled(self) -> None:
        """Where what is settled is not to be shown, take it off."""
        if self.filter.settled is not None:
            self._show(self._pair)

    def renew(self, cases: Cases) -> int:
        """Take in what all judges and leads did meanwhile; how many new disagreements there are,
        which come last."""
        pair, before, known = self._pair, self.cases, self._weights
        disputed = before.pairs[before.disputed]
        settled = cases.settled.copy()
        for key, grade in self._meanwhile.items():
            settled[cases.pairs == key] = grade
        self.cases = replace(cases, settled=settled)
        self._weigh(known)
        places = {key: place for place, key in enumerate(before.pairs[self._order].tolist())}
        last = len(places)
        at = np.array([places.get(key, last) for key in cases.pairs.tolist()], dtype=np.int64)
        self._order = np.lexsort((-self._spread, ~self._disputed, at))
        self._show(pair)
        return int((~np.isin(cases.pairs[self._disputed], disputed)).sum())

    def weigh(self, weights: Weights) -> None:
        """Take in what hangs on the cases; their order stays."""
        self._weigh(weights)

    def put_in_order(self) -> None:
        """Those first on which most systems hang, then by the largest change, then by spread; what
        is no disagreement comes last. Stays at the case of now."""
        self._order = self._best_order()
        self._show(self._pair)

    # Helping those above

    @property
    def _pair(self) -> int | None:
        here = self.here
        return here.pair if here is not None else None

    def _show(self, pair: int | None) -> None:
        kept = self.filter.keeps(self.cases, self._classes)
        self._rows = self._order[kept[self._order]]
        if pair is None or not self.to_pair(pair):
            self.to(self.index)

    def _weigh(self, weights: Weights | None) -> None:
        cases = self.cases
        self._weights = weights
        self._disputed, self._spread = cases.disputed, cases.spread
        self._swaps = np.full(len(cases.pairs), UNKNOWN, dtype=np.int64)
        self._change = np.full(len(cases.pairs), np.nan)
        if weights is None or not len(weights.pairs):
            return
        at = np.searchsorted(weights.pairs, cases.pairs).clip(max=len(weights.pairs) - 1)
        is_known = weights.pairs[at] == cases.pairs
        self._swaps[is_known] = weights.swaps[at[is_known]]
        self._change[is_known] = weights.change[at[is_known]]

    def _best_order(self) -> NDArray[np.int64]:
        change = np.round(np.nan_to_num(self._change, nan=-1.0), 9)
        return np.lexsort((-self._spread, -change, -self._swaps, ~self._disputed))
