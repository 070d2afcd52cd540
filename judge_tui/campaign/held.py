"""What holds of all that judges did, as arrays: for counting over a million pairs at once.

The views of the schema say the same, one row at a time. Here a judge's rows are read in the order
of an index that has all of them, and nothing is sorted or looked up but what was decided twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign.events import DECISIONS, FROM_FILE, NOT_REDONE
from judge_tui.campaign.file import Campaign

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "CANNOT",
    "SKIPPED",
    "Held",
    "adjudicated_pairs",
    "decisions_in_order",
    "flagged_slots",
    "held_decisions",
    "judges_in_the_app",
]

SKIPPED = -2
CANNOT = -3
"""In the place of a grade, which is a digit."""

# What is packed is 0 or more.
_CODES = 128
_CODE = (
    f"{-CANNOT} + CASE action WHEN 'grade' THEN grade WHEN 'skip' THEN {SKIPPED} ELSE {CANNOT} END"
)

# Nothing that was undone holds, unless the undo was undone: as the view live_events has it, which
# leaves out as well what is overruled.
_UNDONE = (
    "(SELECT u.target FROM events AS u WHERE u.target IS NOT NULL AND u.action = 'undo'"  # noqa: S608
    f" AND {NOT_REDONE})"
)
_HOLDS = f"id NOT IN {_UNDONE}"
# Of pairs given: of each row of events, it would be asked in vain where there is no other.
_NOT_OVERRULED = (
    "id NOT IN (SELECT id FROM overruled WHERE pair IN (SELECT value FROM json_each(?))"  # noqa: S608
    f" AND by NOT IN {_UNDONE})"
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
    """What holds of a judge's decisions, of each pair and turn the one that the view `decisions` or
    `repeats` has.

    `judge` is a key. Reads only; put it inside `campaign.reading()` with what it is compared to.
    """
    # Packed into one number a row: an array of them takes 8 bytes a row and no tuple. The + keeps
    # SQLite at the index that is in the order asked for.
    packed = packed_numbers(
        campaign,
        f"SELECT (2 * pair + turn) * {_CODES} + {_CODE} AS packed FROM events"  # noqa: S608
        f" WHERE judge = ? AND +action IN {DECISIONS} AND {_HOLDS}"
        " ORDER BY pair, turn",
        (judge,),
    )
    slots, codes = _unpacked(packed)
    again = slots[1:] == slots[:-1]
    if again.any():
        slots, codes = _latest(campaign, judge, slots, codes, np.unique(slots[1:][again]))
    return Held(slots, codes)


def decisions_in_order(campaign: Campaign) -> NDArray[np.int64]:
    """int64[n, 4]: all decisions of all judges that are neither undone nor overruled, in the order
    in which they came. Columns: the judge's key; 2 * pair + turn; the grade, or `SKIPPED` or
    `CANNOT`; 1 where the document was on a screen, 0 where the grade came from a file. Of those of
    one judge, pair and turn, the last one holds.
    """
    several = numbers(
        campaign,
        f"SELECT pair FROM events WHERE +action IN {DECISIONS}"  # noqa: S608
        " GROUP BY judge, pair, turn HAVING count(*) > 1",
    )
    rows = numbers(
        campaign,
        f"SELECT judge, ((2 * pair + turn) * {_CODES} + {_CODE}) * 2 + (NOT {FROM_FILE})"  # noqa: S608
        f" FROM events WHERE +action IN {DECISIONS} AND {_HOLDS} AND {_NOT_OVERRULED} ORDER BY id",
        (_as_json(several),),
    ).reshape(-1, 2)
    judges, packed = rows[:, 0], rows[:, 1]
    slots, codes = _unpacked(packed // 2)
    return np.stack([judges, slots, codes, packed % 2], axis=1)


def judges_in_the_app(campaign: Campaign) -> frozenset[int]:
    """The judges (keys) who have decided in the app what no file had decided for them before: to
    correct what was loaded makes nobody one of them, and a file that came later takes nobody away.
    """
    rows = campaign.rows(
        f"SELECT id FROM judges AS j WHERE EXISTS (SELECT 1 FROM events AS e"  # noqa: S608
        f" WHERE e.judge = j.id AND NOT e.{FROM_FILE} AND +e.action IN {DECISIONS}"
        f" AND e.{_HOLDS} AND NOT EXISTS (SELECT 1 FROM events AS f WHERE f.judge = e.judge"
        f" AND f.pair = e.pair AND f.id < e.id AND f.{FROM_FILE} AND f.action IN {DECISIONS}))"
    )
    return frozenset(key for (key,) in rows)


def flagged_slots(campaign: Campaign, judge: int) -> NDArray[np.int64]:
    """int64[n]: 2 * pair + turn of all that the judge (a key) has flagged, ascending."""
    return numbers(
        campaign,
        "SELECT slot FROM (SELECT 2 * pair + turn AS slot, action, max(id) FROM events"  # noqa: S608
        f" WHERE judge = ? AND +action IN ('flag', 'unflag') AND {_HOLDS} GROUP BY pair, turn)"
        " WHERE action = 'flag'",
        (judge,),
    )


def adjudicated_pairs(campaign: Campaign) -> NDArray[np.int64]:
    """int64[n]: the keys of the pairs that have the lead's grade, ascending."""
    pairs = numbers(
        campaign,
        f"SELECT pair FROM events WHERE action = 'adjudicate' AND {_HOLDS}",  # noqa: S608
    )
    return np.unique(pairs)


