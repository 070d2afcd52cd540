"""`judge-tui` alone: the app at Home."""

from __future__ import annotations

import os
from pathlib import Path

from judge_tui.cli.judge import open_app, refuse_no_terminal

__all__ = ["open_home"]


def open_home(db: Path | None) -> int:
    """Open the campaign `db`, else the one of JUDGE_TUI_DB or of this folder, at Home."""
    from judge_tui.campaign import open_campaign
    from judge_tui.campaign.typed import typed

    path = Path(db or os.environ.get("JUDGE_TUI_DB") or "campaign.db")
    status = typed(path, "status")
    refuse_no_terminal(f"{status} prints the same, judge-tui --help lists the commands")
    with open_campaign(path) as campaign:
        return open_app(campaign)
