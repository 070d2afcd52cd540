"""Runs in the light of grades: where every grade stands in every list, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.grading import Grading
from judge_tui.analysis.rankings import NO_DOCUMENT, Rankings
from judge_tui.scoring import Measure, RunScores, Scores
from judge_tui.scoring.at_once import NOTHING, UNJUDGED, Lists, values_at_once
from judge_tui.scoring.measure import nothing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Standing", "means_of"]


class Standing:
    """Rankings and one grading of their pairs.

    `seen`: int16[runs, queries, depth], the grade at each rank, `UNJUDGED` or `NOTHING` (of
    `scoring.at_once`). `known`: int64[queries, grades], how many documents of each query have each
    grade 0, 1, … up to the scale's greatest. `scored`: bool[runs, queries], whether a run is scored
    for a query: it has a result there or was asked it (`Rankings.counted`), and the query counts.
    `judged`: bool[queries], whether somebody judged something; `counting`: those, and the queries
    that were asked in vain (`Rankings.counting`).
    """

    def __init__(self, rankings: Rankings, grading: Grading, greatest: int) -> None:
        """`greatest`: of the scale's grades, at least as great as any that was given."""
        self.rankings = rankings
        self.grading = grading
        self.greatest = greatest
        places = np.arange(len(rankings.query_ids), dtype=np.int64)
        seen = grading.grades_of(places[None, :, None], rankings.documents, UNJUDGED)
        seen[rankings.documents == NO_DOCUMENT] = NOTHING
        self.seen = seen.astype(np.int16)
        width = greatest + 1
        self.known = np.bincount(
            grading.queries * width + grading.grades, minlength=len(places) * width
        ).reshape(len(places), width)
        self.judged: NDArray[np.bool_] = self.known.sum(axis=1) > 0
        self.counting = rankings.counting(self.known)
        self.scored: NDArray[np.bool_] = rankings.counted & self.counting
        self._values: dict[str, NDArray[np.float64]] = {}

    @property
    def in_vain(self) -> NDArray[np.bool_]:
        """bool[queries]: those that count and that nobody could judge, as no run found anything."""
        return self.counting & ~self.judged

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: where a run was asked and found nothing that will be worth 0, once
        something that another run found there has a final grade."""
        rankings = self.rankings
        waiting: NDArray[np.bool_] = rankings.counted & ~rankings.answered & ~self.counting
        return waiting

    @property
    def wanted(self) -> NDArray[np.bool_]:
        """bool[runs, queries]: where a run fails that has nothing relevant: at the judged queries,
        whatever it was asked, and at those in vain that it was."""
        return self.judged | (self.in_vain & self.rankings.counted)

    @property
    def lists(self) -> Lists:
        """All lists, run by run."""
        runs, queries, depth = self.seen.shape
        query = np.tile(np.arange(queries, dtype=np.int64), runs)
        return Lists(self.seen.reshape(runs * queries, depth), query, self.known)

    def values(self, measure: Measure) -> NDArray[np.float64]:
        """float64[runs, queries]: the measure, NaN where a run is not scored; not to be changed."""
        values = self._values.get(measure.name)
        if values is None:
            values = values_at_once(self.lists, measure).reshape(self.scored.shape)
            if measure.definition.missing is nothing:
                # An empty list is worth something to a few, such as what is left open by it.
                values[~self.rankings.answered] = 0.0
            values[~self.scored] = np.nan
            values.flags.writeable = False
            self._values[measure.name] = values
        return values

    def means(self, measure: Measure) -> NDArray[np.float64]:
        """float64[runs]: what `RunScores.mean` says, NaN where a run is scored for no query."""
        return means_of(self.values(measure), measure)

    def scores(self, measures: Iterable[Measure]) -> Scores:
        """The same as `scoring.score_runs` would give, without the runs that are never scored."""
        measures = tuple(measures)
        ids = self.rankings.query_ids
        judged, counting = self.judged, self.counting
        answered = self.rankings.answered
        runs = []
        for place, tag in enumerate(self.rankings.tags):
            used = self.scored[place]
            if not used.any():
                continue
            runs.append(
                RunScores(
                    tag=tag,
                    query_ids=_those(ids, used),
                    values={
                        measure.name: tuple(self.values(measure)[place][used].tolist())
                        for measure in measures
                    },
                    missing_run=_those(ids, counting & ~answered[place]),
                    missing_qrels=_those(ids, ~judged & answered[place]),
                )
            )
        return Scores(measures, tuple(runs), complete=False, judged_only=False)


def means_of(values: NDArray[np.float64], measure: Measure) -> NDArray[np.float64]:
    """float64[runs]: the mean of each row of values[runs, queries] over what is a number in it, NaN
    where nothing is."""
    average = measure.definition.average
    return np.array(
        [
            average(row[used].tolist()) if used.any() else np.nan
            for row, used in zip(values, ~np.isnan(values), strict=True)
        ]
    )


def _those(ids: tuple[str, ...], chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(ids[place] for place in np.flatnonzero(chosen).tolist())
