"""Looking after the file between two keys, and what is said where it is lost."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from textual.content import Content

from judge_tui.errors import CampaignError, JudgeTuiError, LockedError
from judge_tui.tui.shown import error_content

if TYPE_CHECKING:
    from textual.app import App

    from judge_tui.campaign import Campaign

__all__ = ["keep_or_warn", "loss_behind", "loss_content", "tend"]

_EVERY = 0.25
_LOST = "FILE LOST"


def tend(app: App[None], campaign: Campaign) -> None:
    """For as long as the app runs: fold the file while the judge reads, watch it, and say where it
    is lost, whoever found that out."""

    def look() -> None:
        try:
            campaign.tend()
        except CampaignError as error:
            timer.stop()
            _say(app, error)

    timer = app.set_interval(_EVERY, look)


def keep_or_warn(app: App[None], campaign: Campaign, keys: str) -> bool:
    """Whether the app may end without giving up what may be nowhere else: what could not be kept of
    a lost file is tried once more; where that fails, it is said, and that `keys` leave without it.
    """
    with contextlib.suppress(CampaignError):
        campaign.tend()
    loss = campaign.loss
    if loss is None or not campaign.is_unkept:
        return True
    _say(app, loss)
    said = Content.assemble(
        ("NOT KEPT  ", "bold $text-error"),
        "this may be the only copy  ",
        (f"{keys} once more leaves without it", "dim"),
    )
    for screen in app.screen_stack:
        say = getattr(screen, "say", None)
        if say is not None:
            say(said)
        elif screen is app.screen:
            app.notify(said.plain, markup=False, severity="error", timeout=10)
    return False


def loss_behind(campaign: Campaign, error: JudgeTuiError) -> CampaignError | None:
    """What became of the file, where an error comes of that; None where it does not.

    The campaign itself is asked: who reads beside the app does not know what was kept.
    """
    if not isinstance(error, CampaignError) or isinstance(error, LockedError):
        return None
    if not campaign.lost:
        with contextlib.suppress(CampaignError):
            campaign.tend()
    return campaign.loss


def loss_content(loss: CampaignError) -> Content:
    """The same words on every screen."""
    return error_content(_LOST, loss)


def _say(app: App[None], error: CampaignError) -> None:
    """On all screens: one that lies below is there again once the others are closed."""
    saying = [getattr(screen, "say_error", None) for screen in app.screen_stack]
    told = [say_error for say_error in saying if say_error is not None]
    for say_error in told:
        say_error(_LOST, error)
    if not told:
        said = error_content(_LOST, error).plain
        app.notify(said, markup=False, severity="error", timeout=3600)
