"""The registry of bounds: by name of the measure its strategy, or why there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from judge_tui.scoring.bounds.direction import (
    one_way,
    one_way_each_side,
    one_way_up_to_the_greatest,
)
from judge_tui.scoring.bounds.found import (
    average_precision,
    inferred_precision,
    smoothed_precision,
)
from judge_tui.scoring.bounds.gain import can_lose, discounted_gain
from judge_tui.scoring.bounds.interpolated import (
    interpolated_precision,
    mean_interpolated_precision,
)
from judge_tui.scoring.bounds.precision_at import precision_at_multiple, precision_at_r
from judge_tui.scoring.bounds.preferences import binary_gain, preferences
from judge_tui.scoring.bounds.unjudged import Grading, Unjudged
from judge_tui.scoring.measure import Measure

__all__ = ["STRATEGIES", "Strategy", "strategy_of"]

Strategy: TypeAlias = Callable[[Unjudged, Measure], tuple[Grading, Grading]]
"""The gradings with the least and with the greatest value, in either order; asked for only where at
least one document is unjudged.
"""

_ABOUT_JUDGING = "it says how much is judged, which no grade changes"
_ENTANGLED = "what a document is worth depends on the grades of the others in ways not bounded here"
_LOSSES = "a gain below 0 counts in the list and not in the ideal, which is not bounded here"
_OF_ORDER = "it is about what comes first, which no grade changes"
_UNKNOWN = "nobody has said how to bound it"

STRATEGIES: dict[str, Strategy | str] = {
    "nDCG": discounted_gain,
    "RR": one_way,
    "P": one_way,
    "R": one_way_each_side,
    "AP": average_precision,
    "Success": one_way,
    "Judged": _ABOUT_JUDGING,
    "Unjudged": _ABOUT_JUDGING,
    "Rprec": precision_at_r,
    "Bpref": preferences,
    "infAP": inferred_precision,
    "RBP": one_way,
    "RBPResidual": _ABOUT_JUDGING,
    "ERR": one_way_up_to_the_greatest,
    "SetP": one_way,
    "SetR": one_way,
    "SetF": one_way,
    "SetAP": one_way,
    "SetRelP": one_way,
    "IPrec": interpolated_precision,
    "IPrecAvg": mean_interpolated_precision,
    "GMAP": average_precision,
    "GMBpref": preferences,
    "NumQ": one_way,
    "NumRet": one_way,
    "NumRel": one_way,
    "NumRelRet": one_way,
    "NumNonrelRet": one_way,
    "RelP": one_way_each_side,
    "RprecMult": precision_at_multiple,
    "nDCGRel": _ENTANGLED,
    "Rndcg": _ENTANGLED,
    "G": _ENTANGLED,
    "BinG": binary_gain,
    "YAAP": smoothed_precision,
    "Utility": one_way,
    "Prefer": _OF_ORDER,
    "Authority": _OF_ORDER,
}


def strategy_of(measure: Measure) -> Strategy | str:
    """The strategy of a measure with these parameters, or why there is none."""
    strategy = STRATEGIES.get(measure.definition.name, _UNKNOWN)
    return _LOSSES if strategy is discounted_gain and can_lose(measure) else strategy
