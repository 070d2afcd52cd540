"""What leads have settled, under the ids of pairs."""

from __future__ import annotations

from judge_tui.campaign import Campaign
from judge_tui.campaign.store.arrays import settled_grades
from judge_tui.campaign.store.pool import pair_keys
from judge_tui.model import Pair


def adjudications(campaign: Campaign) -> dict[Pair, int]:
    """(query_id, doc_id) -> the lead's grade."""
    names = {key: pair for pair, key in pair_keys(campaign).items()}
    pairs, grades = settled_grades(campaign)
    return {names[pair]: grade for pair, grade in zip(pairs.tolist(), grades.tolist(), strict=True)}
