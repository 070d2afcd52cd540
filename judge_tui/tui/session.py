"""What the screens share for as long as the app runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from judge_tui.campaign import Campaign
from judge_tui.tui.painted import PaintGuard
from judge_tui.tui.view_options import OptionsFile


@dataclass(slots=True)
class Session:
    """One campaign open in one app.

    `drafts`: texts that were typed and are not written yet, by (what, query id, doc id); they are
    there again when the prompt is opened, and printed when the app ends. `failure`: the last key
    could not be written, in words, "" where all are; printed when the app ends.
    """

    campaign: Campaign
    options: OptionsFile = field(default_factory=OptionsFile)
    guard: PaintGuard = field(default_factory=PaintGuard)
    drafts: dict[tuple[str, str, str], str] = field(default_factory=dict)
    failure: str = ""
