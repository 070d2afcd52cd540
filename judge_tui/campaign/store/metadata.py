"""The metadata of queries, documents and runs, as the file keeps them: objects of JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from judge_tui.campaign.store.errors_in_words import RESTORE
from judge_tui.errors import CampaignError

__all__ = ["parsed", "read_metadata"]


def read_metadata(path: Path, text: str) -> dict[str, Any]:
    """What stands in a column of the campaign at `path`. Raises `CampaignError` for what no
    judge_tui wrote."""
    found = parsed(text)
    if found is None:
        raise CampaignError(path, f"no judge_tui wrote this: the metadata {text!r:.60}", RESTORE)
    return found


def parsed(text: str) -> dict[str, Any] | None:
    """The object, None where the text is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
