"""Generated campaigns with a known truth, of which a part is judged: what a strategy chose, and
what was drawn at random of the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from judge_tui.analysis.unbiased import JudgedUnion
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import UNJUDGED

NONE = np.zeros(0, dtype=np.int64)
GREATEST = 3


@dataclass(frozen=True)
class Generated:
    """`order`: int64[runs, queries, depth], documents; `grade`: int64[queries, documents]."""

    order: np.ndarray
    grade: np.ndarray

    def queries(self, some):
        return Generated(self.order[:, some], self.grade[some])

    def union(self, chosen=None, drawn=None):
        """Nothing is judged but those pairs (bool[pairs])."""
        pairs = RetrievedPairs.of(self.order)
        runs, queries, depth = self.order.shape
        none = np.zeros(len(pairs), dtype=bool)
        chosen = none if chosen is None else chosen
        drawn = none if drawn is None else drawn
        return JudgedUnion(
            tags=tuple(f"run{place}" for place in range(runs)),
            pairs=pairs,
            grades=np.where(chosen | drawn, self.grade[pairs.query, pairs.document], UNJUDGED),
            chosen=chosen,
            drawn=drawn,
            depth=depth if drawn.any() else 0,
            counted=np.ones((runs, queries), dtype=bool),
            undecided=np.zeros(queries, dtype=bool),
            other_query=NONE,
            other_grade=NONE,
        )

    def judged(self, draw, share, number):
        """What is in more runs, and what is relevant, is rather chosen: such a `share` of each
        query's pairs; and of the rest, `number` (or int64[queries]) are drawn."""
        pairs = RetrievedPairs.of(self.order)
        truth = self.grade[pairs.query, pairs.document]
        worth = 60 * pairs.fused + truth + draw.gumbel(size=len(pairs))
        chosen = places_in(pairs.query, -worth) < np.round(share * sizes(pairs))[pairs.query]
        order = np.where(chosen, 2.0, draw.random(len(pairs)))
        wanted = np.broadcast_to(number, pairs.queries)[pairs.query]
        drawn = (places_in(pairs.query, order) < wanted) & ~chosen
        return self.union(chosen, drawn)

    def differences(self, measure):
        """float64[queries]: by a linear measure, the second run less the first, all judged."""
        pairs = RetrievedPairs.of(self.order)
        gain = np.array([measure.gain(one) for one in range(GREATEST + 1)])
        weight = pairs.discounts(1, measure.discount) - pairs.discounts(0, measure.discount)
        found = gain[self.grade[pairs.query, pairs.document]]
        return np.bincount(pairs.query, weight * found, pairs.queries)


def sizes(pairs):
    return np.bincount(pairs.query, minlength=pairs.queries)


def places_in(query, value):
    """The place of each by its value among those of its query."""
    order = np.lexsort((value, query))
    count = np.bincount(query)
    place = np.empty(len(query), dtype=np.int64)
    place[order] = np.arange(len(query)) - np.repeat(count.cumsum() - count, count)
    return place


def generated(draw, queries, runs=3, documents=30, depth=8, better=0.0):
    """Runs rank by the grade, and by luck; the second one is that much better at it. Queries have
    unequally many relevant documents, and suit some runs better than others."""
    relevant = draw.random((queries, documents)) < draw.beta(0.6, 3, (queries, 1))
    grade = np.where(relevant, draw.integers(1, GREATEST + 1, relevant.shape), 0)
    skill = 0.8 + draw.normal(0, 0.5, (runs, queries, 1))
    skill[1] += better
    score = skill * grade + draw.gumbel(size=(runs, queries, documents))
    return Generated(np.argsort(-score, axis=2)[:, :, :depth], grade)


def with_others(union, query, grade):
    """With these judged documents that no run retrieved."""
    return replace(union, other_query=np.array(query), other_grade=np.array(grade))
