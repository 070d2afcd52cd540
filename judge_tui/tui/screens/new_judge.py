"""The name of a new judge; one that is nearly a known name is asked about first."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.judges import near_names
from judge_tui.campaign.store.names import proper_name
from judge_tui.errors import JudgeTuiError
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.widgets.entry_line import EntryLine
from judge_tui.visible import visible_line

# More than a name may have: one that is too long is refused, not cut.
_GREATEST_TYPED = 200


class NewJudgeOverlay(Overlay[str]):
    """Gives the name; that of a known judge is fine, and judges as that one."""

    writes = True

    def __init__(self, campaign: Campaign) -> None:
        super().__init__()
        self._campaign = campaign
        self._warned: str | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="panel"):
            yield Static("Who judges?", classes="heading", markup=False)
            yield EntryLine(placeholder="a name", max_length=_GREATEST_TYPED)
            yield Static(
                f"enter starts judging   {self.closing} goes back", classes="hint", markup=False
            )

    @on(EntryLine.Entered)
    def _entered(self, message: EntryLine.Entered) -> None:
        try:
            name = proper_name(message.value)
            near = near_names(self._campaign, name)
        except JudgeTuiError as error:
            self._refuse(Content(visible_line(str(error))))
            return
        if near and name != self._warned:
            self._warned = name
            names = ", ".join(visible_line(one) for one in near)
            said = (
                f"New, and nearly the name of {names}. Enter again makes a new judge all the same."
            )
            self._refuse(Content(said))
            return
        self.dismiss(name)

    def _refuse(self, said: Content) -> None:
        self.query_one(".hint", Static).update(said)
        self.query_one(EntryLine).take_more()
