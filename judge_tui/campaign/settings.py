"""What a campaign is called, its scale, and what else was fixed when it was made."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from judge_tui.campaign.words import RESTORE
from judge_tui.errors import CampaignError
from judge_tui.model import Scale

__all__ = ["Settings", "settings_of"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What `init` fixed for the whole campaign. `guidelines` is Markdown.

    `campaign_id` is the same in every copy of the file, and in no other campaign.
    """

    campaign_id: str
    name: str
    scale: Scale
    guidelines: str
    seed: int
    show_ranks: bool
    created: str


def settings_of(path: Path, connection: sqlite3.Connection) -> Settings:
    """Those of an open file. Raises `CampaignError` where it has none, and what SQLite raises."""
    row = connection.execute(
        "SELECT campaign_id, name, scale, guidelines, seed, show_ranks, created FROM campaign"
    ).fetchone()
    if row is None:
        raise CampaignError(path, "the campaign's settings are missing", RESTORE)
    key, name, scale, guidelines, seed, show_ranks, created = row
    return Settings(key, name, Scale.parse(scale), guidelines, seed, bool(show_ranks), created)
