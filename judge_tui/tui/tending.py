"""Looking after the file between two keys, and saying once that it is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from judge_tui.errors import CampaignError
from judge_tui.tui.screens.overlay import Overlay
from judge_tui.tui.shown import error_content

if TYPE_CHECKING:
    from textual.app import App

    from judge_tui.campaign import Campaign

_EVERY = 0.25


def tend(app: App[None], campaign: Campaign) -> None:
    """For as long as the app runs: fold the file while the judge reads, watch it, and say where it
    is lost. From then on each key that writes says NOT SAVED."""

    def look() -> None:
        try:
            campaign.tend()
        except CampaignError as error:
            timer.stop()
            app.push_screen(LossOverlay(error))

    timer = app.set_interval(_EVERY, look)


class LossOverlay(Overlay[None]):
    """What became of the file, and what to do."""

    def __init__(self, loss: CampaignError) -> None:
        super().__init__()
        self._loss = loss

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="panel"):
            yield Static(error_content("FILE LOST", self._loss), markup=False)
            yield Static(f"{self.closing} closes", classes="hint", markup=False)
