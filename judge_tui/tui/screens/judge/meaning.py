"""What was painted, and which keys can mean it; and what comes next, made ready meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from time import monotonic

from textual.content import Content
from textual.timer import Timer

from judge_tui.campaign.store.desk import Desk, DeskPair
from judge_tui.errors import CampaignError
from judge_tui.tui.once import once
from judge_tui.tui.screens.judge.showing import QUERY_CHANGED, Showing
from judge_tui.tui.tastes import Keeper

_NOTHING_HERE = "all judged, and no document is shown: {} goes back to the last one"
# Seconds between two steps of making the next document ready: keys go first.
_PAUSE = 0.001
# And after the last one, before the rest of the document on screen is made ready.
_REST_LATER = 0.1


class Meaning(Showing):
    """A key means the document that was painted when it was pressed, as the file has it, or
    nothing."""

    def __init__(self, desk: Desk, tastes: Keeper | None = None) -> None:
        super().__init__(desk, tastes)
        self._ahead_timer: Timer | None = None

    def displayed(self) -> None:
        """Called by the app after each update was handed to the terminal."""
        # Before the screen has begun, what was handed over is the one below.
        if self.guard.waiting and self.is_mounted and self.view.drawn:
            at = monotonic()
            self.guard.painted(at)
            if self._is_new:
                self.timer.start(at)
                self._is_new = False
                # What the next key is likely to bring comes before the rest of this document.
                self.view.rest()
                self._then(_PAUSE, self._look_ahead)

    def _then(self, delay: float, step: Callable[[], None]) -> None:
        """The next step of making ready what is not on screen; it takes the place of the one that
        was to come, which another document may have been for."""
        if self._ahead_timer is not None:
            self._ahead_timer.stop()
        self._ahead_timer = once(self, delay, step)

    def _look_ahead(self) -> None:
        """Begin with the document that comes next, if nothing else is shown meanwhile."""
        if self._is_new:
            return
        view, pair = self.view, self.route.likely_next
        # What cannot be read now is told when it is its turn.
        with contextlib.suppress(CampaignError):
            if pair is not None:
                document, _ = self.desk.document(pair)
                room, screen = view.room, view.size
                self._foresight.begin(document, raw=self.raw, room=room, screen=screen)
        self._go_on()

    def _go_on(self) -> None:
        if self._foresight.go_on():
            self._then(_PAUSE, self._go_on)
        else:
            # Who goes on at once does not wait for it, and nobody can have scrolled so far yet.
            self._then(_REST_LATER, self.view.go_on)

    def key_pressed(self, at: float) -> None:
        """Called by the app with the time of the key, or click, that is acted on next."""
        self.guard.pressed(at)
        self.timer.active(at)

    def on_mouse_move(self) -> None:
        self.timer.active(monotonic())

    def may_write(self, *, typing: bool = False) -> DeskPair | None:
        """The pair that a key may do something to, None where it may not; says why if need be.
        `typing`: nothing is to be saved by that key yet."""
        if self.route.all_judged:
            # There may be more meanwhile.
            if self.go(self.route.to_next_undecided) and self.route.all_judged:
                self.say(Content(_NOTHING_HERE.format(self.keys["judge.previous"])))
            return None
        if self.lacks_room():
            return None
        pair = self.route.pair if self.guard.counts else None
        return pair if pair is not None and self.is_as_shown(pair, typing=typing) else None

    def is_as_shown(self, pair: DeskPair, *, typing: bool = False) -> bool:
        """Whether the file still holds what the judge has seen; else it is shown anew, and said."""
        try:
            if self.desk.campaign.version() == self._version:
                return True
            query = self.desk.query(self.route.query_key)
            document, state = self.desk.document(pair), self.desk.state(pair)
        except CampaignError as error:
            self.say_unread(error, typing=typing)
            return False
        if query != self._query:
            self.go(lambda: QUERY_CHANGED)
        elif document != self._document:
            self.go(lambda: "this document was changed meanwhile: please read it again")
        elif state != pair.state:
            self.go(lambda: "changed in another window meanwhile: please look again")
        else:
            return True
        return False
