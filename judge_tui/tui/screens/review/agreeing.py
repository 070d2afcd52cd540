"""Everything about the agreement of the judges, worked out beside the app, under the names or
letters that the lead sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event, Thread
from time import monotonic

from judge_tui.agreement import AgreementData, AgreementStudy, Slice, study
from judge_tui.agreement.slices import slices_by
from judge_tui.analysis.judge_orders import SystemOrders
from judge_tui.campaign import Campaign
from judge_tui.campaign.agreement_data import agreement_data
from judge_tui.campaign.disputes import SWAPS_BY
from judge_tui.campaign.judge_orders import orders_now
from judge_tui.campaign.second_reader import second_reader
from judge_tui.errors import JudgeTuiError, UsageError

__all__ = ["Agreeing", "Agreements", "called", "orders_called"]

_ENDS_WITHIN = 1.0
_FEWEST = "agreement needs the grades of two judges"


@dataclass(frozen=True, slots=True)
class Agreements:
    """`study`: of all pairs, by halves; `by_query`: without intervals; `orders`: what each judge
    does to the order of the systems, None until that is known."""

    study: AgreementStudy
    by_query: Mapping[str, Slice]
    orders: SystemOrders | None = None


class Agreeing:
    """Begins at once; `found` is there as soon as it is known, and once more with the orders of the
    systems, which may take longest. `error`: what it ended with."""

    def __init__(self, campaign: Campaign, names: Mapping[str, str], *, models: bool) -> None:
        """`names`: judge -> what that judge is called, in the order in which judges are shown;
        `models`: whether models count."""
        self.names = dict(names)
        self.version = -1
        self.found: Agreements | None = None
        self.error: JudgeTuiError | None = None
        self.took = self.ended = 0.0
        self._models = models
        self._begun = monotonic()
        self._stopped = Event()
        self._read = Event()
        self._thread: Thread | None = None
        try:
            self.version = campaign.version()
        except JudgeTuiError as error:
            self.error = error
            self._read.set()
            return
        self._thread = Thread(target=self._work, args=(campaign,), daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether nothing more will come."""
        return self._thread is None or not self._thread.is_alive()

    def stop(self) -> None:
        """Give up. When this returns, nothing is read from the file any more."""
        self._stopped.set()
        self._read.wait(_ENDS_WITHIN)

    def _work(self, campaign: Campaign) -> None:
        try:
            with second_reader(campaign, self._stopped.is_set) as reader:
                self._work_out(reader)
        except JudgeTuiError as error:
            self.error = error
        finally:
            self._read.set()
            self.ended = monotonic()
            self.took = self.ended - self._begun

    def _work_out(self, campaign: Campaign) -> None:
        seed = campaign.settings.seed
        data = agreement_data(campaign, include_models=self._models)
        # Who judged for the first time since the names were given out is met the next time.
        judges = [name for name in self.names if name in data.judges]
        if len(judges) < 2 and not (data.repeats or data.gold):
            raise UsageError(_FEWEST, "let a second judge grade some of the pairs")
        data = called(data.only(judges), self.names)
        whole = study(data, by="half", seed=seed)
        if self._stopped.is_set():
            return
        self.found = Agreements(whole, slices_by(data, "query", resamples=0))
        if not self._stopped.is_set():
            orders = orders_now(campaign, SWAPS_BY, judges=judges, include_models=self._models)
            self.found = replace(self.found, orders=orders_called(orders, self.names))


def called(data: AgreementData, names: Mapping[str, str]) -> AgreementData:
    """The same, judges called otherwise."""
    return replace(
        data,
        judges=tuple(names[name] for name in data.judges),
        repeats={names[name]: counts for name, counts in data.repeats.items()},
        gold={names[name]: counts for name, counts in data.gold.items()},
        from_file=frozenset(names[name] for name in data.from_file),
    )


def orders_called(orders: SystemOrders, names: Mapping[str, str]) -> SystemOrders:
    """The same, judges called otherwise."""

    def pair(judges: Sequence[str]) -> tuple[str, str]:
        one, other = judges
        return names[one], names[other]

    return replace(
        orders,
        between=tuple(replace(two, judges=pair(two.judges)) for two in orders.between),
        winners=tuple(replace(one, judge=names[one.judge]) for one in orders.winners),
    )
