"""Counting a campaign beside the app: a million pairs take a second or two, and keys go on."""

from __future__ import annotations

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.agreement import Agreed, agreed
from judge_tui.campaign.overview.disagreements import Disputes, disputed_pairs, disputes_of
from judge_tui.campaign.overview.grading import grades_given
from judge_tui.campaign.overview.progress import Progress, progress
from judge_tui.campaign.store.arrays import most_to_count
from judge_tui.errors import JudgeTuiError
from judge_tui.tui.work import Work

_GREATEST_SMALL = 50_000


class Counting(Work):
    """What is known so far: `state`, then `agreed`, then `disputes`.

    A small campaign is counted before the constructor returns, so that nothing flickers.
    """

    def __init__(self, campaign: Campaign) -> None:
        super().__init__()
        self.state: Progress | None = None
        self.agreed: Agreed | None = None
        self.disputes: Disputes | None = None
        self.start(campaign, beside=not _is_small(campaign))

    def read(self, campaign: Campaign) -> None:
        self.state = progress(campaign)
        self._grades = grades_given(campaign)
        self._found = disputed_pairs(campaign, self._grades, open_only=True)

    def conclude(self, campaign: Campaign) -> None:
        self.agreed = agreed(self._grades, campaign.settings)
        if not self.stopped:
            self.disputes = disputes_of(self._found)


def _is_small(campaign: Campaign) -> bool:
    """Whether a person would not notice that it is counted; of what grows, the greatest is told
    without counting."""
    try:
        most = most_to_count(campaign)
    except JudgeTuiError:
        return True
    return most <= _GREATEST_SMALL
