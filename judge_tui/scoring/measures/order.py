"""Prefer and Authority: whether what the answers want first comes first (`scoring.order`)."""

from __future__ import annotations

from judge_tui.errors import UsageError
from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.seen import Seen

__all__ = ["AUTHORITY", "PREFER"]


def _of_grades(_seen: Seen, measure: Measure) -> float:
    raise UsageError(
        f"{measure} is about the order of results, of which grades say nothing",
        "judge-tui score and compare measure it, by answers that say what is to come first",
    )


PREFER = Definition(
    name="Prefer",
    summary="1 where a document of the better kind precedes any worse one, else 0; by answers",
    value=_of_grades,
    cutoff="none",
    own_depth=True,
    of_order=True,
)

AUTHORITY = Definition(
    name="Authority",
    summary="1 where result 1 is of the highest source in the list, else 0; by answers",
    value=_of_grades,
    cutoff="none",
    own_depth=True,
    of_order=True,
)
