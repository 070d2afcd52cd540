"""What a campaign is called, its scale, and what else was fixed when it was made."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from judge_tui.campaign.store.errors_in_words import RESTORE
from judge_tui.errors import CampaignError, UsageError
from judge_tui.model import Scale

if TYPE_CHECKING:
    from judge_tui.campaign.store.connection import Campaign

__all__ = ["Settings", "change_setting", "settings_of", "shown_settings"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for the whole campaign. `guidelines` is Markdown. `show_fields`: the fields of
    documents' metadata that judges see. `include_models`: whether grades of models count.

    `campaign_id` is the same in every copy of the file, and in no other campaign.
    """

    campaign_id: str
    name: str
    scale: Scale
    guidelines: str
    seed: int
    show_ranks: bool
    created: str
    show_fields: tuple[str, ...] = ()
    include_models: bool = False


def settings_of(path: Path, connection: sqlite3.Connection) -> Settings:
    """Those of an open file. Raises `CampaignError` where it has none, and what SQLite raises."""
    row = connection.execute(
        "SELECT campaign_id, name, scale, guidelines, seed, show_ranks, created,"
        " show_fields, include_models FROM campaign"
    ).fetchone()
    if row is None:
        raise CampaignError(path, "the campaign's settings are missing", RESTORE)
    key, name, scale, guidelines, seed, show_ranks, created, fields, models = row
    return Settings(
        key,
        name,
        Scale.parse(scale),
        guidelines,
        seed,
        bool(show_ranks),
        created,
        tuple(json.loads(fields)),
        bool(models),
    )


def shown_settings(settings: Settings) -> dict[str, str]:
    """Those that can be changed, in words, by the names that they have on the command line."""
    return {
        "name": settings.name,
        "labels": str(settings.scale),
        "guidelines": settings.guidelines,
        "show-ranks": _on(settings.show_ranks),
        "show-fields": ",".join(settings.show_fields),
        "include-models": _on(settings.include_models),
    }


def change_setting(campaign: Campaign, key: str, value: str) -> None:
    """Let `value` hold for a key of `shown_settings`. Raises `UsageError` for a value that it
    cannot have, and `CampaignError` where it could not be written."""
    settings = campaign.settings
    match key:
        case "name":
            settings = replace(settings, name=value)
        case "labels":
            settings = replace(settings, scale=_labelled(settings.scale, value))
        case "guidelines":
            settings = replace(settings, guidelines=value)
        case "show-ranks":
            settings = replace(settings, show_ranks=_is_on(key, value))
        case "show-fields":
            fields = dict.fromkeys(filter(None, (name.strip() for name in value.split(","))))
            settings = replace(settings, show_fields=tuple(fields))
        case "include-models":
            settings = replace(settings, include_models=_is_on(key, value))
    with campaign.writing() as connection:
        connection.execute(
            "UPDATE campaign SET name = ?, scale = ?, guidelines = ?, show_ranks = ?,"
            " show_fields = ?, include_models = ?",
            (
                settings.name,
                str(settings.scale),
                settings.guidelines,
                int(settings.show_ranks),
                json.dumps(settings.show_fields),
                int(settings.include_models),
            ),
        )
    campaign.settings = settings


def _on(value: bool) -> str:
    return "on" if value else "off"


def _labelled(scale: Scale, value: str) -> Scale:
    """The same grades under other labels."""
    labelled = Scale.parse(value)
    if labelled.grades != scale.grades:
        grades = ", ".join(map(str, scale.grades))
        raise UsageError(
            f"the grades of the campaign are {grades}, and stay so",
            f'give each its label: judge-tui settings labels "{scale}"',
        )
    return labelled


def _is_on(key: str, value: str) -> bool:
    if value not in ("on", "off"):
        raise UsageError(f"{key} is on or off, not {value!r}", f"judge-tui settings {key} on")
    return value == "on"
