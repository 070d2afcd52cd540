"""The campaign at a glance: what `status` prints, as of one moment."""

from __future__ import annotations

from typing import NamedTuple

from judge_tui.campaign.overview.agreement import Agreed, agreed
from judge_tui.campaign.overview.disagreements import Disputes, disputed_pairs, disputes_of
from judge_tui.campaign.overview.grading import grades_given
from judge_tui.campaign.overview.next_steps import Step, next_steps
from judge_tui.campaign.overview.progress import Progress, progress
from judge_tui.campaign.store.connection import Campaign


class StatusNow(NamedTuple):
    """How far the campaign is, how its judges agree, what they dispute, and what comes next."""

    progress: Progress
    agreed: Agreed
    disputes: Disputes
    steps: list[Step]


def status_now(campaign: Campaign) -> StatusNow:
    """Home counts the same, one after another, beside the app."""
    with campaign.reading():
        state = progress(campaign)
        grades = grades_given(campaign)
        found = disputed_pairs(campaign, grades, open_only=True)
    agreement, disputes = agreed(grades, campaign.settings), disputes_of(found)
    return StatusNow(state, agreement, disputes, next_steps(state, disputes, agreement.alpha))
