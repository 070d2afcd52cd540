"""The campaign file: one SQLite file that holds the whole judging effort.

The only room with SQL: `file` opens it, `schema` makes and migrates it, and each other module is
one noun. `desk` is what a judge may see, and touches no run, rank, score or other judge's grade.
"""

from __future__ import annotations

from judge_tui.campaign.creation import create_campaign
from judge_tui.campaign.file import Campaign, Settings, open_campaign

__all__ = ["Campaign", "Settings", "create_campaign", "open_campaign"]
