"""Runs loaded into a campaign as `load run` does where no option is given."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from judge_tui.campaign import Campaign, runs
from judge_tui.campaign.loaded import Loaded

__all__ = ["load_run", "load_runs"]


def load_runs(
    campaign: Campaign, paths: Sequence[str | os.PathLike[str]], **options: Any
) -> list[tuple[str, Loaded]]:
    """Tags and outcomes; `options` as of `campaign.runs.load_runs`."""
    usual = {"depth": None, "tag": None, "format": None, "replace": False, "skip_unknown": False}
    return runs.load_runs(campaign, paths, **{**usual, "on_bytes": None, **options})


def load_run(
    campaign: Campaign, path: str | os.PathLike[str], **options: Any
) -> tuple[str, Loaded]:
    """The tag and the outcome of one."""
    return load_runs(campaign, [path], **options)[0]
