"""What holds of all that was done with one pair, look by look."""

from __future__ import annotations

from dataclasses import dataclass

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
    looks = {}
    for key, turn, *held, purpose in campaign.rows(
        "SELECT j.judge, j.turn, decision, grade, note, flagged, seconds, written_at, a.purpose"
        " FROM judgments AS j LEFT JOIN assignments AS a"
        " ON a.judge = j.judge AND a.pair = j.pair AND a.turn = j.turn WHERE j.pair = ?",
        (pair,),
    ):
        decision, grade, note, flagged, seconds, written_at = held
        why = purpose or ("repeat" if turn else "normal")
        looks[key, turn] = Look(why, decision, grade, note, bool(flagged), seconds, written_at)
    settled = None
    for key, grade, note, written_at, seconds in campaign.rows(
        "SELECT a.judge, a.grade, a.note, a.written_at, e.looked FROM adjudications AS a"
        " JOIN events AS e ON e.id = a.event WHERE a.pair = ?",
        (pair,),
    ):
        settled = key, Look("", SETTLED, grade, note, seconds=seconds, written_at=written_at)
    return looks, settled
