"""Everything that was worked out for a leaderboard, run by run and measure by measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judge_tui.analysis.asked import Basis
    from judge_tui.analysis.bounds import LooseEnds
    from judge_tui.analysis.leaderboard import Intervals, Leaderboard, RunRow, Verdicts
    from judge_tui.scoring import Measure
    from judge_tui.significance import Comparison

__all__ = ["WorkedOut", "adjusted"]

_DETAILED = 60
"""Rows of detail beyond those of the first measure."""


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What there is; a part that was not worked out is None. `by`: the measure that comes first."""

    board: Leaderboard
    basis: Basis
    intervals: Intervals | None
    loose: LooseEnds | None
    verdicts: Verdicts | None
    by: Measure

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Those that are shown in detail, the first one first."""
        return (self.by, *(one for one in self.board.measures if one != self.by))

    @property
    def every(self) -> tuple[Measure, ...]:
        """These and the shares judged."""
        return tuple(dict.fromkeys([*self.board.measures, *self.board.shares]))

    @property
    def order(self) -> tuple[RunRow, ...]:
        """The runs, best first."""
        return self.board.by(self.by)

    @property
    def has_room(self) -> bool:
        """Whether a reader's table can have every measure in detail."""
        return (len(self.measures) - 1) * len(self.board.rows) <= _DETAILED

    def compares(self, measure: Measure) -> bool:
        """Whether runs may be compared by the measure."""
        return self.verdicts is not None and measure.definition.quality

    @property
    def common(self) -> Mapping[str, int]:
        """The runs that are compared over other queries than means are: tag -> over how many."""
        return {} if self.verdicts is None else self.verdicts.common

    def interval(self, row: RunRow, measure: Measure) -> tuple[float, float] | None:
        """Of the mean."""
        if self.intervals is None:
            return None
        return self.intervals.of.get(measure.name, {}).get(row.tag)

    def bounds(self, row: RunRow, measure: Measure) -> tuple[float, float] | None:
        """What unjudged documents leave open."""
        return self.loose.of.get(measure.name, {}).get(row.tag) if self.loose is not None else None

    def comparison(self, row: RunRow, measure: Measure) -> Comparison | None:
        """With the baseline."""
        return None if self.verdicts is None else self.verdicts.of.get((row.tag, measure.name))


def adjusted(found: Comparison) -> float | None:
    """The p that the verdict was given by."""
    return next(iter(found.p_adjusted.values()))
