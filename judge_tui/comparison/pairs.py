"""Two runs, paired by query: their values by a measure, over all queries or those of a slice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import NamedTuple

import numpy as np

from judge_tui.arrays import Bools, Floats
from judge_tui.comparison.comparison import RunPair
from judge_tui.comparison.tukey import ScoreGroup
from judge_tui.scoring import MEASURES, Measure, RunScores, Scores


def found_by(measure: Measure) -> Measure:
    """Return the measure that is above 0 exactly where something relevant was found as deep as this
    one looks; a measure of order itself, which is 1 where its demand is met."""
    if measure.definition.own_depth or measure.definition.of_order:
        return measure
    rel = () if measure.rel == 1 else (("rel", measure.rel),)
    return replace(measure, definition=MEASURES["RR"], chosen=rel)


def score_groups(scores: Scores) -> list[ScoreGroup]:
    """Return the slices that hold a query that counts, or all queries as one part, with those of
    their measures of which more is better."""
    if scores.slices is None:
        return [ScoreGroup(None, of_quality(scores.measures), scores)]
    return [
        ScoreGroup(one.name, of_quality(one.measures), one.scores)
        for one in scores.slices.slices
        if one.scores.counted.any()
    ]


def of_quality(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return those of the measures of which more is better."""
    return tuple(measure for measure in measures if measure.definition.quality)


def share_queries(scores: Scores) -> Bools:
    """Tell of each two runs whether they share a query with a value of both: bool[runs, runs]."""
    share = np.zeros((len(scores), len(scores)), dtype=np.bool_)
    for part in score_groups(scores):
        for measure in part.measures:
            there = (~np.isnan(part.scores.by_measure[str(measure)])).astype(np.float32)
            share |= there @ there.T > 0
    return share


class Pair(NamedTuple):
    """Two runs by one measure, over the queries of a part that have a value of both: one entry a
    query, `query_ids` ascending. `found_before`, `found_now`: above 0 where anything relevant was
    found within the measure's depth."""

    measure: Measure
    slice: str | None
    runs: RunPair
    query_ids: list[str]
    before: Floats
    after: Floats
    found_before: Floats
    found_now: Floats


@dataclass(frozen=True, slots=True)
class PairMaker:
    """Pairs the values of two runs, measure by measure, part by part, as `paired` has them.

    `by`: each measure, the one that tells what was found, and the part. Places are counted through
    all of it, so that any part of the pairs can be made anew, and none has to be kept.
    """

    paired: Sequence[RunPair]
    scores: Scores
    by: Sequence[tuple[Measure, Measure, ScoreGroup]]

    @classmethod
    def of(cls, paired: Sequence[RunPair], scores: Scores) -> PairMaker:
        """Return the maker of the pairs of all measures and parts of these scores."""
        parts = score_groups(scores)
        every = {id(run.scores): run.scores for runs in paired for run in runs}.values()
        by = []
        for measure in dict.fromkeys(m for part in parts for m in part.measures):
            found = found_by(measure)
            if any(str(found) not in one.by_measure for one in every):
                found = measure  # a saved result has the measures that were asked for
            by += [(measure, found, part) for part in parts if measure in part.measures]
        return cls(paired, scores, by)

    def __len__(self) -> int:
        """Return how many places there are."""
        return len(self.by) * len(self.paired)

    def make(self, places: range) -> Iterator[Pair]:
        """Yield the pairs of these places; two runs that share no query of a part have none."""
        for place in places:
            group, at = divmod(place, len(self.paired))
            measure, found, part = self.by[group]
            runs = self.paired[at]
            values = [
                self._values(run, one, part.scores, known=known)
                for one, known in ((measure, False), (found, True))
                for run in runs
            ]
            shared = np.flatnonzero(~np.isnan(values[0] + values[1]))
            if len(shared):
                query_ids = [part.scores.query_ids[query] for query in shared.tolist()]
                yield Pair(measure, part.name, runs, query_ids, *(row[shared] for row in values))

    def _values(self, run: RunScores, measure: Measure, part: Scores, *, known: bool) -> Floats:
        """Return the values of a run for the queries of a part, float64[queries]; NaN where the
        run, which may be of other scores, has none. `known`: those that tell what was found."""
        its = part if run.scores is self.scores else run.scores
        by_measure = {**its.by_measure, **its.found} if known else its.by_measure
        values: Floats = by_measure[str(measure)][run.row]
        if its is part:
            return values
        there = dict(zip(its.query_ids, values.tolist(), strict=True))
        return np.array([there.get(query, nan) for query in part.query_ids], dtype=np.float64)
