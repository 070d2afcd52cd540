"""Where judges differ, and what hangs on it: the order of the systems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from judge_tui.agreement.decide import Judgments, grade_counts
from judge_tui.analysis.judge_influence import Effects, effects_of
from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.arrays import Bools, Ints
from judge_tui.campaign.overview.cases import Cases, cases
from judge_tui.campaign.overview.grading import decide_judgments
from judge_tui.campaign.overview.standing import run_lists
from judge_tui.campaign.store.arrays import pool_pairs, settled_grades
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import Judge
from judge_tui.campaign.store.runs import all_runs
from judge_tui.scoring import Measure, parse_measure


@dataclass(frozen=True, slots=True)
class OrderedCases:
    """`places`: int64[n], the disputed ones among `cases`, by their effect, then their spread.

    `effects`: theirs, in the same order; None where there is nothing to be said of systems, for the
    reason `why`. Then they stand by their spread alone.
    """

    cases: Cases
    places: Ints
    effects: Effects | None
    why: str = ""


def ordered_cases(
    campaign: Campaign,
    measure: Measure,
    *,
    include_models: bool | None = None,
    against: Judge | None = None,
) -> OrderedCases:
    """As of one moment, settled ones among them; all else is graded by the policy `majority`.

    `against`: a judge of kind `model`; then those are disputed that people grade otherwise than the
    model does, whether the lead has settled them or not.
    """
    with campaign.reading():
        found = cases(campaign, include_models=include_models, against=against)
        places = np.flatnonzero(found.disputed)
        disputed = disputed_pairs(
            campaign, found.pairs[places], found.votes[places], found.judgments, measure
        )
    effects = disputed.effects()
    if effects is None:
        by_spread = np.argsort(-found.spread[places], kind="stable")
        return OrderedCases(found, places[by_spread], None, disputed.why)
    order = effects.order
    return OrderedCases(
        found,
        places[order],
        Effects(effects.swaps[order], effects.change[order], effects.spread[order]),
    )


SWAPS_BY = parse_measure("nDCG@10")
"""The measure by whose means the systems are ordered, where nobody chose one."""


@dataclass(frozen=True, slots=True)
class DisputedPairs:
    """Pairs that have at least two different grades, and what their effects are made of.

    `pairs`: int64[n], keys, ascending; `grades`: bool[n, greatest + 1], which grades each has.
    `judged`: the runs, in which the pairs have these `places`, int64[n]; None where nothing can be
    said of the order of systems by the `measure`, for the reason `why`.
    """

    pairs: Ints
    grades: Bools
    measure: Measure
    places: Ints
    judged: JudgedRuns | None
    why: str = ""

    def effects(self) -> Effects | None:
        """Of these pairs, in their order; None for the reason `why`."""
        if self.judged is None:
            return None
        return effects_of(self.judged, self.places, self.grades, self.measure)


@dataclass(frozen=True, slots=True)
class Disputes:
    """`open`: pairs with at least two different grades that the lead has not settled. `swapping`:
    those of them that put some two systems in another order, depending on which of their grades
    holds; None where there are fewer than two systems, or too little is kept of them."""

    open: int
    swapping: int | None


def disputed_pairs(
    campaign: Campaign, pairs: Ints, grades: Bools, judgments: Judgments, measure: Measure
) -> DisputedPairs:
    """These `pairs` with their `grades`, and what the runs are worth by the policy `majority` over
    `judgments`, as of one moment."""
    with campaign.reading():
        pool = pool_pairs(campaign)
        places = pool.places_of(pairs)
        runs = len(all_runs(campaign))
        if runs < 2:
            why = f"the campaign has {'one run only' if runs else 'no runs yet'}"
            return DisputedPairs(pairs, grades, measure, places, None, why)
        loaded = run_lists(campaign, depth=measure.depth)
        if deep := loaded.kept_runs.cannot_tell(measure):
            return DisputedPairs(pairs, grades, measure, places, None, f"{measure} looks {deep}")
        final = decide_judgments(campaign, judgments)
    judged = loaded.judged(pool, final, max(campaign.settings.scale.grades))
    return DisputedPairs(pairs, grades, measure, places, judged)


def open_disputes(campaign: Campaign, judgments: Judgments) -> DisputedPairs:
    """The pairs to which judges gave different grades, and that the lead has not settled."""
    scale = campaign.settings.scale.grades
    pairs, counts = grade_counts(judgments, scale)
    grades = np.zeros((len(pairs), max(scale) + 1), dtype=np.bool_)
    grades[:, list(scale)] = counts > 0
    with campaign.reading():
        is_open = (grades.sum(axis=1) > 1) & ~np.isin(pairs, settled_grades(campaign)[0])
        return disputed_pairs(campaign, pairs[is_open], grades[is_open], judgments, SWAPS_BY)


def disputes_of(found: DisputedPairs) -> Disputes:
    """Count them, and those that matter."""
    effects = found.effects()
    swapping = None if effects is None else int((effects.swaps > 0).sum())
    return Disputes(len(found.pairs), swapping)
