"""What is worked out from a campaign while keys go on."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.opening import second_reader
from judge_tui.errors import JudgeTuiError

_ENDS_WITHIN = 1.0
# What was worked out once is not worked out again for so many times as long as it took.
_REST = 5


class Work:
    """Reads the file, and then works out what comes of that; what is found so far is in the
    attributes of the kind of work. `error`: what it ended with.
    """

    def __init__(self) -> None:
        self.error: JudgeTuiError | None = None
        self.rests_until = 0.0
        """Before this time (monotonic) the same is not worked out again."""
        self._stopped = Event()
        self._read = Event()
        self._thread: Thread | None = None

    def start(self, campaign: Campaign, *, beside: bool) -> None:
        """Do it: `beside` the app, in a thread with a connection of its own, or before this
        returns, so that nothing flickers."""
        if beside:
            self._thread = Thread(
                target=self._work, args=(campaign, self._read_beside), daemon=True
            )
            self._thread.start()
        else:
            self._work(campaign, self.read)

    @property
    def done(self) -> bool:
        """Whether nothing more will come."""
        return self._thread is None or not self._thread.is_alive()

    @property
    def stopped(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Give up. When this returns, nothing is read from the file any more."""
        self._stopped.set()
        if self._thread is not None:
            self._read.wait(_ENDS_WITHIN)

    def read(self, campaign: Campaign) -> None:
        """All that needs the file."""
        raise NotImplementedError

    def conclude(self, campaign: Campaign) -> None:
        """What needs the file no more, only the settings of the `campaign`."""

    def _work(self, campaign: Campaign, read: Callable[[Campaign], None]) -> None:
        begun = monotonic()
        try:
            read(campaign)
            if not self.stopped:
                self.conclude(campaign)
        except JudgeTuiError as error:
            self.error = error
        finally:
            now = monotonic()
            self.rests_until = now + _REST * (now - begun)

    def _read_beside(self, campaign: Campaign) -> None:
        try:
            with second_reader(campaign, self._stopped.is_set) as reader:
                self.read(reader)
        finally:
            self._read.set()
