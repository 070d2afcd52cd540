"""The lead's last word on a pair: an event like the judges' own, which stay as they are."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from judge_tui.campaign import events
from judge_tui.campaign.events import Event
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.judges import Judge, all_judges
from judge_tui.campaign.kept_settlings import kept_settlings
from judge_tui.errors import CampaignError, UsageError

__all__ = [
    "Settlement",
    "redo_settling",
    "settle",
    "settlement_of",
    "settlements_of",
    "undo_settling",
]


@dataclass(frozen=True, slots=True)
class Settlement:
    """The grade that a lead, `judge`, gave a pair for good, and the `reason`, "" where none is
    given. `holds`: nobody settled the pair later."""

    judge: Judge
    grade: int
    reason: str
    holds: bool


def settle(campaign: Campaign, lead: Judge, pair: int, grade: int, reason: str = "") -> Event:
    """Give a pair (a key) its final grade; when this returns, that is on disk.

    Settled again, with another grade or reason, the later one holds. Raises `UsageError` for a
    grade that is not on the campaign's scale, and `CampaignError` where it could not be written.
    """
    scale = campaign.settings.scale
    if grade not in scale:
        grades = ", ".join(map(str, scale.grades))
        raise UsageError(f"grade {grade} is not on the campaign's scale", f"give one of {grades}")
    event = events.append_event(
        campaign, judge=lead.key, pair=pair, action="adjudicate", grade=grade, note=reason
    )
    _hold(campaign, lead, event)
    return event


def undo_settling(campaign: Campaign, lead: Judge) -> Event | None:
    """Take back what this lead settled last; returns that event, None where there is none.

    What the lead graded as a judge is not touched, nor what another lead settled.
    """
    event = events.undo(campaign, lead.key, settling=True)
    _hold(campaign, lead, event)
    return event


def redo_settling(campaign: Campaign, lead: Judge) -> Event | None:
    """Settle again what this lead took back last, if nothing was settled since."""
    event = events.redo(campaign, lead.key, settling=True)
    _hold(campaign, lead, event)
    return event


def _hold(campaign: Campaign, lead: Judge, event: Event | None) -> None:
    """Hold in memory, too, what is settled of the pair of an event that was written."""
    if event is not None:
        # What was done is in the file. Where that is lost right now, the next step tells.
        with contextlib.suppress(CampaignError):
            kept_settlings(campaign, lead).hold(campaign, event.pair)


def settlements_of(campaign: Campaign, pair: int) -> list[Settlement]:
    """Every settling of a pair (a key) that was not taken back, oldest first; the last holds."""
    judges = {judge.key: judge for judge in all_judges(campaign)}
    rows = campaign.rows(
        "SELECT judge, grade, note FROM live_events WHERE pair = ? AND action = 'adjudicate'"
        " ORDER BY id",
        (pair,),
    )
    return [
        Settlement(judges[judge], grade, reason, holds=place == len(rows))
        for place, (judge, grade, reason) in enumerate(rows, 1)
    ]


def settlement_of(campaign: Campaign, pair: int) -> Settlement | None:
    """The settling of a pair that holds, None where it is not settled."""
    found = settlements_of(campaign, pair)
    return found[-1] if found else None
