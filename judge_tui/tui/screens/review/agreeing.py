"""Everything about the agreement of the judges, worked out beside the app, under the names or
letters that the lead sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from judge_tui.agreement.study import AgreementStudy, SliceAgreement, agreement_by, study
from judge_tui.analysis.judge_orders import SystemOrders
from judge_tui.campaign import Campaign
from judge_tui.campaign.overview.agreement import orders_now, read_ratings
from judge_tui.campaign.overview.disagreements import SWAPS_BY
from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.tui.work import Work

_FEWEST = "agreement needs the grades of two judges"


@dataclass(frozen=True, slots=True)
class Agreements:
    """`study`: of all pairs, by halves; `by_query`: without intervals; `orders`: what each judge
    does to the order of the systems, None until that is known."""

    study: AgreementStudy
    by_query: Mapping[str, SliceAgreement]
    orders: SystemOrders | None = None


class Agreeing(Work):
    """Begins at once; `found` is there as soon as it is known, and once more with the orders of the
    systems, which may take longest."""

    def __init__(self, campaign: Campaign, names: Mapping[str, str], models: bool) -> None:
        """`names`: judge -> what that judge is called, in the order in which judges are shown;
        `models`: whether models count."""
        super().__init__()
        self.names = dict(names)
        self.version = -1
        self.found: Agreements | None = None
        self._models = models
        try:
            self.version = campaign.version()
        except JudgeTuiError as error:
            self.error = error
        else:
            self.start(campaign, beside=True)

    def read(self, campaign: Campaign) -> None:
        seed = campaign.settings.seed
        data = read_ratings(campaign, include_models=self._models)
        # Who judged for the first time since the names were given out is met the next time.
        judges = [name for name in self.names if name in data.judges]
        data = data.only(judges)
        if not data.comparable:
            raise UsageError(_FEWEST, "let a second judge grade some of the pairs")
        data = replace(data, judges=tuple(self.names[name] for name in judges))
        whole = study(data, by="half", seed=seed)
        if self.stopped:
            return
        self.found = Agreements(whole, agreement_by(data, "query", resamples=0))
        if not self.stopped:
            orders = orders_now(
                campaign,
                SWAPS_BY,
                judges=judges,
                include_models=self._models,
            )
            self.found = replace(self.found, orders=orders.called(self.names))
