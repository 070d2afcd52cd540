"""Whose grades count: people's, and those of models where the lead says so."""

from __future__ import annotations

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import Judge, all_judges


def models_count(campaign: Campaign, include_models: bool | None) -> bool:
    """Whether grades of judges of kind model count; None: as the campaign's setting has it."""
    return campaign.settings.include_models if include_models is None else include_models


def judges_who_count(campaign: Campaign, include_models: bool | None) -> list[Judge]:
    """Those whose grades count, by name."""
    models = models_count(campaign, include_models)
    judges = (one for one in all_judges(campaign) if models or one.kind == "human")
    return sorted(judges, key=lambda one: one.name)
