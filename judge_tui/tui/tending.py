"""Looking after the file, and after memory, between two keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge_tui.errors import CampaignError
from judge_tui.tui.collecting import Collecting
from judge_tui.tui.shown import error_content

if TYPE_CHECKING:
    from textual.app import App

    from judge_tui.campaign import Campaign

__all__ = ["tend"]

_EVERY = 0.25


def tend(app: App[None], campaign: Campaign, collecting: Collecting) -> None:
    """For as long as the app runs: fold the file while the judge reads, watch it, and say where it
    is lost, if no key did so before."""

    def look() -> None:
        collecting.look()
        if campaign.lost:
            timer.stop()
            return
        try:
            campaign.tend()
        except CampaignError as error:
            timer.stop()
            _say(app, error)

    timer = app.set_interval(_EVERY, look)


def _say(app: App[None], error: CampaignError) -> None:
    for screen in reversed(app.screen_stack):
        say_error = getattr(screen, "say_error", None)
        if say_error is not None:
            say_error("FILE LOST", error)
            return
    app.notify(
        error_content("FILE LOST", error).plain, markup=False, severity="error", timeout=3600
    )
