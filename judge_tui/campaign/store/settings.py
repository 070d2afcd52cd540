"""What a campaign is called, its scale, and what else was fixed when it was made."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from judge_tui.campaign.store.backend import Tables, insertion
from judge_tui.errors import UsageError, check_known
from judge_tui.model import Scale

if TYPE_CHECKING:
    from judge_tui.campaign.store.connection import Campaign


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for the whole campaign. `guidelines` is Markdown. `show_fields`: the fields of
    documents' metadata that judges see. `include_models`: whether grades of models count.
    `baseline`: tag of the run that others are compared with, "" for the first. `least_look`:
    seconds that a document is on screen before a grade counts. `share_pool`: whether one person
    judges each pair, where nothing is assigned.

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
    baseline: str = ""
    least_look: float = 0.2
    share_pool: bool = False


_LONGEST_LOOK = 60
"""Seconds; a judge who may not grade for longer would think that the keys do not work."""

_COLUMNS = tuple(one.name for one in fields(Settings))


def settings_of(campaign: Campaign) -> Settings:
    """Those of an open file."""
    columns = ", ".join(map(campaign.backend.readable, _COLUMNS))
    row = campaign.row(f"SELECT {columns} FROM campaign")
    found: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    found["scale"] = Scale.parse(found["scale"])
    found["show_fields"] = tuple(json.loads(found["show_fields"]))
    for flag in ("show_ranks", "include_models", "share_pool"):
        found[flag] = bool(found[flag])
    return Settings(**found)


def insert_settings(tables: Tables, settings: Settings) -> None:
    """Write those of a new file."""
    row = {"id": 1, **{name: getattr(settings, name) for name in _COLUMNS}}
    row["scale"] = str(settings.scale)
    row["show_fields"] = json.dumps(settings.show_fields)
    tables.execute(insertion("campaign", *row), [*row.values()])


def shown_settings(settings: Settings) -> dict[str, str]:
    """Those that can be changed, in words, by the names that they have on the command line."""
    return {
        key: setting.show(getattr(settings, setting.column)) for key, setting in _SETTINGS.items()
    }


def change_setting(campaign: Campaign, key: str, value: str) -> None:
    """Let `value` hold for a key of `shown_settings`. Raises `UsageError` for a value that it
    cannot have, and `CampaignError` where it could not be written."""
    setting = _SETTINGS[key]
    changed = {setting.column: setting.read(campaign, value)}
    stored = setting.store(changed[setting.column])
    with campaign.writing():
        campaign.execute(f"UPDATE campaign SET {setting.column} = ?", (stored,))
    campaign.settings = replace(campaign.settings, **changed)


def _any_text(_campaign: Campaign, value: str) -> str:
    return value


def _labelled(campaign: Campaign, value: str) -> Scale:
    """The same grades under other labels."""
    scale = campaign.settings.scale
    labelled = Scale.parse(value)
    if labelled.grades != scale.grades:
        grades = ", ".join(map(str, scale.grades))
        raise UsageError(
            f"the grades of the campaign stay {grades}",
            f'give each its label: judge-tui settings labels "{scale}"',
        )
    return labelled


def _tag_of_a_run(campaign: Campaign, value: str) -> str:
    tags = [tag for (tag,) in campaign.rows("SELECT tag FROM runs ORDER BY tag")]
    if value:
        check_known("run", value, tags)
    return value


def _fields(_campaign: Campaign, value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (name.strip() for name in value.split(",")))))


def _seconds(_campaign: Campaign, value: str) -> float:
    with suppress(ValueError):
        if 0 <= float(value) <= _LONGEST_LOOK:
            return float(value)
    raise UsageError(
        f"{value!r} is not a number of seconds from 0 to {_LONGEST_LOOK}", "write one, such as 0.2"
    )


def _is_on(_campaign: Campaign, value: str) -> bool:
    if value not in ("on", "off"):
        raise UsageError(f"{value!r} is not on or off", "write on or off")
    return value == "on"


def _on(value: bool) -> str:
    return "on" if value else "off"


class _Setting(NamedTuple):
    """A column of `campaign` and field of `Settings`: read as it is typed, shown, and stored."""

    column: str
    read: Callable[[Campaign, str], Any] = _any_text
    show: Callable[[Any], str] = str
    store: Callable[[Any], str | int | float] = str


_SETTINGS = {
    "name": _Setting("name"),
    "labels": _Setting("scale", _labelled),
    "guidelines": _Setting("guidelines"),
    "baseline": _Setting("baseline", _tag_of_a_run),
    "show-ranks": _Setting("show_ranks", _is_on, _on, int),
    "show-fields": _Setting("show_fields", _fields, ",".join, json.dumps),
    "least-look": _Setting("least_look", _seconds, "{:g}".format, float),
    "include-models": _Setting("include_models", _is_on, _on, int),
    "share-pool": _Setting("share_pool", _is_on, _on, int),
}
