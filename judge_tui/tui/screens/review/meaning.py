"""What was painted, and which keys can mean it."""

from __future__ import annotations

from time import monotonic

from textual.content import Content

from judge_tui.errors import CampaignError
from judge_tui.tui.screens.review.docket import Case
from judge_tui.tui.screens.review.keeping_up import KeepingUp


class Meaning(KeepingUp):
    """A key means the case that was painted when it was pressed, as the file has it, or nothing."""

    def displayed(self) -> None:
        """Called by the app after each update was handed to the terminal."""
        if self.guard.waiting and self.is_mounted and self.view.drawn:
            self.guard.painted(monotonic())

    def key_pressed(self, at: float) -> None:
        """Called by the app with the time of the key, or click, that is acted on next."""
        self.guard.pressed(at)
        self.touched = True

    def may_settle(self, *, typing: bool = False) -> Case | None:
        """The case that a key may settle, None where it may not; says why if need be. `typing`:
        nothing is to be saved by that key yet."""
        case = self.docket.here
        if case is None:
            self.say(Content("no case is shown"))
            return None
        if self.lacks_room():
            return None
        return case if self.guard.counts and self.is_as_shown(typing=typing) else None

    def is_as_shown(self, *, typing: bool = False) -> bool:
        """Whether the file still holds what the lead has seen; else it is shown anew, and said."""
        case = self.docket.here
        if case is None or self._seen is None:
            return False
        try:
            version = self.campaign.version()
            if version == self._seen_version:
                return True
            now = self._read(case)
        except CampaignError as error:
            self.say_unread(error, typing=typing)
            return False
        if now == self._seen:
            self._seen_version = version
            return True
        self.docket.settle(case.pair, now.settlement.grade if now.settlement else None)
        self.show_case()
        self.say(Content("changed elsewhere meanwhile: please look again"))
        return False
