"""What a campaign has under queries that a file says something else of."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple

from judge_tui.campaign.events import FROM_FILE
from judge_tui.campaign.file import Campaign

__all__ = ["Standing", "standing_under"]


class Standing(NamedTuple):
    """What a campaign has for some queries."""

    judgments: int
    runs: int

    def __str__(self) -> str:
        both = ("", self.judgments, "judgment"), ("results of ", self.runs, "run")
        return " and ".join(
            f"{of}{number:,} {noun}{'' if number == 1 else 's'}"
            for of, number, noun in both
            if number
        )


def standing_under(
    campaign: Campaign, query_ids: Collection[str], *, from_files: bool = True
) -> Standing:
    """The same of those by `query_ids`; without judgments `from_files`, those made in the app."""
    if not query_ids:
        return Standing(0, 0)
    ids = (json.dumps([*query_ids]),)
    judged = campaign.rows(
        "SELECT count(*) FROM (SELECT DISTINCT e.judge, e.pair FROM queries AS q"  # noqa: S608
        " CROSS JOIN pool AS p ON p.query = q.id CROSS JOIN live_events AS e ON e.pair = p.id"
        " WHERE e.action IN ('grade', 'skip', 'cannot', 'adjudicate')"
        f" AND (e.action = 'adjudicate' OR NOT e.{FROM_FILE} OR ?2)"
        " AND q.query_id IN (SELECT value FROM json_each(?1)))",
        (*ids, from_files),
    )
    found = campaign.rows(
        "SELECT count(*) FROM runs AS r WHERE EXISTS (SELECT 1 FROM queries AS q JOIN results AS o"
        " ON o.query = q.id WHERE o.run = r.id"
        " AND q.query_id IN (SELECT value FROM json_each(?)))",
        ids,
    )
    return Standing(judged[0][0], found[0][0])
