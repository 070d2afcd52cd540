"""What the campaign holds as arrays: for counting over a million pairs at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign.store.connection import Campaign

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "BITS",
    "CANNOT",
    "MASK",
    "SKIPPED",
    "Held",
    "PoolPairs",
    "adjudicated_pairs",
    "flagged_slots",
    "grades_in_order",
    "held_decisions",
    "judges_in_the_app",
    "most_to_count",
    "pool_pairs",
    "settled_grades",
]


SKIPPED = -2
CANNOT = -3
"""In the place of a grade, which is a digit."""

# What is packed is 0 or more.
_CODES = 128
_CODE = (
    f"{-CANNOT} + CASE decision WHEN 'grade' THEN grade"
    f" WHEN 'skip' THEN {SKIPPED} ELSE {CANNOT} END"
)


@dataclass(frozen=True, slots=True)
class Held:
    """One judge's decisions that hold, ascending by `slots`, in which none is twice.

    `slots`: int64[n], 2 * pair + turn, pair being a key of the pool; `codes`: int64[n], the grade,
    or `SKIPPED` or `CANNOT`.
    """

    slots: NDArray[np.int64]
    codes: NDArray[np.int64]

    @property
    def graded(self) -> NDArray[np.bool_]:
        """bool[n]: which of them are grades."""
        return self.codes >= 0

    def first_grades(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs, ascending, and grades: those of a first look, which hidden repeats never change.

        It is these that agreement and the final grades are made of.
        """
        chosen = self.graded & (self.slots % 2 == 0)
        return self.slots[chosen] // 2, self.codes[chosen]


def held_decisions(campaign: Campaign, judge: int) -> Held:
    """What holds of a judge's decisions. `judge` is a key. Reads only; put it inside
    `campaign.reading()` with what it is compared to."""
    # Packed into one number a row: an array of them takes 8 bytes a row and no tuple.
    packed = packed_numbers(
        campaign,
        f"SELECT (2 * pair + turn) * {_CODES} + {_CODE} AS packed FROM judgments"
        " WHERE judge = ? AND decision IS NOT NULL",
        (judge,),
    )
    packed.sort()
    return Held(packed // _CODES, packed % _CODES + CANNOT)


def grades_in_order(campaign: Campaign) -> NDArray[np.int64]:
    """int64[n, 4]: all grades of all judges that hold, in the order in which each judge first
    graded the pair. Columns: the judge's key; 2 * pair + turn; the grade; 1 where that first grade
    was given on a screen, 0 where it came from a file."""
    return numbers(
        campaign,
        "SELECT j.judge, 2 * j.pair + j.turn, j.grade, e.painted_at IS NOT NULL"
        " FROM judgments AS j JOIN events AS e ON e.id = j.first_grade"
        " WHERE j.decision = 'grade' ORDER BY j.first_grade",
    ).reshape(-1, 4)


def judges_in_the_app(campaign: Campaign) -> frozenset[int]:
    """The judges (keys) who have decided in the app what no file had decided for them before: to
    correct what was loaded makes nobody one of them, and a file that came later takes nobody away.
    """
    rows = campaign.rows(
        "SELECT id FROM judges AS j WHERE EXISTS (SELECT 1 FROM judgments"
        " WHERE judge = j.id AND turn = 0 AND first_in_app = 1)"
    )
    return frozenset(key for (key,) in rows)


def flagged_slots(campaign: Campaign, judge: int) -> NDArray[np.int64]:
    """int64[n]: 2 * pair + turn of all that the judge (a key) has flagged, ascending."""
    return numbers(
        campaign,
        "SELECT 2 * pair + turn FROM judgments WHERE judge = ? AND flagged ORDER BY 1",
        (judge,),
    )


def adjudicated_pairs(campaign: Campaign) -> NDArray[np.int64]:
    """int64[n]: the keys of the pairs that have the lead's grade, ascending."""
    return numbers(campaign, "SELECT pair FROM adjudications ORDER BY pair")


def packed_numbers(
    campaign: Campaign, sql: str, parameters: Sequence[object] = ()
) -> NDArray[np.int64]:
    """int64[n]: the one number of each row of a query, which calls it `packed`."""
    # All rows as one text: a million of them are read in half the time.
    with campaign.in_words():
        text = campaign.connection.execute(
            f"SELECT group_concat(packed) FROM ({sql})",
            parameters,
        ).fetchone()[0]
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def numbers(campaign: Campaign, sql: str, parameters: Sequence[object] = ()) -> NDArray[np.int64]:
    """int64[n]: the numbers of all rows and columns of a query, row by row."""
    with campaign.in_words():
        rows: Iterable[tuple[int, ...]] = campaign.connection.execute(sql, parameters)
        return np.fromiter(chain.from_iterable(rows), dtype=np.int64)


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
        f"SELECT (query << {BITS}) + document AS packed FROM pool ORDER BY id",
    )
    return PoolPairs(pairs, both >> BITS, both & MASK)


def settled_grades(campaign: Campaign) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs that the lead has settled (keys, ascending), and their grades."""
    rows = numbers(campaign, "SELECT pair, grade FROM adjudications ORDER BY pair").reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def most_to_count(campaign: Campaign) -> int:
    """At most about so many rows are counted by `progress`."""
    pairs, judges, queries, runs = campaign.rows(
        "SELECT (SELECT coalesce(max(id), 0) FROM pool), (SELECT count(*) FROM judges),"
        " (SELECT coalesce(max(id), 0) FROM queries), (SELECT count(*) FROM runs)"
    )[0]
    return int(pairs * max(1, judges) + 10 * queries * runs)
