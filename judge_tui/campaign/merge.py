"""Bringing together what judges did on copies of one campaign.

A merge is a union by text ids and event ids, all of the named files or nothing. It can be repeated
and done in any order: the same events come out, and the same exports. Undo and redo name events, so
they need no rule; where one judge decided a pair on two machines, or leads settled it on two, the
later event holds, as it does on one machine. But a grade of a file takes nothing back that the
judge decided in the app where its load did not know of that (`overruled` in the schema). Where such
a grade gives way, a skip in the app that it had replaced holds again, be it over an earlier grade
of another copy: in which of the two it was pressed no event tells, and in that one the judge would
have put the grade off. Two queries that got one id on two machines have no union: which of them the
id is would hang on the order, so the merge is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from judge_tui.campaign.coming_queries import coming_queries
from judge_tui.campaign.doubled_queries import told_of_doubled
from judge_tui.campaign.file import Campaign, Settings
from judge_tui.campaign.incoming import incoming, stage
from judge_tui.campaign.judges import all_judges, near_names
from judge_tui.campaign.look_alikes import last_document, told_of_new
from judge_tui.campaign.queries import all_queries
from judge_tui.campaign.snapshot import snapshot
from judge_tui.campaign.union import (
    Came,
    Conflict,
    DecidedOtherwise,
    SettledOtherwise,
    join,
    shortened,
)
from judge_tui.errors import CampaignError
from judge_tui.model import Query

__all__ = ["Came", "Conflict", "DecidedOtherwise", "Merged", "SettledOtherwise", "merge"]


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
                doubled, last = _told_of_doubled(campaign, source), last_document(campaign)
                brought, differing = join(
                    connection,
                    source,
                    str(name),
                    events,
                    assigned=assigned,
                    skip_other_queries=skip_other_queries,
                )
                told = (*doubled, *told_of_new(campaign, last))
                near = _near_names(campaign, names)
                came.append(replace(brought, near_names=near, told=told))
                conflicts += differing
    return Merged(tuple(came), tuple(conflicts))


def _told_of_doubled(campaign: Campaign, source: int) -> tuple[str, ...]:
    """What is to be told of new queries among those staged under the number `source` that have
    texts which are here under other ids, as where both sides added one query."""
    if not campaign.rows(_NEW_QUERIES, (source,)):
        return ()
    rows = campaign.rows(_THEIR_QUERIES, (source,))
    known = all_queries(campaign)
    theirs = [(key, Query(query_id, text)) for key, query_id, text in rows]
    return tuple(told_of_doubled(known, coming_queries(known, theirs)))


_NEW_QUERIES = (
    "SELECT 1 FROM temp.incoming_queries WHERE source = ?"
    " AND query_id NOT IN (SELECT query_id FROM main.queries) LIMIT 1"
)
_THEIR_QUERIES = (
    "SELECT key, query_id, text FROM temp.incoming_queries WHERE source = ? ORDER BY key"
)


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
