"""A campaign: one judging effort, one SQLite file or one schema on a PostgreSQL server.

`store` has it, and is the only room with SQL. `loading` brings files into it, `exporting`
takes files out of it, `overview` works out what the lead looks at. `extend_pool` and `assign` say
what is judged, and by whom.
"""

from __future__ import annotations

from judge_tui.campaign.store.campaign_file import create_campaign, open_campaign
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.settings import Settings

__all__ = ["Campaign", "Settings", "create_campaign", "open_campaign"]
