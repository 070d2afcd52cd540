"""The pool, and what of it the lead has settled, as arrays: what other arrays are put beside.

In a file of its own: screens that only place pairs open before runs can be scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.held import numbers, packed_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BITS", "MASK", "PoolPairs", "pool_pairs", "settled_grades"]

BITS = 31
MASK = (1 << BITS) - 1
"""Two keys are packed into one number: the first one above the bits of the second."""


@dataclass(frozen=True, slots=True)
class PoolPairs:
    """The pool: `pairs`, int64[n], the keys, ascending, and beside them the keys of the queries and
    documents."""

    pairs: NDArray[np.int64]
    queries: NDArray[np.int64]
    documents: NDArray[np.int64]

    def places_of(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where pairs of the pool stand in these arrays."""
        return np.searchsorted(self.pairs, pairs)


def pool_pairs(campaign: Campaign) -> PoolPairs:
    """All pairs of the pool."""
    pairs = packed_numbers(campaign, "SELECT id AS packed FROM pool ORDER BY id")
    both = packed_numbers(
        campaign,
        f"SELECT (query << {BITS}) + document AS packed FROM pool ORDER BY id",  # noqa: S608
    )
    return PoolPairs(pairs, both >> BITS, both & MASK)


def settled_grades(campaign: Campaign) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs that the lead has settled (keys, ascending), and their grades."""
    rows = numbers(campaign, "SELECT pair, grade FROM adjudications ORDER BY pair").reshape(-1, 2)
    return rows[:, 0], rows[:, 1]
