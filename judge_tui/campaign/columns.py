"""What the rows of a campaign hold beside their keys and ids, for those that copy them whole."""

from __future__ import annotations

__all__ = ["DOCUMENT_FIELDS", "EVENT_FIELDS", "QUERY_FIELDS"]

QUERY_FIELDS = ("text", "description", "narrative", "class", "meta")
DOCUMENT_FIELDS = ("title", "text", "url", "kind", "meta")
EVENT_FIELDS = (
    *("turn", "action", "grade", "note", "target"),
    *("looked", "painted_at", "written_at"),
)
"""All of an event but its id, its judge and its pair."""
