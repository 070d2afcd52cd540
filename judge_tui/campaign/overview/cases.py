"""What the judges did with each pair, side by side: the lead's view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement.decide import Judgments, decide
from judge_tui.analysis.judge_influence import spread_of
from judge_tui.arrays import Bools, Ints, sorted_unique
from judge_tui.campaign.overview.grading import judges_who_count
from judge_tui.campaign.store.arrays import (
    NOT_DECIDED,
    judgment_arrays,
    noted_pairs,
    pool_pairs,
    settled_grades,
)
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import State
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.judgments import states_of_pair

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Cases:
    """Every pair on which any of `judges` but `against` did something that holds, ascending by key.

    `judges`: those who did anything, by name; `against` among them, a model that people are put
    beside and that counts for nothing; None where judges are put beside each other. `pairs`,
    `queries`, `documents`: int64[n], keys.
    `grades`: int8[n, judges], the grade or `NOT_DECIDED`, `SKIPPED` or `CANNOT`, by the first look,
    never by a hidden repeat. `settled`: int8[n], the lead's grade, `NOT_DECIDED` where there is
    none. `flagged`, `noted`: bool[n], by any of the judges, at whichever look. `sides`: int8[n,
    sides], the grades that make a case disputed by their difference: those of all judges; `against`
    a model, people's majority, the lead's grade and the model's, where the model gave one.
    """

    judges: tuple[Judge, ...]
    pairs: Ints
    queries: Ints
    documents: Ints
    grades: NDArray[np.int8]
    settled: NDArray[np.int8]
    flagged: Bools
    noted: Bools
    sides: NDArray[np.int8]
    against: Judge | None = None

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def disputed(self) -> Bools:
        """bool[n]: at least two different grades were given."""
        return self.spread > 0

    @property
    def votes(self) -> Bools:
        """bool[n, greatest + 1]: which grades the sides gave."""
        votes = np.zeros((len(self), int(self.sides.max(initial=0)) + 1), dtype=np.bool_)
        graded, side = np.nonzero(self.sides >= 0)
        votes[graded, self.sides[graded, side]] = True
        return votes

    @property
    def spread(self) -> Ints:
        """int64[n]: the greatest less the least grade of the sides, 0 where there is none."""
        return spread_of(self.votes)

    @property
    def judgments(self) -> Judgments:
        """Of each judge who counts, in their order, the pairs graded and the grades."""
        return {
            judge.name: (self.pairs[grades >= 0], grades[grades >= 0].astype(np.int64))
            for judge, grades in zip(self.judges, self.grades.T, strict=True)
            if judge != self.against
        }


def judges_side_by_side(
    campaign: Campaign, include_models: bool | None, against: Judge | None
) -> list[Judge]:
    """Those whose grades count, by name; `against` a model, people and the model."""
    if against is None:
        return judges_who_count(campaign, include_models)
    people = judges_who_count(campaign, include_models=False)
    return sorted([*people, against], key=lambda one: one.name)


def cases(
    campaign: Campaign, *, include_models: bool | None = None, against: Judge | None = None
) -> Cases:
    """All of them, as of one moment; what judges of kind `model` did only where asked for.

    `against`: the judge of kind `model` beside whom all people are put, on what people did
    something with; other models have no part then.
    """
    with campaign.reading():
        judges = judges_side_by_side(campaign, include_models, against)
        work = {judge: judgment_arrays(campaign, judge.key) for judge in judges}
        noted_by = {judge: noted_pairs(campaign, judge.key) for judge in work}
        pool = pool_pairs(campaign)
        settled_pairs, settled_as = settled_grades(campaign)
    work = {judge: its for judge, its in work.items() if len(its.slots)}
    # What the model alone has graded is for people to judge first.
    pairs = sorted_unique(*(its.slots // 2 for judge, its in work.items() if judge != against))
    grades = np.full((len(pairs), len(work)), NOT_DECIDED, dtype=np.int8)
    flagged, noted = np.zeros((2, len(pairs)), dtype=np.bool_)
    for column, (judge, its) in enumerate(work.items()):
        among = np.isin(its.slots // 2, pairs)
        first = among & (its.slots % 2 == 0)
        grades[np.searchsorted(pairs, its.slots[first] // 2), column] = its.codes[first]
        flagged[np.searchsorted(pairs, its.slots[among & its.flagged] // 2)] = True
        noted |= np.isin(pairs, noted_by[judge])
    settled = np.full(len(pairs), NOT_DECIDED, dtype=np.int8)
    among = np.isin(settled_pairs, pairs)
    settled[np.searchsorted(pairs, settled_pairs[among])] = settled_as[among]
    places = pool.places_of(pairs)
    found = Cases(
        judges=tuple(work),
        pairs=pairs,
        queries=pool.queries[places],
        documents=pool.documents[places],
        grades=grades,
        settled=settled,
        flagged=flagged,
        noted=noted,
        sides=grades,
        against=against,
    )
    if against is None:
        return found
    return replace(found, sides=_people_and_model(found, against, campaign.settings.scale.grades))


def _people_and_model(found: Cases, model: Judge, scale: Sequence[int]) -> NDArray[np.int8]:
    """Their grades, as `Cases.sides`. What the judges come to stands beside what the lead said of
    it: a case that the lead settles as the model has it stays where it is."""
    sides = np.full((len(found), 3), NOT_DECIDED, dtype=np.int8)
    decided = decide(found.judgments, "majority", scale)
    sides[np.searchsorted(found.pairs, decided.pairs), 0] = decided.grades
    sides[:, 1] = found.settled
    if model in found.judges:
        sides[:, 2] = found.grades[:, found.judges.index(model)]
    sides[sides[:, 2] < 0] = NOT_DECIDED
    return sides


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
    campaign: Campaign,
    pair: int,
    *,
    include_models: bool | None = None,
    against: Judge | None = None,
) -> list[Opinion]:
    """What each judge did with a pair (a key), by name; judges who did nothing are left out. Whose
    opinions: as in `cases`.

    A lead's settling is no opinion; see `adjudication_of`. Notes of two looks stand in two lines.
    """
    looks = states_of_pair(campaign, pair)
    opinions = []
    for judge in judges_side_by_side(campaign, include_models, against):
        first, again = (looks.get((judge.key, turn), State()) for turn in (0, 1))
        note = "\n".join(dict.fromkeys(filter(None, (first.note, again.note))))
        flagged = first.flagged or again.flagged
        if first.decision or note or flagged:
            opinions.append(
                Opinion(judge, first.decision, first.grade, note, first.seconds, flagged)
            )
    return opinions
