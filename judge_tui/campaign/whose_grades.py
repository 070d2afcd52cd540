"""Whose grades count: one setting of the campaign, which a command can override."""

from __future__ import annotations

from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import all_judges

__all__ = ["models_count", "only_models"]


def models_count(campaign: Campaign, include_models: bool | None) -> bool:
    """Whether grades of judges of kind model count; None: as the campaign's setting has it."""
    return campaign.settings.include_models if include_models is None else include_models


def only_models(campaign: Campaign, include_models: bool | None) -> bool:
    """Whether the grades that count are those of models alone: no person has graded."""
    if not models_count(campaign, include_models):
        return False
    graded = {judge.kind for judge in all_judges(campaign) if _has_graded(campaign, judge.key)}
    return graded == {"model"}


def _has_graded(campaign: Campaign, judge: int) -> bool:
    # Of one judge at a time the view is read in the order of an index, up to the first grade.
    sql = "SELECT 1 FROM decisions WHERE judge = ? AND action = 'grade' LIMIT 1"
    return bool(campaign.rows(sql, (judge,)))
