"""Work that is done beside the app, one piece after the other, while keys go on."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Lock, Thread

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.opening import second_reader
from judge_tui.errors import JudgeTuiError

_ENDS_WITHIN = 1.0


class Beside:
    """A thread that does what it is given, in that order; `error` is the last thing that failed.

    `done` counts the pieces that are finished, so that who shows what came of them can tell whether
    there is more than before.
    """

    def __init__(self) -> None:
        self.error: JudgeTuiError | None = None
        self.done = 0
        self._given = 0
        self._pieces: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._stopped = Event()
        # Held while the file is read.
        self._reads = Lock()

    @property
    def busy(self) -> bool:
        """Whether something is still to be done."""
        return self.done < self._given and not self._stopped.is_set()

    def do(self, piece: Callable[[], None]) -> None:
        """Do this next."""
        self._given += 1
        self._pieces.put(piece)
        if self._thread is None:
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()

    def read(self, campaign: Campaign, piece: Callable[[Campaign], None]) -> None:
        """Do this next, with a connection of its own to the file."""

        def read() -> None:
            with self._reads:
                if not self._stopped.is_set():
                    with second_reader(campaign, self._stopped.is_set) as reader:
                        piece(reader)

        self.do(read)

    def stop(self) -> None:
        """Give up. When this returns, nothing is read from the file any more."""
        self._stopped.set()
        self._pieces.put(None)
        if self._reads.acquire(timeout=_ENDS_WITHIN):
            self._reads.release()

    def _work(self) -> None:
        while (piece := self._pieces.get()) is not None and not self._stopped.is_set():
            try:
                piece()
            except JudgeTuiError as error:
                if not self._stopped.is_set():
                    self.error = error
            finally:
                self.done += 1
