"""Runs loaded into a campaign as `load run` does where no option is given."""

from __future__ import annotations

import os
from typing import Any

from judge_tui.campaign import Campaign
from judge_tui.campaign.loading import LoadCounts
from judge_tui.campaign.loading.runs import load_runs


def load_run(
    campaign: Campaign, path: str | os.PathLike[str], **options: Any
) -> tuple[str, LoadCounts]:
    """The tag and the outcome of one; `options` as of `load_runs`."""
    loaded = load_runs(campaign, [path], **options)[0]
    return loaded.tag, loaded.counts
