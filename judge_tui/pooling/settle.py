"""What weighs most in the difference of systems, as far as nobody knows it yet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.pooling.strategy import Aim, Choice, PooledQuery


def settle(queries: Sequence[PooledQuery], aim: Aim) -> list[list[Choice]]:
    """Choose by the weight of a document times the doubt about its gain (`expected_gains`). What
    weighs nothing, as all runs have it at the same rank, is never chosen.

    The weight is that of the document in the difference of the two runs, c_A - c_B with c the
    discount at its rank, 0 below the last (Carterette, Allan & Sitaraman, 2006, SIGIR, 268-275);
    of all runs, the standard deviation of c. For a measure that is normalised, it is divided by the
    ideal that the query may be expected to have, at least that of one document that gains 1.
    """
    if not queries:
        return []
    its = [sorted({one for doc_ids in query.lists for one in doc_ids}) for query in queries]
    pairs = _pairs(queries, its)
    gain = np.array(
        [
            aim.gain(query.grades[one]) if one in query.grades else np.nan
            for query, doc_ids in zip(queries, its, strict=True)
            for one in doc_ids
        ]
    )
    expected = expected_gains(pairs.query, pairs.octile, gain)
    weight = _spread(pairs, aim) * expected.doubt
    gain = np.where(np.isnan(gain), expected.gain, gain)
    ends = np.cumsum([len(doc_ids) for doc_ids in its])
    chosen = []
    for query, doc_ids, end in zip(queries, its, ends.tolist(), strict=True):
        here = slice(end - len(doc_ids), end)
        ideal = _ideal(query, {*doc_ids}, gain[here], aim) if aim.normalised else 1.0
        choices = [
            Choice(one, each / ideal)
            for one, each in zip(doc_ids, weight[here].tolist(), strict=True)
            if each
        ]
        chosen.append(sorted(choices, key=lambda one: (-one.weight, query.tie(one.doc_id))))
    return chosen


def _pairs(queries: Sequence[PooledQuery], its: Sequence[Sequence[str]]) -> RetrievedPairs:
    """Number the documents of each query in the order of `its`."""
    longest = max((len(one) for query in queries for one in query.lists), default=0)
    table = np.full((len(queries[0].lists), len(queries), longest), -1, dtype=np.int64)
    for place, (query, doc_ids) in enumerate(zip(queries, its, strict=True)):
        number = {doc_id: at for at, doc_id in enumerate(doc_ids)}
        for run, ranked in enumerate(query.lists):
            table[run, place, : len(ranked)] = [number[one] for one in ranked]
    return RetrievedPairs.of(table)


def _spread(pairs: RetrievedPairs, aim: Aim) -> Floats:
    """Return float64[pairs]: how far apart the runs are at each pair."""
    discount = aim.discount[: pairs.at.shape[2]]
    worth = np.zeros((len(pairs.at), len(pairs)))
    for run, its in enumerate(pairs.at[:, :, : len(discount)]):
        there = its >= 0
        worth[run, its[there]] = np.broadcast_to(discount, its.shape)[there]
    if aim.between is not None:
        before, after = aim.between
        apart: Floats = np.abs(worth[after] - worth[before])
        return apart
    # Sorted: the order of the runs must not change a last digit.
    worth.sort(axis=0)
    spread: Floats = np.where(worth[0] == worth[-1], 0, worth.std(axis=0))
    return spread


def _ideal(query: PooledQuery, retrieved: set[str], gain: Floats, aim: Aim) -> float:
    """Return the sum of the best list: of what was retrieved, with these gains, and of what was
    judged beside it."""
    others = [aim.gain(grade) for one, grade in query.grades.items() if one not in retrieved]
    best = np.sort(np.append(gain, others))[::-1][: len(aim.discount)]
    return max(float(best @ aim.discount[: len(best)]), float(aim.discount[0]))
