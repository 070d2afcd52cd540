"""How large a campaign is, told without counting it.

In a file of its own: what is worked out beside a screen is not imported before the screen is there.
"""

from __future__ import annotations

from judge_tui.campaign.file import Campaign

__all__ = ["most_to_count"]


def most_to_count(campaign: Campaign) -> int:
    """At most about so many rows are counted by `progress`."""
    pairs, judges, queries, runs = campaign.rows(
        "SELECT (SELECT coalesce(max(id), 0) FROM pool), (SELECT count(*) FROM judges),"
        " (SELECT coalesce(max(id), 0) FROM queries), (SELECT count(*) FROM runs)"
    )[0]
    return int(pairs * max(1, judges) + 10 * queries * runs)
