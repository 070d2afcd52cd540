"""What an unjudged document may be expected to gain, learnt from what was judged of other
queries."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Floats, Ints
from judge_tui.pooling.retrieved import OCTILES


class ExpectedGains(NamedTuple):
    """float64[pairs] twice: the expected `gain` of each pair, and the `doubt`, how far a gain is
    from that, as a root mean square."""

    gain: Floats
    doubt: Floats


def expected_gains(
    query: Ints, octile: Ints, gain: Floats, stands_for: Floats | None = None
) -> ExpectedGains:
    """Return the mean gain of judged documents in the same eighth of their fused lists, as it falls
    from eighth to eighth (isotonic regression: Ayer et al., Annals of Mathematical Statistics
    26(4), 1955), over the other queries: a query's own grades never predict it.

    `query`, `octile`: int64[pairs]; `gain`: float64[pairs], NaN where nobody judged. `stands_for`:
    float64[pairs], of how many documents that nobody chose a judged one tells, which is 0 unless it
    was drawn at random (Horvitz & Thompson, Journal of the American Statistical Association 47,
    1952): what was chosen is not like them. Where none was drawn, each judged one tells of one.

    An eighth in which nothing was judged has the value of the one before it, or else of the one
    behind; behind the last eighth of which anything is known nothing is expected. The doubt holds
    one more document, which is 1 off: so it is 1 where nothing is known, and never 0.
    """
    queries = int(query.max(initial=-1)) + 1
    judged = ~np.isnan(gain)
    cell = (query * OCTILES + octile)[judged]

    def of_others(weights: Floats) -> Floats:
        """Return float64[queries, octiles]: the sums over the judged documents of the others."""
        own = np.bincount(cell, weights, queries * OCTILES).reshape(queries, OCTILES)
        return np.asarray(own.sum(axis=0) - own, dtype=np.float64)

    weight = np.ones(judged.sum())
    if stands_for is not None and stands_for[judged].any():
        weight = stands_for[judged]
    number = of_others(weight)
    sums, squares = of_others(weight * gain[judged]), of_others(weight * gain[judged] ** 2)
    mean = np.array([falling(*row) for row in zip(sums, number, strict=True)])
    mean = mean.reshape(queries, OCTILES)
    known_behind = number[:, ::-1].cumsum(axis=1)[:, ::-1] > 0
    mean[~known_behind] = 0
    off = np.maximum(squares - 2 * mean * sums + number * mean**2, 0)
    doubt = np.sqrt((off + 1) / (number + 1))
    return ExpectedGains(mean[query, octile], doubt[query, octile])


def falling(sums: Floats, number: Floats) -> Floats:
    """Return float64[n]: the means of n groups, none greater than one before it, nearest to those
    given (sums over numbers, float64[n]) by weighted squares: neighbours that rise are pooled."""
    blocks: list[tuple[float, float, int]] = []
    for total, weight in zip(sums.tolist(), number.tolist(), strict=True):
        block = (total, weight, 1)
        # A group without members joins the one before it.
        while blocks and (not block[1] or not blocks[-1][1] or _mean(block) > _mean(blocks[-1])):
            before = blocks.pop()
            block = (before[0] + block[0], before[1] + block[1], before[2] + block[2])
        blocks.append(block)
    return np.repeat([_mean(block) for block in blocks], [size for _, _, size in blocks])


def _mean(block: tuple[float, float, int]) -> float:
    return block[0] / block[1] if block[1] else 0.0
