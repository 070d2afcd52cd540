"""How a campaign file is recognised: by its application_id, and its schema by user_version."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from judge_tui.campaign.words import NO_CAMPAIGN
from judge_tui.errors import CampaignError

__all__ = ["APPLICATION_ID", "SCHEMA_VERSION", "refuse_no_campaign", "upgrade"]

SCHEMA_VERSION = 11
APPLICATION_ID = int.from_bytes(b"JTUI")


def refuse_no_campaign(path: Path, connection: sqlite3.Connection) -> None:
    """Raise `CampaignError` for a file that is no campaign, or one of a newer judge_tui."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        raise CampaignError(
            path,
            "not a judge_tui campaign",
            NO_CAMPAIGN,
        )
    written = connection.execute("SELECT max(schema_version) FROM campaign").fetchone()[0]
    version = max(version, written or 0)
    if version > SCHEMA_VERSION:
        raise CampaignError(
            path,
            f"its schema is version {version}, this judge-tui knows up to {SCHEMA_VERSION}",
            "upgrade judge-tui to the version that wrote the file",
        )


def upgrade(connection: sqlite3.Connection) -> None:
    """Bring an older schema to the newest, wholly or not at all."""
    from judge_tui.campaign.schema import migrate  # noqa: PLC0415

    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute("UPDATE campaign SET schema_version = ?", (SCHEMA_VERSION,))
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
