"""What the campaign holds as arrays: for counting over a million pairs at once.

All functions only read: put them inside `campaign.reading()` with what they are compared to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.campaign.store.connection import Campaign
from judge_tui.pooling.strategies import AUDIT

NOT_DECIDED = -1
SKIPPED = -2
CANNOT = -3
"""In the place of a grade, which is a digit."""

# Two numbers are packed into one, the first one above the bits of the second.
_BITS = 31
_MASK = (1 << _BITS) - 1

_CODE = (
    f"{-CANNOT} + coalesce(grade, CASE decision WHEN 'skip' THEN {SKIPPED}"
    f" WHEN 'cannot' THEN {CANNOT} ELSE {NOT_DECIDED} END)"
)
_CODES, _FLAGGED, _SLOT = 127, 128, 256


@dataclass(frozen=True, slots=True)
class JudgmentArrays:
    """What holds of one judge's work, ascending by `slots`, in which none is twice.

    `slots`: int64[n], 2 * pair + turn, pair being a key of the pool; `codes`: int64[n], the grade,
    or `SKIPPED`, `CANNOT`, or `NOT_DECIDED`; `flagged`: bool[n].
    """

    slots: Ints
    codes: Ints
    flagged: Bools

    @property
    def decided(self) -> Ints:
        """The slots that have a decision."""
        slots: Ints = self.slots[self.codes != NOT_DECIDED]
        return slots

    @property
    def first_grades(self) -> tuple[Ints, Ints]:
        """Pairs, ascending, and grades: those of a first look, which hidden repeats never change.

        It is these that agreement and the final grades are made of.
        """
        chosen = (self.codes >= 0) & (self.slots % 2 == 0)
        return self.slots[chosen] // 2, self.codes[chosen]


def judgment_arrays(campaign: Campaign, judge: int) -> JudgmentArrays:
    """What holds of a judge's (a key) work. All of it is in an index."""
    (packed,) = _columns(
        campaign,
        "judgments WHERE judge = ?",
        [f"(2 * pair + turn) * {_SLOT} + {_FLAGGED} * flagged + {_CODE}"],
        (judge,),
    )
    packed.sort(kind="stable")  # the quicker one where parts are in order
    return JudgmentArrays(
        packed // _SLOT,
        (packed & _CODES) + CANNOT,
        (packed & _FLAGGED) > 0,
    )


def noted_pairs(campaign: Campaign, judge: int) -> Ints:
    """int64[n]: the pairs (keys) beside which the judge (a key) wrote something, ascending."""
    return _numbers(
        campaign,
        "SELECT DISTINCT pair FROM judgments WHERE judge = ? AND note <> '' ORDER BY pair",
        (judge,),
    )


def grades_in_order(campaign: Campaign) -> Ints:
    """int64[n, 3]: all grades of all judges that hold, in the order in which each judge first
    graded the pair. Columns: the judge's key; 2 * pair + turn; the grade."""
    return _numbers(
        campaign,
        "SELECT judge, 2 * pair + turn, grade FROM judgments"
        " WHERE decision = 'grade' ORDER BY first_grade",
    ).reshape(-1, 3)


def settled_grades(campaign: Campaign) -> tuple[Ints, Ints]:
    """The pairs that the lead has settled (keys, ascending), and their grades."""
    rows = _numbers(campaign, "SELECT pair, grade FROM adjudications ORDER BY pair").reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def gold_arrays(campaign: Campaign) -> tuple[Ints, Ints]:
    """The gold pairs (keys, ascending), and their grades."""
    rows = _numbers(campaign, "SELECT pair, grade FROM gold ORDER BY pair").reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def assigned_slots(campaign: Campaign, judge: int) -> Ints:
    """int64[n]: 2 * pair + turn of all that the judge (a key) was given, ascending."""
    (slots,) = _columns(campaign, "assignments WHERE judge = ?", ["2 * pair + turn"], (judge,))
    slots.sort()
    return slots


@dataclass(frozen=True, slots=True)
class PoolPairs:
    """The pool: `pairs`, int64[n], the keys, ascending, and beside them the keys of the queries and
    documents."""

    pairs: Ints
    queries: Ints
    documents: Ints

    def places_of(self, pairs: Ints) -> Ints:
        """Where pairs of the pool stand in these arrays."""
        return np.searchsorted(self.pairs, pairs)


