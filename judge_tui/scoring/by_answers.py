"""Runs scored with answers in place of qrels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries
from judge_tui.scoring.measure import Credited, Measure
from judge_tui.scoring.measures import MEASURES
from judge_tui.scoring.names import Asked, parse_measures
from judge_tui.scoring.rules import Rules
from judge_tui.scoring.score import JudgedRun, judged_run, of_one_tag_each, score_judged
from judge_tui.scoring.scores import Scores
from judge_tui.scoring.truths import Credit, Hits, Matrix, Truths, matrix

__all__ = ["ANSWERED_BY_DEFAULT", "refuse_unanswerable", "score_by_answers"]

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
    measures: Iterable[Asked] | Asked = ANSWERED_BY_DEFAULT,
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

    Where every truth is one doc_id, all values are those of `score_run` with these as qrels.
    Raises `UsageError` for measures that need judged documents, for two runs of one tag, and where
    a run answers none of the queries.
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
    for run in of_one_tag_each(runs):
        rows = [row for row, query_id in enumerate(query_ids) if run.scores.get(query_id)]
        matrices = [
            matrix(truths[query_ids[row]], rank(run.scores[query_ids[row]])[: rules.depth])
            for row in rows
        ]
        for view, look in _LOOKS_AT.items():
            hits = [look(found) for found in matrices]
            looked_at[view].append(_lists(hits, matrices, rows, known))
        lists = looked_at["results"][-1]
        judged.append(judged_run(run, lists, by="answers", demanding=demanding))
    views = {view: JudgedLists.joined(lists, known) for view, lists in looked_at.items()}
    values = {measure: measure.value(views[_view(measure, credit)]) for measure in measures}
    return score_judged(judged, known, measures, rules, by="answers", values=values)


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
