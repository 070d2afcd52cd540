"""A whole campaign, moved between a file and a server, either way: the same tables, row by row."""

from __future__ import annotations

import os
import re

from judge_tui.campaign.store.campaign_file import new_campaign
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.schema import TABLES

_TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS (\w+) \((.*?)^\)", re.MULTILINE | re.DOTALL)
_COLUMN = re.compile(r"^    ([a-z_0-9]+) (?:INTEGER|TEXT|REAL)\b", re.MULTILINE)

COLUMNS = {table: tuple(_COLUMN.findall(body)) for table, body in _TABLE.findall(TABLES)}
"""Table -> its columns; a table stands behind those that its rows name."""

_LEFT = ("campaign", "leases")
"""The settings are written first; who is at which query is of the place itself."""


def copy_campaign(campaign: Campaign, path: str | os.PathLike[str]) -> dict[str, int]:
    """Make a campaign at `path`, a file or on a server, that has all of this one, as of one moment;
    table -> how many rows it has.

    It is the same campaign: what is judged there can be merged here. Raises `CampaignError` where
    there is one at that path, and where it cannot be made; then nothing is left.
    """
    copied: dict[str, int] = {}
    with campaign.reading(), new_campaign(path, campaign.settings) as tables:
        for table, columns in COLUMNS.items():
            if table in _LEFT:
                continue
            # An undo stands behind what it undoes.
            order = " ORDER BY id" if table == "events" else ""
            rows = campaign.each(f"SELECT {', '.join(columns)} FROM {table}{order}")
            tables.add_rows(table, columns, rows)
            [(count,)] = tables.each(f"SELECT count(*) FROM {table}")
            copied[table] = count
    return copied
