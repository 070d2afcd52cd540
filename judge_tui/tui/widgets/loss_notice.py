"""Said once, over every screen: the campaign's file is lost."""

from __future__ import annotations

from judge_tui.errors import CampaignError
from judge_tui.tui.text import error_content
from judge_tui.tui.widgets.dialogs import Dialog


class LossNotice(Dialog[None]):
    """What became of the file, and what to do."""

    def __init__(self, loss: CampaignError) -> None:
        super().__init__("FILE LOST", hint=error_content("Nothing is saved any more.", loss))
