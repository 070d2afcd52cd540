"""What people would grade where a model did, learnt from the pairs that both graded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.arrays import Floats, Ints

FEWEST_SHARED = 50
"""With fewer pairs that people judged, too, a model's grades stand for nothing."""


def chances_of_grades(query: Ints, by_model: Ints, grades: Ints, scale: Sequence[int]) -> Floats:
    """Return float64[pairs, grades]: how likely people give a pair each grade of the `scale`
    (ascending), by the grade that a model gave it; NaN where the model gave none.

    `query`, `by_model`, `grades`: int64[pairs], what the model and people said, below 0 for
    nothing. A chance is a share of the pairs of other queries that both graded and that the model
    graded alike, with 1 added to each count (the rule of succession: Lidstone, Transactions of the
    Faculty of Actuaries 8, 1920). A query's own grades never tell (cross-fitting: Chernozhukov et
    al., Econometrics Journal 21(1), 2018).
    """
    steps, queries = len(scale), int(query.max(initial=-1)) + 1
    at_model, at_people = np.searchsorted(scale, by_model), np.searchsorted(scale, grades)
    graded, both = by_model >= 0, (by_model >= 0) & (grades >= 0)
    cell = (query * steps + at_model) * steps + at_people
    own = np.bincount(cell[both], minlength=queries * steps**2).reshape(queries, steps, steps)
    others = own.sum(axis=0) - own + 1
    chances = np.full((len(query), steps), np.nan)
    counts = others[query[graded], at_model[graded]]
    chances[graded] = counts / counts.sum(axis=1, keepdims=True)
    return chances