def packed_numbers(
    campaign: Campaign, sql: str, parameters: Sequence[object] = ()
) -> NDArray[np.int64]:
    """int64[n]: the one number of each row of a query, which calls it `packed`."""
    # All rows as one text: a million of them are read in half the time.
    with campaign.in_words():
        text = campaign.connection.execute(
            f"SELECT group_concat(packed) FROM ({sql})",  # noqa: S608
            parameters,
        ).fetchone()[0]
    return np.fromstring(text or "", dtype=np.int64, sep=",")


def numbers(campaign: Campaign, sql: str, parameters: Sequence[object] = ()) -> NDArray[np.int64]:
    """int64[n]: the numbers of all rows and columns of a query, row by row."""
    with campaign.in_words():
        rows: Iterable[tuple[int, ...]] = campaign.connection.execute(sql, parameters)
        return np.fromiter(chain.from_iterable(rows), dtype=np.int64)


def _latest(
    campaign: Campaign,
    judge: int,
    slots: NDArray[np.int64],
    codes: NDArray[np.int64],
    twice: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same with the one that holds only, where there were several: the latest by id that no
    other one stands over."""
    # With max(), SQLite takes the other columns from the row that holds the maximum.
    latest = numbers(
        campaign,
        f"SELECT slot * {_CODES} + code FROM (SELECT 2 * pair + turn AS slot, {_CODE} AS code,"  # noqa: S608
        " max(id) FROM live_events WHERE judge = ? AND pair IN (SELECT value FROM json_each(?))"
        f" AND +action IN {DECISIONS} GROUP BY pair, turn)",
        (judge, _as_json(twice // 2)),
    )
    once = ~np.isin(slots, twice)
    later, said = _unpacked(latest)
    chosen = np.isin(later, twice)
    slots = np.concatenate([slots[once], later[chosen]])
    codes = np.concatenate([codes[once], said[chosen]])
    order = np.argsort(slots, kind="stable")
    return slots[order], codes[order]


def _as_json(pairs: NDArray[np.int64]) -> str:
    """Keys of pairs, each once, for SQLite's json_each."""
    return json.dumps(np.unique(pairs).tolist())


def _unpacked(packed: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Slots and codes."""
    return packed // _CODES, packed % _CODES + CANNOT
