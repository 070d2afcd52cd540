"""A judge's own numbers, from that judge's own events: pace, grades, repeats, flags.

What is read here is shown while judging: like the desk, it touches nothing that another judge did,
and nothing of runs and ranks.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.event import DECISIONS

__all__ = [
    "PACE_WINDOW",
    "REPEATS_AT_ONCE",
    "GradeCount",
    "JudgeStatistics",
    "all_seconds",
    "judge_statistics",
    "quickly_counted",
    "recent_seconds",
]


_MANY_EVENTS = 5_000
REPEATS_AT_ONCE = 5
"""Repeats are told in steps of so many: a count that grew with one document would give it away as a
repeat."""


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


def quickly_counted(campaign: Campaign, judge: int) -> bool:
    """Whether nobody would notice that the judge's events are counted."""
    rows = campaign.rows(
        "SELECT count(*) FROM (SELECT 1 FROM events WHERE judge = ? LIMIT ?)",
        (judge, _MANY_EVENTS),
    )
    return bool(rows[0][0] < _MANY_EVENTS)


def judge_statistics(campaign: Campaign, judge: int) -> JudgeStatistics:
    """Count everything that the judge with that key did, as of one moment."""
    with campaign.reading():
        counts = {"grade": 0, "skip": 0, "cannot": 0}
        by_grade: dict[int, tuple[int, list[float]]] = {}
        for action, grade, looked in campaign.rows(
            "SELECT action, grade, looked FROM decisions WHERE judge = ?"
            " UNION ALL SELECT action, grade, looked FROM repeats WHERE judge = ?",
            (judge, judge),
        ):
            counts[action] += 1
            if grade is not None:
                count, times = by_grade.get(grade, (0, []))
                if looked is not None:
                    times.append(looked)
                by_grade[grade] = (count + 1, times)
        all_looked = all_seconds(campaign, judge)
        return JudgeStatistics(
            graded=counts["grade"],
            skipped=counts["skip"],
            cannot=counts["cannot"],
            flagged=_flagged(campaign, judge),
            looked=_looked(campaign, judge),
            recent=tuple(recent_seconds(campaign, judge)),
            median=statistics.median(all_looked) if all_looked else None,
            by_grade={
                grade: GradeCount(count, statistics.median(times) if times else None)
                for grade, (count, times) in sorted(by_grade.items())
            },
            repeats=tuple(_repeats(campaign, judge)),
        )


def _looked(campaign: Campaign, judge: int) -> float:
    rows = campaign.rows(
        f"SELECT total(looked) FROM events WHERE judge = ? AND action IN {DECISIONS}",
        (judge,),
    )
    return float(rows[0][0])


def _flagged(campaign: Campaign, judge: int) -> int:
    rows = campaign.rows(
        "SELECT count(*) FROM judgments WHERE judge = ? AND flagged",
        (judge,),
    )
    return int(rows[0][0])


def _repeats(campaign: Campaign, judge: int) -> list[tuple[int, int]]:
    """First and later grades, oldest first, as many as are told."""
    rows = campaign.rows(
        "SELECT d.grade, r.grade FROM repeats AS r"
        " JOIN decisions AS d ON d.judge = r.judge AND d.pair = r.pair"
        " WHERE r.judge = ? AND d.judge = ? AND r.grade IS NOT NULL AND d.grade IS NOT NULL"
        " ORDER BY r.id",
        (judge, judge),
    )
    return rows[: len(rows) // REPEATS_AT_ONCE * REPEATS_AT_ONCE]


PACE_WINDOW = 20
# So far back decisions are looked through for twenty first ones.
_REACH = 200


def recent_seconds(campaign: Campaign, judge: int) -> list[float]:
    """Seconds looked at each of the last twenty documents decided, latest first.

    A decision that was undone does not count, nor does one that replaces an earlier one: looking
    again takes less time than a new document does.
    """
    rows = campaign.rows(
        "SELECT e.looked FROM ("
        "  SELECT id, judge, pair, turn, looked FROM live_events"
        f" WHERE judge = ? AND action IN {DECISIONS} ORDER BY id DESC LIMIT {_REACH}"
        ") AS e WHERE e.looked IS NOT NULL AND NOT EXISTS ("
        "  SELECT 1 FROM live_events AS f WHERE f.judge = e.judge AND f.pair = e.pair"
        f" AND f.turn = e.turn AND f.action IN {DECISIONS} AND f.id < e.id"
        f") ORDER BY e.id DESC LIMIT {PACE_WINDOW}",
        (judge,),
    )
    return [looked for (looked,) in rows]


def all_seconds(campaign: Campaign, judge: int) -> list[float]:
    """Seconds looked at every document decided, in no order, counted as by `recent_seconds`."""
    # With min(), SQLite takes the other columns from the row that holds the minimum.
    rows = campaign.rows(
        "SELECT looked FROM ("
        "  SELECT min(id), looked FROM live_events"
        f" WHERE judge = ? AND action IN {DECISIONS} GROUP BY pair, turn"
        ") WHERE looked IS NOT NULL",
        (judge,),
    )
    return [looked for (looked,) in rows]
