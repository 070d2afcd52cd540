"""What hangs on each disagreement, worked out beside the app: keys go on meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign import Campaign
from judge_tui.campaign.cases import Cases, cases
from judge_tui.campaign.progress import most_to_count
from judge_tui.campaign.second_reader import second_reader
from judge_tui.errors import JudgeTuiError, UsageError
from judge_tui.tui.screens.review.docket import Weights

if TYPE_CHECKING:
    from judge_tui.agreement import Estimate
    from judge_tui.campaign.standing import Kept

__all__ = ["CasesNow", "Overall", "Weighing", "cases_now", "is_small"]

# What weighing needs is imported where it is done: the first case is painted before.

_GREATEST_SMALL = 20_000
_ENDS_WITHIN = 1.0


@dataclass(frozen=True, slots=True)
class CasesNow:
    """What the judges did; `models`: whether what models did is among it."""

    cases: Cases
    models: bool


@dataclass(frozen=True, slots=True)
class Overall:
    """Ordinal alpha over all judges, and the pairs with two grades or more that it rests on."""

    alpha: Estimate
    pairs: int


def cases_now(campaign: Campaign, *, include_models: bool = False) -> CasesNow:
    """The cases of people; of models, too, where that is asked for or fewer than two people have
    graded."""
    with campaign.reading():
        of_people = None if include_models else cases(campaign)
        if of_people is not None and (of_people.grades >= 0).any(axis=0).sum() > 1:
            return CasesNow(of_people, models=False)
        of_all = cases(campaign, include_models=True)
    return CasesNow(of_all, models=any(judge.kind == "model" for judge in of_all.judges))


class Weighing:
    """What is known so far, in this order: `now`, `weights` (or `why` there are none), `overall`;
    or the `error` that it ended with.

    A small campaign is weighed before the constructor returns, so that nothing flickers. A large
    one is weighed in a thread with a connection of its own, and these fill in as they come.
    """

    def __init__(
        self, campaign: Campaign, *, include_models: bool, now: CasesNow | None = None
    ) -> None:
        """`now`: what is known already need not be read."""
        self.now = now
        self.weights: Weights | None = None
        self.why = ""
        self.overall: Overall | None = None
        self.error: JudgeTuiError | None = None
        self._include_models = include_models
        self._stopped = Event()
        self._read = Event()
        self._thread: Thread | None = None
        if now is not None and is_small(campaign):
            self._work(campaign)
        else:
            self._thread = Thread(target=self._work_beside, args=(campaign,), daemon=True)
            self._thread.start()

    @property
    def done(self) -> bool:
        """Whether nothing more will come."""
        return self._thread is None or not self._thread.is_alive()

    def stop(self) -> None:
        """Give up. When this returns, nothing is read from the file any more."""
        self._stopped.set()
        if self._thread is not None:
            self._read.wait(_ENDS_WITHIN)

    def _work_beside(self, campaign: Campaign) -> None:
        try:
            with second_reader(campaign, self._stopped.is_set) as reader:
                self._work(reader)
        except JudgeTuiError as error:
            self.error = error
        finally:
            self._read.set()

    def _work(self, campaign: Campaign) -> None:
        try:
            if self.now is None:
                self.now = cases_now(campaign, include_models=self._include_models)
            now = self.now
            try:
                self.weights = _weights(campaign, now)
            except UsageError as error:
                # Without runs, or with one, nothing hangs on anything.
                self.why = error.what
            self._read.set()
            if not self._stopped.is_set():
                self.overall = _overall(campaign, now.cases)
        except JudgeTuiError as error:
            self.error = error


def _weights(campaign: Campaign, now: CasesNow) -> Weights:
    """Raises `UsageError` where no two systems can be compared."""
    from judge_tui.analysis.effects import effects_of  # noqa: PLC0415
    from judge_tui.campaign.disputes import SWAPS_BY  # noqa: PLC0415
    from judge_tui.campaign.judged_runs import too_deep  # noqa: PLC0415
    from judge_tui.campaign.standing import kept_rankings_of, standing_now  # noqa: PLC0415
    from judge_tui.scoring import Rules  # noqa: PLC0415

    found = now.cases
    disputed = found.disputed
    pairs = found.pairs[disputed]
    if not len(pairs):
        _refuse_too_few(kept_rankings_of(campaign, depth=1))
        return Weights(pairs, pairs, np.zeros(0))
    standing = standing_now(campaign, depth=SWAPS_BY.depth, include_models=now.models)
    _refuse_too_few(standing.kept)
    deep = too_deep(standing.kept.runs, SWAPS_BY, Rules())
    if deep is not None:
        raise UsageError(
            f"{SWAPS_BY} looks deeper than the {deep.depth} results kept of {deep.tag!r}",
            "load the run again with a greater --depth",
        )
    effects = effects_of(
        standing.standing,
        standing.kept.place_of_query(found.queries[disputed]),
        found.documents[disputed],
        found.given(max(campaign.settings.scale.grades))[disputed],
        SWAPS_BY,
    )
    return Weights(pairs, effects.swaps, effects.change)


def _refuse_too_few(kept: Kept) -> None:
    if len(kept.rankings.tags) < 2:
        raise UsageError("the campaign has one run only", "load another: judge-tui load run FILE")


def _overall(campaign: Campaign, found: Cases) -> Overall:
    from judge_tui.agreement import krippendorff_alpha  # noqa: PLC0415

    scale = campaign.settings.scale.grades
    table = np.stack([(found.grades == grade).sum(axis=1) for grade in scale], axis=1)
    alpha = krippendorff_alpha(table, scale, seed=campaign.settings.seed)["ordinal"]
    return Overall(alpha, int((table.sum(axis=1) > 1).sum()))


def is_small(campaign: Campaign) -> bool:
    """Whether a person would not notice that it is worked out."""
    return most_to_count(campaign) <= _GREATEST_SMALL
