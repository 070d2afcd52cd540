"""The lead's last word on a pair: an event like the judges' own, which stay as they are."""

from __future__ import annotations

from dataclasses import dataclass

from judge_tui.campaign.store import events
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import Event
from judge_tui.campaign.store.judges import Judge, all_judges
from judge_tui.errors import UsageError


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The final grade that a lead, `judge`, gave a pair, and the `reason`, "" where there is none.
    `holds`: nobody settled the pair later."""

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
        raise UsageError(scale.off_scale(grade), "give one of these")
    return events.append_event(
        campaign, judge=lead.key, pair=pair, action="adjudicate", grade=grade, note=reason
    )


def undo_adjudication(campaign: Campaign, lead: Judge) -> Event | None:
    """Undo this lead's latest adjudication that holds; returns that event, None without one.

    The lead's own judgments stay, and so do adjudications of other leads.
    """
    return events.undo(campaign, lead.key, adjudications=True)


def redo_adjudication(campaign: Campaign, lead: Judge) -> Event | None:
    """Redo what this lead undid last, if the lead settled nothing since."""
    return events.redo(campaign, lead.key, adjudications=True)


def adjudications_of(campaign: Campaign, pair: int) -> list[Adjudication]:
    """All adjudications of a pair (a key) that were not undone, oldest first; the last holds."""
    judges = {judge.key: judge for judge in all_judges(campaign)}
    settled = events.adjudication_events(campaign, pair)
    return [
        Adjudication(judges[one.judge], one.grade, one.note, holds=one is settled[-1])
        for one in settled
        if one.grade is not None
    ]


def adjudication_of(campaign: Campaign, pair: int) -> Adjudication | None:
    """The adjudication of a pair that holds, None where it is not settled."""
    found = adjudications_of(campaign, pair)
    return found[-1] if found else None


def adjudications_by_lead(campaign: Campaign) -> dict[str, int]:
    """Lead -> how many pairs have the grade that this one gave for good, by name."""
    rows = campaign.rows(
        "SELECT j.name, count(*) FROM adjudications AS a JOIN judges AS j ON j.id = a.judge"
        " GROUP BY j.id ORDER BY j.name"
    )
    return dict(rows)


def adjudications(campaign: Campaign) -> dict[int, Adjudication]:
    """Pair (a key) -> how it is settled, of all that are."""
    judges = {judge.key: judge for judge in all_judges(campaign)}
    rows = campaign.rows("SELECT pair, judge, grade, note FROM adjudications ORDER BY pair")
    return {
        pair: Adjudication(judges[judge], grade, reason, holds=True)
        for pair, judge, grade, reason in rows
    }
