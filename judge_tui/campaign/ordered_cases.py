"""The cases on which judges differ, those first that matter most to the order of the systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.effects import Effects
from judge_tui.campaign.cases import Cases, cases
from judge_tui.campaign.disputes import disputed_pairs
from judge_tui.campaign.file import Campaign
from judge_tui.scoring import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["OrderedCases", "ordered_cases"]


@dataclass(frozen=True, slots=True)
class OrderedCases:
    """`places`: int64[n], the disputed ones among `cases`, by their effect, then their spread.

    `effects`: theirs, in the same order; None where there is nothing to be said of systems, for
    the reason `why`. Then they stand by their spread alone.
    """

    cases: Cases
    places: NDArray[np.int64]
    effects: Effects | None
    why: str | None = None


def ordered_cases(
    campaign: Campaign, measure: Measure, *, include_models: bool | None = None
) -> OrderedCases:
    """As of one moment, settled ones among them; all else is graded by the policy `majority`."""
    with campaign.reading():
        found = cases(campaign, include_models=include_models)
        disputed = disputed_pairs(campaign, found.given, measure)
    places, effects = np.flatnonzero(found.disputed), disputed.effects()
    if effects is None:
        by_spread = np.argsort(-found.spread[places], kind="stable")
        return OrderedCases(found, places[by_spread], None, disputed.why)
    order = effects.order
    return OrderedCases(
        found,
        places[order],
        Effects(effects.swaps[order], effects.change[order], effects.spread[order]),
    )
