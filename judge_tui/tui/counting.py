"""Counting a campaign beside the app: a million pairs take a second or two, and keys go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread

from judge_tui.agreement import Agreement, agree
from judge_tui.campaign import Campaign, Settings
from judge_tui.campaign.held import held_decisions
from judge_tui.campaign.judges import all_judges
from judge_tui.campaign.progress import Progress, most_to_count, progress
from judge_tui.campaign.second_reader import second_reader
from judge_tui.errors import JudgeTuiError

__all__ = ["Agreed", "Counting", "Graded", "agreed", "graded"]

_GREATEST_SMALL = 50_000
_ENDS_WITHIN = 1.0


@dataclass(frozen=True, slots=True)
class Agreed:
    """How the judges agree so far, people alone or with `models`; None where fewer than two judged.

    `models` are counted where fewer than two people have graded.
    """

    found: Agreement | None
    models: bool


@dataclass(frozen=True, slots=True)
class Graded:
    """Judge -> key of a pair -> grade, and which of the judges are models."""

    grades: dict[str, dict[int, int]]
    models: frozenset[str]


def graded(campaign: Campaign) -> Graded:
    """The grades of this moment, of people and models; judges without one are left out."""
    grades: dict[str, dict[int, int]] = {}
    with campaign.reading():
        judges = all_judges(campaign)
        for judge in judges:
            pairs, given = held_decisions(campaign, judge.key).first_grades()
            if len(pairs):
                grades[judge.name] = dict(zip(pairs.tolist(), given.tolist(), strict=True))
    models = (judge.name for judge in judges if judge.kind == "model")
    return Graded(grades, frozenset(models))


def agreed(found: Graded, settings: Settings) -> Agreed:
    """The agreement on these grades: the same as `judge-tui agreement` finds."""
    people = {name: given for name, given in found.grades.items() if name not in found.models}
    chosen = people if len(people) >= 2 else found.grades
    if len(chosen) < 2:
        return Agreed(None, models=False)
    agreement = agree(chosen, settings.scale.grades, seed=settings.seed)
    return Agreed(agreement, models=chosen is not people)


class Counting:
    """What is known so far: `state`, then `agreed`, or the `error` that it ended with.

    A small campaign is counted before the constructor returns, so that nothing flickers. A large
    one is counted in a thread with a connection of its own, and these fill in as they come.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.state: Progress | None = None
        self.agreed: Agreed | None = None
        self.error: JudgeTuiError | None = None
        self._stopped = Event()
        self._read = Event()
        self._thread: Thread | None = None
        if _is_small(campaign):
            self._count(campaign, self._read_from)
        else:
            self._thread = Thread(
                target=self._count, args=(campaign, self._read_beside), daemon=True
            )
            self._thread.start()

    @property
    def done(self) -> bool:
        """Whether nothing more will come."""
        return self._thread is None or not self._thread.is_alive()

    def stop(self) -> None:
        """Give up counting. When this returns, nothing is read from the file any more."""
        self._stopped.set()
        if self._thread is not None:
            self._read.wait(_ENDS_WITHIN)

    def _count(self, campaign: Campaign, read: Callable[[Campaign], Graded]) -> None:
        try:
            found = read(campaign)
            if not self._stopped.is_set():
                self.agreed = agreed(found, campaign.settings)
        except JudgeTuiError as error:
            self.error = error

    def _read_beside(self, campaign: Campaign) -> Graded:
        try:
            with second_reader(campaign, self._stopped.is_set) as reader:
                return self._read_from(reader)
        finally:
            self._read.set()

    def _read_from(self, campaign: Campaign) -> Graded:
        self.state = progress(campaign)
        return graded(campaign)


def _is_small(campaign: Campaign) -> bool:
    """Whether a person would not notice that it is counted; of what grows, the greatest is told
    without counting."""
    try:
        most = most_to_count(campaign)
    except JudgeTuiError:
        return True
    return most <= _GREATEST_SMALL
