"""The pairs on which judges differ, those first that matter most to the order of the systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.effects import Effects, effects_of
from judge_tui.campaign.cases import Cases, cases
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judged_runs import too_deep
from judge_tui.campaign.standing import standing_now
from judge_tui.scoring import Measure, Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Disagreements", "disagreements"]


@dataclass(frozen=True, slots=True)
class Disagreements:
    """`places`: int64[n], the disputed ones among `cases`, by their effect, then their spread.

    `effects`: theirs, in the same order; None where there is nothing to be said of systems, for
    the reason `why`. Then they stand by their spread alone.
    """

    cases: Cases
    places: NDArray[np.int64]
    effects: Effects | None
    why: str | None = None


def disagreements(
    campaign: Campaign, measure: Measure, *, include_models: bool = False
) -> Disagreements:
    """As of one moment, settled ones among them; all else is graded by the policy `majority`."""
    with campaign.reading():
        found = cases(campaign, include_models=include_models)
        disputed = np.flatnonzero(found.disputed)
        why = _why_not(campaign)
        now = None
        if why is None and len(disputed):
            now = standing_now(campaign, include_models=include_models)
            deep = too_deep(now.kept.runs, measure, Rules())
            if deep is not None:
                why = f"{measure} looks deeper than the {deep.depth} results kept of {deep.tag!r}"
    if why is not None:
        by_spread = np.argsort(-found.spread[disputed], kind="stable")
        return Disagreements(found, disputed[by_spread], None, why)
    if now is None:
        none = np.empty(0, dtype=np.int64)
        return Disagreements(found, disputed, Effects(none, none.astype(np.float64), none))
    effects = effects_of(
        now.standing,
        now.kept.place_of_query(found.queries[disputed]),
        found.documents[disputed],
        found.given(now.standing.greatest)[disputed],
        measure,
    )
    order = effects.order
    return Disagreements(
        found,
        disputed[order],
        Effects(effects.swaps[order], effects.change[order], effects.spread[order]),
    )


def _why_not(campaign: Campaign) -> str | None:
    runs = len(campaign.rows("SELECT 1 FROM runs LIMIT 2"))
    if runs < 2:
        return f"the campaign has {'one run only' if runs else 'no runs'}"
    return None
