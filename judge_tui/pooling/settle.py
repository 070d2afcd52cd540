"""What weighs most in the difference of systems, as far as nobody knows it yet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.arrays import Floats, Ints, best_sums
from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.pooling.strategy import Aim, Choice, PooledQuery


def settle(queries: Sequence[PooledQuery], aim: Aim) -> list[list[Choice]]:
    """Choose by the weight of a document times the doubt about its gain (`expected_gains`). What
    weighs nothing, as all runs have it at the same rank, is never chosen.

    The weight is that of the document in the difference of the two runs, c_A - c_B with c the
    discount at its rank, 0 below the last (Carterette, Allan & Sitaraman, 2006, SIGIR, 268-275);
    of all runs, the standard deviation of c. For a measure that is normalised, it is divided by the
    ideal that the query may be expected to have, of what was retrieved and of what was judged
    beside it: at least that of one document that gains 1.
    """
    if not queries:
        return []
    pairs, retrieved = RetrievedPairs.of_queries(queries)
    gain, other_query, other_gain = _gains(queries, retrieved, aim)
    expected = expected_gains(pairs.query, pairs.octile, gain)
    weight = _spread(pairs, aim) * expected.doubt
    if aim.normalised:
        gains = np.append(np.where(np.isnan(gain), expected.gain, gain), other_gain)
        ideal = best_sums(np.append(pairs.query, other_query), gains, aim.discount, len(queries))
        weight /= np.maximum(ideal, aim.discount[0])[pairs.query]
    weights = iter(weight.tolist())
    chosen = []
    for query, doc_ids in zip(queries, retrieved, strict=True):
        choices = [Choice(doc_id, each) for doc_id in doc_ids if (each := next(weights))]
        chosen.append(sorted(choices, key=lambda one: (-one.weight, query.tie(one.doc_id))))
    return chosen


def _gains(
    queries: Sequence[PooledQuery], retrieved: Sequence[Sequence[str]], aim: Aim
) -> tuple[Floats, Ints, Floats]:
    """Return float64[pairs], NaN where nobody judged; and of what was judged and no list holds,
    int64[others] and float64[others]: the queries and the gains."""
    gains, others = [], []
    for place, (query, doc_ids) in enumerate(zip(queries, retrieved, strict=True)):
        known = {doc_id: aim.gain(grade) for doc_id, grade in query.grades.items()}
        gains += [known.pop(doc_id, np.nan) for doc_id in doc_ids]
        others += [(place, gain) for gain in known.values()]
    other_query, other_gain = np.array(others, dtype=np.float64).reshape(-1, 2).T
    return np.array(gains), other_query.astype(np.int64), other_gain


def _spread(pairs: RetrievedPairs, aim: Aim) -> Floats:
    """Return float64[pairs]: how far apart the runs are at each pair."""
    if aim.between is not None:
        before, after = (pairs.discounts(run, aim.discount) for run in aim.between)
        apart: Floats = np.abs(after - before)
        return apart
    worth = np.array([pairs.discounts(run, aim.discount) for run in range(len(pairs.at))])
    # Sorted: the order of the runs must not change a last digit.
    worth.sort(axis=0)
    spread: Floats = np.where(worth[0] == worth[-1], 0, worth.std(axis=0))
    return spread
