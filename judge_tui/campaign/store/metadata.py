"""The metadata of queries, documents and runs, as the file keeps them: objects of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from judge_tui.campaign.store.errors_in_words import RESTORE
from judge_tui.errors import CampaignError
from judge_tui.place import Place


def metadata_text(meta: Mapping[str, object]) -> str:
    """What stands in a column."""
    # Most have none, and a million come at once.
    return json.dumps(meta, ensure_ascii=False) if meta else "{}"


def read_metadata(path: Place, text: str) -> dict[str, Any]:
    """What a column of the campaign at `path` says. Raises `CampaignError` for what no judge_tui
    wrote."""
    found = parse_metadata(text)
    if found is None:
        raise CampaignError(path, f"no judge_tui wrote this: the metadata {text!r:.60}", RESTORE)
    return found


def parse_metadata(text: str) -> dict[str, Any] | None:
    """The object, None where the text is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
