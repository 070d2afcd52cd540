"""What the screens share for as long as the app runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.leases import TakenError
from judge_tui.errors import CampaignError, JudgeTuiError
from judge_tui.tui.painted import PaintGuard
from judge_tui.tui.widgets.status_line import StatusLine

Result = TypeVar("Result")


class About(NamedTuple):
    """What a text is written about: the `what` (comment, reason) on a document."""

    what: str
    query_id: str
    doc_id: str
    turn: int = 0
    """A hidden repeat has the draft of its first look no more than its comment."""


class Drafts:
    """Texts that were typed and are not written yet: they are there again when the prompt is opened
    again, and printed when the app ends."""

    def __init__(self) -> None:
        self._texts: dict[About, str] = {}

    def keep(self, about: About, text: str, *, written: str = "") -> None:
        """Keep what stands in a prompt now, unless it says no more than what is `written`."""
        if text and text != written:
            self._texts[about] = text
        else:
            self.forget(about)

    def known(self, about: About) -> str | None:
        """The draft, if there is one."""
        return self._texts.get(about)

    def forget(self, about: About) -> None:
        """It is written, or there is nothing to write."""
        self._texts.pop(about, None)

    def lines(self) -> list[str]:
        """Each in words, for the end of the app."""
        return [
            f"the {about.what} on {about.doc_id}, query {about.query_id}, a draft: esc or the end"
            f" of the app closed it: {text}"
            for about, text in self._texts.items()
        ]


@dataclass(slots=True)
class Session:
    """One campaign open in one app.

    `failure`: the last key could not be written, in words, "" where all are; printed when the app
    ends.
    """

    campaign: Campaign
    guard: PaintGuard
    drafts: Drafts = field(default_factory=Drafts)
    failure: str = ""

    def read(self, look: Callable[[], Result], status: StatusLine) -> Result | None:
        """Run `look`; on failure show CANNOT READ and return None."""
        try:
            return look()
        except CampaignError as error:
            status.fail("CANNOT READ", error)
            return None

    def write(self, change: Callable[[], Result], status: StatusLine) -> Result | None:
        """Run `change`; on failure show NOT SAVED and return None. The user can press the key
        again. Raises `TakenError`: then pressing it again would not help."""
        try:
            result = change()
        except TakenError:
            self.failure = ""
            raise
        except JudgeTuiError as error:
            self.not_saved(error, status)
            return None
        self.failure = ""
        return result

    def not_saved(self, error: JudgeTuiError, status: StatusLine) -> None:
        """Show NOT SAVED and the error; the app says it again at its end."""
        self.failure = "the last key could not be written"
        status.fail("NOT SAVED", error)
