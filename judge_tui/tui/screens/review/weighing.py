"""What hangs on each disagreement, worked out beside the app: keys go on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.cases import Cases, cases
from judge_tui.campaign.overview.who_counts import models_count
from judge_tui.campaign.store.arrays import most_to_count
from judge_tui.tui.screens.review.docket import Weights
from judge_tui.tui.work import Work

if TYPE_CHECKING:
    from judge_tui.campaign.overview.agreement import Agreed

# What weighing needs is imported where it is done: the first case is painted before.

_GREATEST_SMALL = 20_000


@dataclass(frozen=True, slots=True)
class CasesNow:
    """What the judges did who count, and whether what models did is among it."""

    cases: Cases
    models: bool


def cases_now(campaign: Campaign, *, include_models: bool | None = None) -> CasesNow:
    """The cases of all who count."""
    models = models_count(campaign, include_models)
    return CasesNow(cases(campaign, include_models=models), models)


class Weighing(Work):
    """What is known so far, in this order: `now`, `weights` (or `why` there are none), `overall`.

    A small campaign is weighed before the constructor returns, so that nothing flickers.
    """

    def __init__(
        self, campaign: Campaign, *, include_models: bool | None, now: CasesNow | None = None
    ) -> None:
        """`now`: what is known already need not be read."""
        super().__init__()
        self.now = now
        self.weights: Weights | None = None
        self.why = ""
        self.overall: Agreed | None = None
        self._include_models = include_models
        self.start(campaign, beside=now is None or not is_small(campaign))

    def read(self, campaign: Campaign) -> None:
        from judge_tui.campaign.overview.disagreements import disputed_pairs  # noqa: PLC0415

        if self.now is None:
            self.now = cases_now(campaign, include_models=self._include_models)
        self._given = self.now.cases.given
        self._disputed = disputed_pairs(campaign, self._given)

    def conclude(self, campaign: Campaign) -> None:
        from judge_tui.campaign.overview.agreement import agreed  # noqa: PLC0415

        effects = self._disputed.effects()
        if effects is not None:
            self.weights = Weights(self._disputed.pairs, effects.swaps, effects.change)
        # Without runs, or with one, nothing hangs on anything.
        self.why = self._disputed.why
        if self.now is not None and not self.stopped:
            self.overall = agreed(self._given, campaign.settings)


def is_small(campaign: Campaign) -> bool:
    """Whether a person would not notice that it is worked out."""
    return most_to_count(campaign) <= _GREATEST_SMALL
