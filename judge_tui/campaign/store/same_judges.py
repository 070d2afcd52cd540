"""Who is who in two copies of a campaign: people by their first names, models by their identity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.judges import Judge, all_judges, insert_judge, removed_judges
from judge_tui.campaign.store.model_answers import AskedModel, add_model_judge, asked_models_by_key
from judge_tui.errors import CampaignError, UsageError

CHANGED = "one of the two files was changed by another program: ask for another copy"


def by_who(campaign: Campaign, judges: Iterable[Judge]) -> dict[str, Judge]:
    """Judges of the campaign by who they are in every copy."""
    models = asked_models_by_key(campaign)
    return {models[one.key].who if one.key in models else one.first_name: one for one in judges}


def take_in_judges(
    campaign: Campaign, file: str, theirs: Mapping[str, Judge], models: Mapping[str, AskedModel]
) -> dict[str, Judge]:
    """The judges of this campaign by who they are, after those of a `file` were added who are new;
    `models`: whose identity is known there. Raises `CampaignError` where somebody else has the name
    here; a model gets a number where that is another model."""
    ours, removed = by_who(campaign, all_judges(campaign)), removed_judges(campaign)
    known = asked_models_by_key(campaign)
    for who, judge in sorted(theirs.items()):
        here, model = ours.get(who), models.get(who)
        if here is not None:
            if here.kind != judge.kind:
                raise CampaignError(
                    file,
                    f"judge {judge.name!r} is of kind {judge.kind} there and {here.kind} here",
                    "people and models are never mixed under one name: export those judgments,"
                    " change the name in that file, and load it",
                )
            if model is not None and (model.model, model.rest) != known[here.key][-2:]:
                what = f"model {judge.name!r} is in this campaign with another content"
                raise CampaignError(file, what, CHANGED)
            continue
        for other in (*ours.values(), *removed):
            is_numbered = model is not None and other.kind == "model"
            if {other.name, other.first_name} & {judge.name, judge.first_name} and not is_numbered:
                raise CampaignError(
                    file,
                    f"judge {judge.name!r} of that file, first called {judge.first_name!r}, is not"
                    f" judge {other.name!r} of this one, first called {other.first_name!r}",
                    "rename one of the two (judge-tui judges rename)",
                )
        if model is None:
            ours[who] = insert_judge(campaign, judge)
        else:
            ours[who] = _added(campaign, file, judge, model)
    return ours


def _added(campaign: Campaign, file: str, judge: Judge, model: AskedModel) -> Judge:
    try:
        added = add_model_judge(
            campaign, model.called, model.identity, model.model, model.rest, judge.name
        )
    except UsageError as error:
        raise CampaignError(file, error.what, error.mend) from error
    return replace(judge, key=added.key, name=added.name, formerly=None)
