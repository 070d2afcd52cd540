"""nDCG of many lists at once."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.scoring.at_once.lists import Lists
from judge_tui.scoring.measure import Measure
from judge_tui.scoring.measures.ndcg import gain_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ndcg"]


def ndcg(lists: Lists, measure: Measure) -> NDArray[np.float64]:
    """`measures.ndcg`, added up rank by rank as there, so that not even the last digit differs."""
    gain = gain_of(measure)
    gains = np.array([gain(grade) for grade in range(lists.known.shape[1])])
    # Two more at the end, which is where UNJUDGED and NOTHING look.
    padded = np.append(gains, [0.0, 0.0])
    total = np.zeros(len(lists.grades))
    for place, grades in enumerate(lists.within(measure.depth).T):
        total += (padded / log2(place + 2))[grades]
    ideal = _ideal(lists.known, gains, measure.depth)[lists.query]
    return np.divide(total, ideal, out=np.zeros(len(total)), where=ideal != 0)


def _ideal(known: NDArray[np.int64], gains: NDArray[np.float64], depth: int) -> NDArray[np.float64]:
    """float64[queries]: the gain of the best list of each query."""
    best_first = [grade for grade in np.argsort(-gains, kind="stable") if gains[grade] > 0]
    total = np.zeros(len(known))
    if not best_first:
        return total
    # How many documents gain so much or more: at rank r stands the first grade that reaches r.
    reached = known[:, best_first].cumsum(axis=1)
    best = np.append(gains[best_first], 0.0)
    for rank in range(1, min(depth, int(reached[:, -1].max(initial=0))) + 1):
        total += best[(reached < rank).sum(axis=1)] / log2(rank + 1)
    return total
