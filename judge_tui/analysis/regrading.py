"""Runs scored by other grades than theirs: by those of one judge, or with a pair settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns, lists_of_ranks
from judge_tui.scoring import UNJUDGED, JudgedLists, JudgedQueries, Measure

if TYPE_CHECKING:
    from judge_tui.arrays import Floats, Ints

_HITS = 200_000
"""Results of lists scored together: what is small stays in the processor's cache."""


class Regrading:
    """What runs would be worth by a measure, were their pairs graded otherwise."""

    def __init__(self, judged: JudgedRuns, measure: Measure) -> None:
        self.judged = judged
        self.measure = measure
        pairs = judged.pair_by_rank
        if not measure.judged_only:
            pairs = pairs[:, :, : measure.depth]
        nobody = JudgedQueries.of_counts(np.zeros((pairs.shape[1], 1), dtype=np.int64))
        # The places of pairs stand where other lists have grades.
        self._hits = lists_of_ranks(pairs, nobody)

    def values(self, grades: Ints) -> Floats:
        """Return float64[runs, queries], NaN where a run is not scored, by other grades,
        int64[pairs], `UNJUDGED` where there is none."""
        queries = self.judged.queries
        known = JudgedQueries.of_grades(queries, grades, len(self.judged.lists.query_ids))
        lists = _graded(self._hits, grades[self._hits.grade], self._hits.query, known)
        return self.judged.values_of(lists, self.measure)

    def settle(self, pairs: Ints, grades: Ints) -> Floats:
        """Set one of the `pairs` after the other, int64[n], to the grade beside it. Return
        float64[n, runs]: every run's value for the query of the pair."""
        judged, hits = self.judged, self._hits
        runs, queries = judged.scored.shape
        lists = np.arange(runs) * queries + judged.queries[pairs][:, None]
        values = np.empty(lists.shape)
        longest = max(1, int(np.diff(hits.start).max(initial=0)))
        size = max(1, _HITS // (longest * max(1, runs)))
        for begin in range(0, len(pairs), size):
            some = slice(begin, begin + size)
            pair, new = pairs[some], grades[some]
            settings = np.arange(len(pair))
            counts, now = judged.grade_counts[judged.queries[pair]], judged.grades[pair]
            graded = now != UNJUDGED
            counts[settings[graded], now[graded]] -= 1
            counts[settings, new] += 1
            its = hits.rows(lists[some].ravel())
            setting = np.repeat(settings, runs)
            of_hit = setting[its.list]
            grade = np.where(its.grade == pair[of_hit], new[of_hit], judged.grades[its.grade])
            regraded = _graded(its, grade, setting, JudgedQueries.of_counts(counts))
            values[some] = self.measure.value(regraded).reshape(-1, runs)
        if self.measure.definition.looks_at_results:
            values[hits.retrieved[lists] == 0] = 0.0
        return values


def _graded(hits: JudgedLists, grades: Ints, query: Ints, known: JudgedQueries) -> JudgedLists:
    """Return the lists with the grade of each hit, and without those that have none."""
    there = grades != UNJUDGED
    return JudgedLists(
        hits.list[there], hits.rank[there], grades[there], hits.retrieved, query, known
    )
