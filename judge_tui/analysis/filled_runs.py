"""Runs of which unjudged documents count as what they are expected to gain."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from judge_tui.analysis.judged_runs import JudgedRuns
from judge_tui.pooling.calibrated_grades import chances_of_grades
from judge_tui.pooling.expected_gains import expected_gains
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import Measure, Scores
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


class ModelGrades(NamedTuple):
    """What a judge of kind model, of that `name`, graded. `grades`: int64[pairs], of the pairs that
    the runs know, below 0 where it gave none; `scale`: all grades there are, ascending."""

    name: str
    grades: Ints
    scale: tuple[int, ...]


def fill_runs(
    judged: JudgedRuns,
    unjudged: StandIn | ModelGrades,
    stands_for: Floats | None = None,
    retrieved: RetrievedPairs | None = None,
) -> JudgedRuns:
    """Return the same runs with what stands for the gain of an unjudged document. `stands_for`:
    float64[pairs], as for `expected_gains`, of the pairs that the runs know. `retrieved`: the pairs
    of their lists, where these are known already."""
    if unjudged == "zero":
        return judged
    retrieved = retrieved or RetrievedPairs.of(judged.lists.documents)
    model = unjudged if isinstance(unjudged, ModelGrades) else None
    return FilledRuns(judged, retrieved, stands_for, model)


class FilledRuns(JudgedRuns):
    """Runs of which values, means and scores are filled: an unjudged document of any list counts as
    what judged ones of other queries gain that stand in the same eighth of their fused lists
    (`pooling.expected_gains`), or, by the grades of a `model`, as what people are expected to find
    in it (`pooling.calibrated_grades`), and as 0 where the model gave none. What is known of the
    grades stays as it is.

    Values raise `UsageError` for a measure that cannot be filled (`scoring.filled`).
    """

    def __init__(
        self,
        judged: JudgedRuns,
        retrieved: RetrievedPairs,
        stands_for: Floats | None = None,
        model: ModelGrades | None = None,
    ) -> None:
        super().__init__(
            judged.lists, judged.queries, judged.documents, judged.grades, judged.greatest
        )
        self.zero = judged
        self.retrieved = retrieved
        self.stands_for = np.zeros(len(judged.grades)) if stands_for is None else stands_for
        self.model = model

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
            scores,
            {one.name: self.values(one)[:, queries] for one in scores.measures},
            self.settings,
        )

    @cached_property
    def settings(self) -> dict[str, Any]:
        """By what the scores are filled; by a model, too, how many `unfilled` pairs of the queries
        that count neither people nor the model graded."""
        if self.model is None:
            return {"unjudged": "expected"}
        _, at = self._graded
        known = np.zeros(len(self.retrieved), dtype=np.bool_)
        known[at[at >= 0]] = True
        unfilled = ~known & self.graded_queries[self.retrieved.query]
        return {"unjudged": self.model.name, "unfilled": int(unfilled.sum())}

    def filled_lists(self, measure: Measure) -> FilledLists:
        """Return what the documents of all lists gain by a measure, judged or expected."""
        retrieved, (pairs, at) = self.retrieved, self._graded
        known, inside = self._gains(measure), at >= 0
        gain = np.full(len(retrieved), np.nan)
        gain[at[inside]] = known[inside]
        expected = np.zeros(len(gain))
        if self.model is None:
            stands_for = np.zeros(len(gain))
            stands_for[at[inside]] = self.stands_for[pairs[inside]]
            expected = expected_gains(retrieved.query, retrieved.octile, gain, stands_for).gain
        gain = np.where(np.isnan(gain), expected, gain)
        return FilledLists(
            # In the last place, which -1 finds, is nothing.
            np.append(gain, 0.0)[retrieved.at],
            np.concatenate([retrieved.query, self.queries[pairs[~inside]]]),
            np.concatenate([gain, known[~inside]]),
        )

    def _gains(self, measure: Measure) -> Floats:
        """float64[n]: what each pair of `_graded` gains: what people found, or are expected to."""
        gain_of, (pairs, _) = gain_by(measure), self._graded
        judged = self.grades[pairs] >= 0
        gains = np.empty(len(pairs))
        gains[judged] = of_each(gain_of, self.grades[pairs[judged]])
        if (model := self.model) is not None:
            chances = chances_of_grades(self.queries, model.grades, self.grades, model.scale)
            gains[~judged] = chances[pairs[~judged]] @ [gain_of(grade) for grade in model.scale]
        return gains

    @cached_property
    def _graded(self) -> tuple[Ints, Ints]:
        """int64[n] twice: the pairs that people graded or the model did, and where each stands
        among the retrieved, -1 for one that no list holds."""
        there = self.grades >= 0
        if self.model is not None:
            there |= self.model.grades >= 0
        pairs = np.flatnonzero(there)
        return pairs, self.retrieved.places_of(self.queries[pairs], self.documents[pairs])
