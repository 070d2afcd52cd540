"""The runs that somebody named, or all of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.typed import typed
from judge_tui.errors import UsageError, unknown

if TYPE_CHECKING:
    from judge_tui.analysis.basis import KeptRun

__all__ = ["LONGEST", "ChosenRun", "chosen_runs", "scores_kept"]

LONGEST = f"coalesce(json_extract(settings, '$.longest'), {sys.maxsize})"
"""Of a row of runs: how long the longest list of its file is."""


@dataclass(frozen=True, slots=True)
class ChosenRun:
    """A run by its `key` and `tag`, the file `source` that it is from, and how much of each list is
    kept: the first `depth`. The longest list of the file has `longest` results; where that is not
    known, as in campaigns of before, more than any."""

    key: int
    tag: str
    source: str
    depth: int
    longest: int

    def kept(self, depth: int | None = None) -> KeptRun:
        """Return how much of it there is to look at: what is kept, cut at `depth`."""
        from judge_tui.analysis.basis import KeptRun  # noqa: PLC0415 - the pool scores nothing

        at_most = self.depth if depth is None else min(self.depth, depth)
        return KeptRun(self.tag, self.source, at_most, self.longest)


def chosen_runs(campaign: Campaign, tags: Sequence[str] = ()) -> list[ChosenRun]:
    """The runs of those tags, each once, in that order (default: all, as they were loaded).

    Raises `UsageError` for a tag that is not there and for a campaign without runs.
    """
    runs = {
        row[1]: ChosenRun(*row)
        for row in campaign.rows(
            f"SELECT id, tag, source, depth, {LONGEST} FROM runs ORDER BY loaded_at, id"  # noqa: S608
        )
    }
    if not runs:
        raise UsageError(
            "the campaign has no runs yet", f"first: {typed(campaign.path, 'load run', 'FILE...')}"
        )
    for tag in tags:
        if tag not in runs:
            raise unknown("run", tag, runs)
    return [runs[tag] for tag in dict.fromkeys(tags or runs)]


def scores_kept(campaign: Campaign, run: int) -> dict[str, dict[str, float]]:
    """query_id -> doc_id -> score of what is kept of a run, by its key: queries as they were
    loaded, documents by rank."""
    rows = campaign.rows(
        "SELECT query_id, doc_id, score FROM results AS r"
        " JOIN queries ON queries.id = r.query JOIN documents ON documents.id = r.document"
        " WHERE r.run = ? ORDER BY r.query, r.rank",
        (run,),
    )
    scores: dict[str, dict[str, float]] = {}
    for query_id, doc_id, score in rows:
        scores.setdefault(query_id, {})[doc_id] = score
    return scores