def pool_pairs(campaign: Campaign) -> PoolPairs:
    """All pairs of the pool."""
    pairs, queries, documents = _columns(campaign, "pool", ("id", "query", "document"))
    order = np.argsort(pairs)
    return PoolPairs(pairs[order], queries[order], documents[order])


def stands_for(campaign: Campaign, pool: PoolPairs) -> Floats:
    """float64[n], beside `PoolPairs.pairs`: of how many pairs each tells that was drawn at random,
    1 / probability; 0 for others, and for what is not among the results of now."""
    rows = campaign.rows(
        "SELECT id, probability FROM pool WHERE stratum = ? AND probability IS NOT NULL", (AUDIT,)
    )
    pairs, probability = np.array(rows, dtype=np.float64).reshape(-1, 2).T
    weights = np.zeros(len(pool.pairs))
    weights[pool.places_of(pairs.astype(np.int64))] = 1 / probability
    return weights


LATEST = _MASK - 1
"""A number that no round comes to."""


@dataclass(frozen=True, slots=True)
class PoolRounds:
    """How the pairs of the pool came there, beside `PoolPairs.pairs`.

    `came`: int64[n], with which round; `chosen`: int64[n], as of which round it was not by chance,
    a number above `LATEST` for one that is there by chance still; `drawn`: bool[n], whether it
    was drawn and, but for being chosen, is among those drawn now.
    """

    came: Ints
    chosen: Ints
    drawn: Bools


def pool_rounds(campaign: Campaign) -> PoolRounds:
    """Of all pairs of the pool."""
    by_chance = f"CASE stratum WHEN '{AUDIT}' THEN {_MASK} ELSE round END"
    is_drawn = "CASE WHEN probability IS NULL THEN 0 ELSE 1 END"
    pairs, came, chosen, drawn = _columns(
        campaign, "pool", ("id", "round", f"coalesce(chosen, {by_chance})", is_drawn)
    )
    order = np.argsort(pairs)
    return PoolRounds(came[order], chosen[order], drawn[order] > 0)


def populations(campaign: Campaign) -> Ints:
    """int64[rounds, 3]: of each round, ascending, its number, and the depth and the pairs of what
    was drawn from, as it left them."""
    return _numbers(
        campaign, "SELECT round, population_depth, retrieved FROM rounds ORDER BY round"
    ).reshape(-1, 3)


# From each query to its first ranks, so that a run that is kept deep is not read to its end: an
# outer join is done in the order in which it is written.
_OF_RUN = "queries AS q LEFT JOIN results AS r ON r.run = ? AND r.query = q.id AND r.rank <= ?"


def results_of_run(campaign: Campaign, run: int, depth: int | None = None) -> tuple[Ints, Ints]:
    """The kept results of a run (a key) down to `depth`: int64[n] each, the keys of the queries,
    ascending, and of their documents, best first."""
    queries, ranks, documents = _columns(
        campaign,
        _OF_RUN,
        ("r.query", "r.rank", "r.document"),
        (run, _MASK if depth is None else depth),
    )
    order = np.argsort((queries << _BITS) + ranks)
    return queries[order], documents[order]


def top_of_run(campaign: Campaign, run: int, depth: int) -> Ints:
    """int64[n]: the pairs (keys) in the top `depth` of a run (a key), in no order; a negative
    number, the same in every run, stands for a query and a document that are not in the pool."""
    (pairs,) = _columns(
        campaign,
        f"{_OF_RUN} LEFT JOIN pool AS p ON p.query = r.query AND p.document = r.document",
        [f"coalesce(p.id, -((r.query << {_BITS}) + r.document))"],
        (run, depth),
    )
    return pairs


def _columns(
    campaign: Campaign, rows: str, columns: Sequence[str], parameters: Sequence[object] = ()
) -> list[Ints]:
    """int64[n] for each of these columns of the rows of a table, in no order."""
    texts = campaign.row(campaign.backend.joined_columns(rows, columns), parameters)
    return [np.fromstring(text or "", dtype=np.int64, sep=",") for text in texts]


def _numbers(campaign: Campaign, sql: str, parameters: Sequence[object] = ()) -> Ints:
    """int64[n]: the numbers of all rows and columns of a query, row by row."""
    rows = campaign.each(sql, parameters)
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64)
