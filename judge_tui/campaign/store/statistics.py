"""A judge's own numbers, from that judge's own events: pace, grades, repeats, flags.

What is read here is shown while judging: like the desk, it touches nothing that another judge did,
and nothing of runs and ranks.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import DECISIONS

PACE_WINDOW = 20
# So far back decisions are looked through for twenty first ones.
_REACH = 200
REPEATS_AT_ONCE = 5
"""The number of repeats grows in steps of so many: one that grew with one document would give it
away as a repeat."""


@dataclass(frozen=True, slots=True)
class GradeCount:
    """How often a grade holds, and the median seconds looked before it was given; None where no
    time is known."""

    count: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class JudgeStatistics:
    """What one judge has done so far, hidden repeats included. Times are in seconds.

    `by_grade` counts the decisions that hold: of those given one after the other on one document,
    the last that is not undone. `looked` is the time looked at documents until each decision, those
    undone and those replaced included; `recent` the times of the last twenty documents, latest
    first, `median` the median of all of them: both by the first decision on each document.
    `repeats` holds the first and the later grade of pairs that came twice.
    """

    graded: int
    skipped: int
    cannot: int
    flagged: int
    looked: float
    recent: tuple[float, ...]
    median: float | None
    by_grade: Mapping[int, GradeCount]
    repeats: tuple[tuple[int, int], ...]

    @property
    def decided(self) -> int:
        """Documents with a decision that holds."""
        return self.graded + self.skipped + self.cannot


def judge_statistics(campaign: Campaign, judge: int) -> JudgeStatistics:
    """Count everything that the judge with that key did, as of one moment."""
    with campaign.reading():
        judgments = campaign.rows(
            "SELECT pair, turn, decision, grade, seconds, flagged, first_seconds FROM judgments"
            " WHERE judge = ? ORDER BY event",
            (judge,),
        )
        [looked] = campaign.row(
            f"SELECT coalesce(sum(looked), 0.0) FROM events WHERE judge = ? AND {_IS_DECISION}",
            (judge,),
        )
        recent = recent_seconds(campaign, judge)
    decisions = Counter(decision for _, _, decision, *_ in judgments)
    grades: dict[int, list[float | None]] = {}
    by_turn: tuple[dict[int, int], dict[int, int]] = {}, {}
    for pair, turn, _, grade, seconds, _, _ in judgments:
        if grade is not None:
            grades.setdefault(grade, []).append(seconds)
            by_turn[turn][pair] = grade
    first, later = by_turn
    repeats = [(first[pair], grade) for pair, grade in later.items() if pair in first]
    return JudgeStatistics(
        graded=decisions["grade"],
        skipped=decisions["skip"],
        cannot=decisions["cannot"],
        flagged=sum(flagged for *_, flagged, _ in judgments),
        looked=looked,
        recent=tuple(recent),
        median=_median(seconds for *_, seconds in judgments),
        by_grade={
            grade: GradeCount(len(seconds), _median(seconds))
            for grade, seconds in sorted(grades.items())
        },
        repeats=tuple(repeats[: len(repeats) // REPEATS_AT_ONCE * REPEATS_AT_ONCE]),
    )


def _median(seconds: Iterable[float | None]) -> float | None:
    known = [one for one in seconds if one is not None]
    return statistics.median(known) if known else None


def recent_seconds(campaign: Campaign, judge: int) -> list[float]:
    """Seconds looked at each of the last twenty documents decided, latest first.

    A decision that was undone does not count, nor does one that replaces an earlier one: looking
    again takes less time than a new document does.
    """
    rows = campaign.rows(
        "SELECT j.first_seconds FROM ("
        f"  SELECT id, judge, pair, turn FROM events WHERE judge = ? AND {_IS_DECISION}"
        f"  ORDER BY id DESC LIMIT {_REACH}"
        ") AS e JOIN judgments AS j ON j.judge = e.judge AND j.pair = e.pair AND j.turn = e.turn"
        " WHERE j.first_decision = e.id AND j.first_seconds IS NOT NULL"
        f" ORDER BY e.id DESC LIMIT {PACE_WINDOW}",
        (judge,),
    )
    return [seconds for (seconds,) in rows]


_IS_DECISION = f"action IN {DECISIONS}"
