"""A mean over the queries that people judged, made more exact by a model that judged more of them.

The model may be wrong: how far, is seen on the queries that people judged, too, and made up for. So
the estimate is right whatever the model says, and the interval is narrower the more alike both are.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.comparison.power import critical_t
from judge_tui.comparison.settings import FEWEST_QUERIES
from judge_tui.counts import counted


class PredictionPowered(NamedTuple):
    """A mean, or a mean difference: the `estimate` with its `variance` and its 95 % interval,
    `ci95`.

    `queries`: how many people judged and the model, too; `more`: how many the model alone judged.
    `weight`: of the model, lambda, from 0 to 1. `correlation`: of both over `queries`. `worth`:
    over how many judged queries, more than `queries`, a plain mean would be as exact.
    """

    estimate: float
    ci95: tuple[float, float]
    variance: float
    weight: float
    correlation: float
    queries: int
    more: int
    worth: float


def prediction_powered(
    people: Floats, model: Floats, model_alone: Floats
) -> PredictionPowered | str:
    """Return the mean of what `people` say, made more exact by a model, or why there is none.

    `people`, `model`: float64[n], what both say of the queries that people judged; `model_alone`:
    float64[N], what the model says of others. All are drawn from the same queries.

    With Y, F and F' in this order, the estimate is mean(Y) + λ (mean(F') − mean(F)), its variance
    var(Y − λF) / n + λ² var(F) / N, and λ = cov(Y, F) / ((1 + n/N) var(F)), cut to 0 to 1, by which
    this is least (Angelopoulos, Duchi & Zrnic, PPI++: Efficient prediction-powered inference,
    arXiv:2311.01453, 2023). The variance of F is that over all n + N queries. Mean and λ are both
    fitted, so the squares of Y − λF are divided by n − 2, and the interval is that of t with as
    many degrees of freedom. (The authors' ppi-python divides by n, so that its λ is (n − 1) / n of
    this one, and takes normal limits: of ten queries its 95 % intervals hold the truth in 90 %.)
    Where the correlation is no greater than 1 / √(n − 2), the model adds more error than it takes
    away (Mani, Xu, Lipton & Oberst, No free lunch: Non-asymptotic analysis of prediction-powered
    inference, arXiv:2505.20178, 2025).
    """
    n, more = len(people), len(model_alone)
    if n < FEWEST_QUERIES:
        shared = counted(n, "query", "queries")
        return f"people and the model both judged {shared}, {FEWEST_QUERIES} are needed"
    if not more:
        return "the model judged no query that people did not"
    if not people.std() or not model.std():
        return f"all values of {'people' if model.std() else 'the model'} are the same"
    correlation, least = float(np.corrcoef(people, model)[0, 1]), 1 / sqrt(n - 2)
    if correlation <= least:
        known = f"correlation {correlation:.4f}, more than {least:.4f} needed"
        return f"the model is too unlike people: {known}"
    spread = float(np.var(np.concatenate([model, model_alone]), ddof=1))
    covariance = float(np.cov(people, model)[0, 1])
    weight = min(1.0, covariance / ((1 + n / more) * spread))
    estimate = float(people.mean() + weight * (model_alone.mean() - model.mean()))
    variance = float(np.var(people - weight * model, ddof=2)) / n + weight**2 * spread / more
    worth = float(np.var(people, ddof=1)) / variance
    if worth <= n:
        return "with the model it is no more exact than without"
    half = critical_t(0.025, n - 2) * sqrt(variance)
    return PredictionPowered(
        estimate,
        (estimate - half, estimate + half),
        variance,
        weight,
        correlation,
        n,
        more,
        worth,
    )
