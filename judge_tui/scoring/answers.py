"""Answers in place of qrels: what a right result looks like, by its path, its lines or a pattern.

A query has several truths, and a result may be right by more than one: what is scored is the
matrix of results by truths. Plain qrels are the case in which every truth is one doc_id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal, TypeAlias

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries
from judge_tui.scoring.measure import Credited, Measure
from judge_tui.scoring.measures import MEASURES
from judge_tui.scoring.names import MeasureLike, parse_measures
from judge_tui.scoring.score import JudgedRun, judged_of, score_judged
from judge_tui.scoring.scores import Rules, Scores
from judge_tui.truths import Truth, Truths

__all__ = [
    "ANSWERED_BY_DEFAULT",
    "Credit",
    "Hits",
    "Matrix",
    "matrix",
    "refuse_unanswerable",
    "score_by_answers",
]

Credit: TypeAlias = Literal["once", "every"]
"""Whether a truth is credited at its first hit alone, or every result that matches one."""


Hits: TypeAlias = Sequence[tuple[int, int]]
"""Ranks and grades of what is credited in one list, by rank."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The results of one query by its truths. `first`: of each truth the rank of its first hit,
    None where there is none; `best`: rank -> the best grade among the truths that the result there
    matches, of those that match any; both count ranks from 1. `retrieved`: number of results."""

    truths: tuple[Truth, ...]
    first: tuple[int | None, ...]
    best: Mapping[int, int]
    retrieved: int

    def of_truths(self) -> Hits:
        """For measures that credit each truth once, at its first hit: nDCG, AP, RR.

        At each rank one truth is credited: of those hit there or before, and not credited yet, the
        one with the best grade. So no list is worth more than the ideal one, and none loses by
        being right by more. The last ones may be credited behind the end of the list.
        """
        return _one_a_rank(self.of_hits())

    def of_results(self) -> Hits:
        """For measures that count results: P, Success. Every result that matches is there."""
        return sorted(self.best.items())

    def of_hits(self) -> Hits:
        """For measures that count truths: R. Several may stand at one rank."""
        return sorted(
            (at, truth.grade)
            for at, truth in zip(self.first, self.truths, strict=True)
            if at is not None
        )


def matrix(truths: Sequence[Truth], doc_ids: Sequence[str]) -> Matrix:
    """Look every result, best first, up in every truth."""
    first: list[int | None] = []
    best: dict[int, int] = {}
    for truth in truths:
        hits = [at for at, doc_id in enumerate(doc_ids, 1) if truth.matches(doc_id)]
        first.append(hits[0] if hits else None)
        for at in hits:
            best[at] = max(best.get(at, 0), truth.grade)
    return Matrix(tuple(truths), tuple(first), best, len(doc_ids))


def _one_a_rank(hits: Hits) -> Hits:
    """The hits, which come by rank, with a rank of its own for each."""
    credited: list[tuple[int, int]] = []
    waiting: list[int] = []
    place = at = 0
    while at < len(hits) or waiting:
        place = place + 1 if waiting else max(place + 1, hits[at][0])
        while at < len(hits) and hits[at][0] <= place:
            heappush(waiting, -hits[at][1])
            at += 1
        credited.append((place, -heappop(waiting)))
    return credited


ANSWERED_BY_DEFAULT = ("nDCG@10", "RR@10", "P@5", "R@100", "AP")

_LOOKS_AT: dict[Credited, Callable[[Matrix], Hits]] = {
    "truths": Matrix.of_truths,
    "hits": Matrix.of_hits,
    "results": Matrix.of_results,
}

_WHY_NOT: dict[Credited, str] = {
    "judged": "is about documents that were judged, and answers name none, only what is right",
    "unsaid": "is not scored by answers: nobody has said whether it counts answers or results",
}


def refuse_unanswerable(measures: Iterable[Measure], rules: Rules) -> None:
    """Raise `UsageError` for measures that are not scored by answers, and for what answers do not
    say: which other results were judged."""
    for measure in measures:
        why = _WHY_NOT.get(measure.definition.credited)
        if why is not None:
            known = ", ".join(name for name, one in MEASURES.items() if one.credited in _LOOKS_AT)
            raise UsageError(f"{measure} {why}", f"with answers there are {known}")
    if rules.judged_only or any(measure.judged_only for measure in measures):
        raise UsageError(
            "answers do not say which results were judged, so lists cannot be condensed to those",
            "leave judged-only out",
        )


def score_by_answers(
    truths: Truths,
    runs: Iterable[Run],
    measures: Iterable[MeasureLike] | MeasureLike = ANSWERED_BY_DEFAULT,
    *,
    rules: Rules | None = None,
    credit: Credit = "once",
    demanding: Collection[str] = (),
) -> Scores:
    """Score runs by the matrix of their results by the truths of each query.

    nDCG, AP and RR credit each truth once, at its first hit, so that none exceeds 1; R is the share
    of truths that were hit; P, Success, SetP and Rprec count every result that matches one, each
    once and with its best grade. With `credit` "every", nDCG, AP and RR take every result that
    matches for one more relevant document, as tools do that know no truths: nDCG and AP may exceed
    1 there. The ideal list, and what R divides by, are the truths themselves in either case.

    Each run has a tag of its own. Where every truth is one doc_id, all values are those with these
    as qrels. Raises `UsageError` for measures that need judged documents, and where a run answers
    none of the queries.
    """
    rules = rules or Rules()
    measures = parse_measures(measures)
    refuse_unanswerable(measures, rules)
    query_ids = tuple(sorted(truths))
    sizes = [len(truths[query_id]) for query_id in query_ids]
    known = JudgedQueries.of_grades(
        np.repeat(np.arange(len(query_ids)), sizes),
        np.array([truth.grade for query_id in query_ids for truth in truths[query_id]]),
        len(query_ids),
        query_ids,
    )
    judged: list[JudgedRun] = []
    looked_at: dict[Credited, list[JudgedLists]] = {view: [] for view in _LOOKS_AT}
    for run in runs:
        rows = [row for row, query_id in enumerate(query_ids) if run.scores.get(query_id)]
        matrices = [
            matrix(truths[query_ids[row]], rank(run.scores[query_ids[row]])[: rules.depth])
            for row in rows
        ]
        for view, look in _LOOKS_AT.items():
            hits = [look(found) for found in matrices]
            looked_at[view].append(_lists(hits, matrices, rows, known))
        lists = looked_at["results"][-1]
        answered = {query_id for query_id, found in run.scores.items() if found}
        judged.append(
            judged_of(run.tag, lists, answered, run.asked, grounds="answers", demanding=demanding)
        )
    views = {view: JudgedLists.joined(lists, known) for view, lists in looked_at.items()}
    values = {measure: measure.value(views[_view(measure, credit)]) for measure in measures}
    return score_judged(judged, known, measures, rules, grounds="answers", values=values)


def _view(measure: Measure, credit: Credit) -> Credited:
    credited = measure.definition.credited
    return "results" if credit == "every" and credited == "truths" else credited


def _lists(
    hits: Sequence[Hits], matrices: Sequence[Matrix], rows: Sequence[int], known: JudgedQueries
) -> JudgedLists:
    """The lists of one run, of which these are the hits."""
    pairs = np.array([hit for its in hits for hit in its], dtype=np.int64).reshape(-1, 2)
    return JudgedLists.of_hits(
        np.repeat(np.arange(len(hits)), [len(its) for its in hits]),
        pairs[:, 0],
        pairs[:, 1],
        np.array([found.retrieved for found in matrices], dtype=np.int64),
        np.array(rows, dtype=np.int64),
        known,
    )
