"""Bringing together what judges did on copies of one campaign.

A merge is a union by text ids and event ids, all of the named files or nothing. It can be repeated
and done in any order: the same events come out, and the same exports. Undo and redo name events, so
they need no rule; where one judge decided a pair on two machines, or leads settled it on two, the
later event holds, as it does on one machine. Two queries that got one id on two machines have no
union: which of them the id is would hang on the order, so the merge is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.incoming import incoming, stage
from judge_tui.campaign.judges import all_judges, near_names
from judge_tui.campaign.snapshot import snapshot
from judge_tui.campaign.union import Came, Conflict, SettledOtherwise, join, shortened
from judge_tui.errors import CampaignError

__all__ = ["Came", "Conflict", "Merged", "SettledOtherwise", "merge"]


@dataclass(frozen=True, slots=True)
class Merged:
    """What came, file by file, and every value that differs; see `Came` and `Conflict`."""

    files: tuple[Came, ...]
    conflicts: tuple[Conflict, ...]


def merge(
    campaign: Campaign,
    paths: Sequence[str | os.PathLike[str]],
    *,
    skip_other_queries: bool = False,
    on_file: Callable[[str], None] = lambda _name: None,
    on_write: Callable[[str], None] = lambda _name: None,
) -> Merged:
    """Add to the campaign what the files have of it: copies of its file, or bundles of it.

    The files are never changed. The campaign is held only while what they bring is written, in one
    transaction. `on_file` is called with the name of each file before it is read, `on_write` before
    what it brings is written, while the campaign is held. Raises `CampaignError` where a file is no
    campaign, another one, of another scale, damaged, or holds what judge_tui does not write, and
    where a query of it is another one here (`other_queries`), unless all that the file has of such
    queries is to be left out (`skip_other_queries`); nothing is merged then.
    """
    conflicts: list[Conflict] = []
    came: list[Came] = []
    with incoming(campaign) as connection:
        there: list[int | None] = []
        for source, name in enumerate(paths):
            path = Path(name)
            if path.exists() and path.samefile(campaign.path):
                there.append(None)
                continue
            on_file(str(path))
            with snapshot(path) as copy:
                _refuse_another_campaign(path, campaign.settings, copy.settings)
                conflicts += _other_settings(str(path), campaign.settings, copy.settings)
                there.append(stage(connection, source, copy.path))
        with campaign.writing():
            assigned = bool(campaign.rows("SELECT 1 FROM assignments LIMIT 1"))
            for source, (name, events) in enumerate(zip(paths, there, strict=True)):
                if events is None:
                    came.append(Came(str(name), itself=True))
                    continue
                on_write(str(name))
                names = {judge.name for judge in all_judges(campaign)}
                brought, told = join(
                    connection,
                    source,
                    str(name),
                    events,
                    assigned=assigned,
                    skip_other_queries=skip_other_queries,
                )
                came.append(replace(brought, near_names=_near_names(campaign, names)))
                conflicts += told
    return Merged(tuple(came), tuple(conflicts))


def _near_names(campaign: Campaign, before: Set[str]) -> dict[str, tuple[str, ...]]:
    """By judge who is not of `before`, the names there that may be the same person's."""
    found = {
        judge.name: tuple(name for name in near_names(campaign, judge.name) if name in before)
        for judge in all_judges(campaign)
        if judge.name not in before
    }
    return {name: near for name, near in found.items() if near}


def _refuse_another_campaign(path: Path, ours: Settings, theirs: Settings) -> None:
    if theirs.campaign_id != ours.campaign_id:
        what = (
            f"is another campaign of the same name, {ours.name!r}"
            if theirs.name == ours.name
            else f"belongs to the campaign {theirs.name!r}, and this is {ours.name!r}"
        )
        raise CampaignError(path, what, "merge copies of this campaign's file, or its bundles")
    if theirs.scale != ours.scale:
        raise CampaignError(
            path,
            f'its scale is "{theirs.scale}", and here it is "{ours.scale}"',
            "grades of two scales mean different things and are not merged",
        )


def _other_settings(file: str, ours: Settings, theirs: Settings) -> list[Conflict]:
    return [
        Conflict(file, "campaign", ours.name, name, shortened(here), shortened(there))
        for name in ("name", "guidelines", "seed", "show_ranks")
        if (here := str(getattr(ours, name))) != (there := str(getattr(theirs, name)))
    ]
