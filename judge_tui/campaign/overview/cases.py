"""What the judges did with each pair, side by side: the lead's view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign.store.arrays import (
    flagged_slots,
    held_decisions,
    numbers,
    pool_pairs,
    settled_grades,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import Judge, all_judges, models_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.agreement.decide import Judgments


__all__ = ["NOT_DECIDED", "Cases", "Opinion", "cases", "opinions_of"]

NOT_DECIDED = -1
"""In the place of a grade, which is 0 or more."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Every pair on which any of `judges` did something that holds, ascending by key.

    `judges`: those who did anything, by name. `pairs`, `queries`, `documents`: int64[n], keys.
    `grades`: int8[n, judges], the grade or `NOT_DECIDED`, `SKIPPED` or `CANNOT`, by the first look,
    never by a hidden repeat. `settled`: int8[n], the lead's grade, `NOT_DECIDED` where there is
    none. `flagged`, `noted`: bool[n], by any of the judges, at whichever look.
    """

    judges: tuple[Judge, ...]
    pairs: NDArray[np.int64]
    queries: NDArray[np.int64]
    documents: NDArray[np.int64]
    grades: NDArray[np.int8]
    settled: NDArray[np.int8]
    flagged: NDArray[np.bool_]
    noted: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def disputed(self) -> NDArray[np.bool_]:
        """bool[n]: at least two different grades were given."""
        return self.spread > 0

    @property
    def spread(self) -> NDArray[np.int64]:
        """int64[n]: the greatest less the least grade given, 0 where there is none."""
        greatest = self.grades.max(axis=1, initial=NOT_DECIDED).astype(np.int64)
        none = np.iinfo(np.int8).max
        graded = np.where(self.grades < 0, none, self.grades)
        least = graded.min(axis=1, initial=none).astype(np.int64)
        return np.where(greatest < 0, 0, greatest - least)

    @property
    def given(self) -> Judgments:
        """Of each judge, in their order, the pairs graded and the grades."""
        return {
            judge.name: (self.pairs[grades >= 0], grades[grades >= 0].astype(np.int64))
            for judge, grades in zip(self.judges, self.grades.T, strict=True)
        }


def cases(campaign: Campaign, *, include_models: bool | None = None) -> Cases:
    """All of them, as of one moment; what judges of kind `model` did only where asked for."""
    with campaign.reading():
        found = [
            (judge, *_of_judge(campaign, judge))
            for judge in sorted(all_judges(campaign), key=lambda one: one.name)
            if judge.kind == "human" or models_count(campaign, include_models)
        ]
        pool = pool_pairs(campaign)
        settled_pairs, settled_as = settled_grades(campaign)
    found = [one for one in found if any(len(pairs) for pairs in one[1:])]
    none = np.empty(0, dtype=np.int64)
    pairs = np.unique(
        np.concatenate([none, *(slots for one in found for slots in (one[1], *one[3:]))])
    )
    grades = np.full((len(pairs), len(found)), NOT_DECIDED, dtype=np.int8)
    flagged, noted = np.zeros((2, len(pairs)), dtype=bool)
    for column, (_, decided, codes, flags, notes) in enumerate(found):
        grades[np.searchsorted(pairs, decided), column] = codes
        flagged[np.searchsorted(pairs, flags)] = True
        noted[np.searchsorted(pairs, notes)] = True
    settled = np.full(len(pairs), NOT_DECIDED, dtype=np.int8)
    among = np.isin(settled_pairs, pairs)
    settled[np.searchsorted(pairs, settled_pairs[among])] = settled_as[among]
    places = pool.places_of(pairs)
    return Cases(
        judges=tuple(one[0] for one in found),
        pairs=pairs,
        queries=pool.queries[places],
        documents=pool.documents[places],
        grades=grades,
        settled=settled,
        flagged=flagged,
        noted=noted,
    )


def _of_judge(
    campaign: Campaign, judge: Judge
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Pairs decided, what was decided of each, pairs flagged, pairs with a note."""
    held = held_decisions(campaign, judge.key)
    first = held.slots % 2 == 0
    flags = np.unique(flagged_slots(campaign, judge.key) // 2)
    notes = numbers(
        campaign,
        "SELECT DISTINCT pair FROM judgments WHERE judge = ? AND note <> '' ORDER BY pair",
        (judge.key,),
    )
    return held.slots[first] // 2, held.codes[first], flags, notes


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge did with one pair at the first look.

    `decision`: grade, skip or cannot, None where there is none; `seconds` looked at it, None where
    nobody measured. `note` and `flagged` are of either look: they are about the document.
    """

    judge: Judge
    decision: str | None
    grade: int | None
    note: str
    seconds: float | None
    flagged: bool


def opinions_of(
    campaign: Campaign, pair: int, *, include_models: bool | None = None
) -> list[Opinion]:
    """What each judge did with a pair (a key), by name; judges who did nothing are left out.

    A lead's settling is no opinion; see `settlement_of`. Notes of two looks stand in two lines.
    """
    looks = {
        (judge, turn): look
        for judge, turn, *look in campaign.rows(
            "SELECT judge, turn, decision, grade, note, seconds, flagged FROM judgments"
            " WHERE pair = ?",
            (pair,),
        )
    }
    opinions = []
    for judge in sorted(all_judges(campaign), key=lambda one: one.name):
        found = [looks[judge.key, turn] for turn in (0, 1) if (judge.key, turn) in looks]
        if not found or not (judge.kind == "human" or models_count(campaign, include_models)):
            continue
        none = [None, None, "", None, 0]
        decision, grade, _, seconds, _ = looks.get((judge.key, 0), none)
        note = "\n".join(dict.fromkeys(one[2] for one in found if one[2]))
        opinion = Opinion(judge, decision, grade, note, seconds, any(one[4] for one in found))
        if opinion.decision or opinion.note or opinion.flagged:
            opinions.append(opinion)
    return opinions
