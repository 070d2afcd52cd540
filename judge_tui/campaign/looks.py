"""What holds of all that was done with one pair, look by look."""

from __future__ import annotations

from dataclasses import dataclass, replace

from judge_tui.campaign.events import DECISIONS
from judge_tui.campaign.file import Campaign

__all__ = ["SETTLED", "Look", "looks_of"]

SETTLED = "adjudicate"
"""The decision of a lead."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one judge did with a pair at one look, or what a lead settled: what a `Judgment` says of
    it, in the same order."""

    purpose: str = ""
    decision: str | None = None
    grade: int | None = None
    note: str = ""
    flagged: bool = False
    seconds: float | None = None
    written_at: str = ""


def looks_of(
    campaign: Campaign, pair: int
) -> tuple[dict[tuple[int, int], Look], tuple[int, Look] | None]:
    """Of a pair (a key): by the key of the judge and the turn, 1 for a hidden repeat, every look at
    which something was done that holds; and what is settled, by the key of the lead, if it is."""
    looks: dict[tuple[int, int], Look] = {}
    settled = None
    for key, turn, action, grade, note, looked, written_at, purpose in campaign.rows(
        "SELECT e.judge, e.turn, action, grade, note, looked, written_at, a.purpose"
        " FROM live_events AS e LEFT JOIN assignments AS a"
        " ON a.judge = e.judge AND a.pair = e.pair AND a.turn = e.turn"
        " WHERE e.pair = ? ORDER BY e.id",
        (pair,),
    ):
        if action == SETTLED:
            settled = key, Look("", action, grade, note, seconds=looked, written_at=written_at)
            continue
        look = looks.get((key, turn))
        if look is None:
            look = Look(purpose or ("repeat" if turn else "normal"), written_at=written_at)
        if action in DECISIONS:
            look = replace(look, decision=action, grade=grade)
            look = replace(look, seconds=looked, written_at=written_at)
        elif action == "comment":
            look = replace(look, note=note)
        else:
            look = replace(look, flagged=action == "flag")
        looks[key, turn] = look
    # A flag or note that was taken back leaves nothing.
    held = {at: one for at, one in looks.items() if one.decision or one.note or one.flagged}
    return held, settled
