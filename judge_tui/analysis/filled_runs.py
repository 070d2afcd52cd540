"""Runs of which unjudged documents count as what they are expected to gain."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import UNJUDGED, Measure, Scores
from judge_tui.scoring.filled import (
    UNMOVED,
    FilledLists,
    StandIn,
    as_filled,
    filled_values,
    gain_by,
)
from judge_tui.scoring.judged_lists import of_each
from judge_tui.scoring.score import values_of_queries

if TYPE_CHECKING:
    from judge_tui.arrays import Floats, Ints


def fill_runs(
    judged: JudgedRuns,
    unjudged: StandIn,
    stands_for: Floats | None = None,
    retrieved: RetrievedPairs | None = None,
) -> JudgedRuns:
    """Return the same runs with what stands for the gain of an unjudged document. `stands_for`:
    float64[pairs], as for `expected_gains`, of the pairs that the runs know. `retrieved`: the pairs
    of their lists, where these are known already."""
    if unjudged == "zero":
        return judged
    retrieved = retrieved or RetrievedPairs.of(judged.lists.documents)
    return FilledRuns(judged, retrieved, stands_for)


class FilledRuns(JudgedRuns):
    """Runs of which values, means and scores are filled: an unjudged document of any list counts as
    what judged ones of other queries gain that stand in the same eighth of their fused lists
    (`pooling.expected_gains`). What is known of the grades stays as it is.

    Values raise `UsageError` for a measure that cannot be filled (`scoring.filled`).
    """

    def __init__(
        self, judged: JudgedRuns, retrieved: RetrievedPairs, stands_for: Floats | None = None
    ) -> None:
        super().__init__(
            judged.lists, judged.queries, judged.documents, judged.grades, judged.greatest
        )
        self.zero = judged
        self.retrieved = retrieved
        self.stands_for = np.zeros(len(judged.grades)) if stands_for is None else stands_for

    def _measured(self, measure: Measure) -> Floats:
        if measure.definition.name in UNMOVED:
            return self.zero.values(measure)
        return values_of_queries(
            measure,
            filled_values(measure, self.filled_lists(measure)),
            self.every_list.queries,
            answered=self.lists.answered,
            counted=self.scored,
        )

    def scores(self, measures: Iterable[Measure]) -> Scores:
        """As `JudgedRuns.scores`."""
        scores, queries = self.zero.scores(measures), np.flatnonzero(self.graded_queries)
        return as_filled(
            scores, {one.name: self.values(one)[:, queries] for one in scores.measures}
        )

    def filled_lists(self, measure: Measure) -> FilledLists:
        """Return what the documents of all lists gain by a measure, judged or expected."""
        gain_of, retrieved = gain_by(measure), self.retrieved
        grades, stands_for, strangers = self._known
        judged = grades != UNJUDGED
        gain = np.full(len(retrieved), np.nan)
        gain[judged] = of_each(gain_of, grades[judged])
        expected = expected_gains(retrieved.query, retrieved.octile, gain, stands_for).gain
        gain = np.where(judged, gain, expected)
        known = of_each(gain_of, self.grades[strangers])
        return FilledLists(
            # In the last place, which -1 finds, is nothing.
            np.append(gain, 0.0)[retrieved.at],
            np.concatenate([retrieved.query, self.queries[strangers]]),
            np.concatenate([gain, known]),
        )

    @cached_property
    def _known(self) -> tuple[Ints, Floats, Ints]:
        """int64[retrieved pairs], their grades or `UNJUDGED`; float64[retrieved pairs], of how many
        each tells; and the places of the graded pairs that no list holds."""
        graded = np.flatnonzero(self.grades >= 0)
        at = self.retrieved.places_of(self.queries[graded], self.documents[graded])
        grades = np.full(len(self.retrieved), UNJUDGED, dtype=np.int64)
        stands_for = np.zeros(len(self.retrieved))
        inside = at >= 0
        grades[at[inside]] = self.grades[graded[inside]]
        stands_for[at[inside]] = self.stands_for[graded[inside]]
        return grades, stands_for, graded[~inside]
