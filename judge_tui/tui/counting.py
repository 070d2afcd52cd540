"""Counting a campaign beside the app: a million pairs take a second or two, and keys go on."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TypeAlias

from judge_tui.campaign import Campaign
from judge_tui.campaign.agreed import Agreed, Counted, agreed, counted_grades
from judge_tui.campaign.disputes import Disputes, OpenCases, disputes_of, open_cases
from judge_tui.campaign.progress import Progress, most_to_count, progress
from judge_tui.campaign.second_reader import second_reader
from judge_tui.errors import JudgeTuiError

__all__ = ["Counting"]

_GREATEST_SMALL = 50_000
_ENDS_WITHIN = 1.0

_Read: TypeAlias = tuple[Counted, OpenCases]


class Counting:
    """What is known so far: `state`, then `agreed`, then `disputes`, or the `error` that it ended
    with.

    A small campaign is counted before the constructor returns, so that nothing flickers. A large
    one is counted in a thread with a connection of its own, and these fill in as they come.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.state: Progress | None = None
        self.agreed: Agreed | None = None
        self.disputes: Disputes | None = None
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

    def _count(self, campaign: Campaign, read: Callable[[Campaign], _Read]) -> None:
        try:
            grades, found = read(campaign)
            if not self._stopped.is_set():
                self.agreed = agreed(grades, campaign.settings)
            if not self._stopped.is_set():
                self.disputes = disputes_of(found)
        except JudgeTuiError as error:
            self.error = error

    def _read_beside(self, campaign: Campaign) -> _Read:
        try:
            with second_reader(campaign, self._stopped.is_set) as reader:
                return self._read_from(reader)
        finally:
            self._read.set()

    def _read_from(self, campaign: Campaign) -> _Read:
        self.state = progress(campaign)
        grades = counted_grades(campaign)
        return grades, open_cases(campaign, grades)


def _is_small(campaign: Campaign) -> bool:
    """Whether a person would not notice that it is counted; of what grows, the greatest is told
    without counting."""
    try:
        most = most_to_count(campaign)
    except JudgeTuiError:
        return True
    return most <= _GREATEST_SMALL
