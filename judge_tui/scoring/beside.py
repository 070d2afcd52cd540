"""How much of each list is judged, beside whatever else is said of it."""

from __future__ import annotations

from collections.abc import Sequence

from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures import MEASURES
from judge_tui.scoring.names import parse_measure

__all__ = ["judged_among", "judged_beside", "shares_of"]


def judged_among(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The Judged@k that the measures hold themselves."""
    judged = MEASURES["Judged"]
    return tuple(measure for measure in measures if measure.definition is judged)


def judged_beside(measures: Sequence[Measure]) -> tuple[Measure, ...]:
    """The Judged@k to print beside measures that have none: one for each cutoff in use.

    Measures of the whole list alone are given Judged@10.
    """
    if judged_among(measures):
        return ()
    return tuple(parse_measure(f"Judged@{cutoff}") for cutoff in _cutoffs(measures) or (10,))


def shares_of(measures: Sequence[Measure], shares: Sequence[Measure]) -> tuple[Measure, ...]:
    """Those of the Judged@k in `shares` that belong beside `measures`; the first where none does.

    None where the measures hold a Judged themselves.
    """
    if judged_among(measures):
        return ()
    cutoffs = _cutoffs(measures)
    return tuple(share for share in shares if share.cutoff in cutoffs) or tuple(shares[:1])


def _cutoffs(measures: Sequence[Measure]) -> list[int]:
    return sorted({measure.cutoff for measure in measures if measure.cutoff is not None})
