"""Scores in which expected gains stand for grades that are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from judge_tui.analysis.filled_runs import FilledRuns
from judge_tui.analysis.judged_runs import JudgedRuns, RankedLists
from judge_tui.model import Pair, Qrels, Run, rank
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import Scores
from judge_tui.scoring.filled import UNMOVED, as_filled, filled_values


def fill_scores(
    scores: Scores, runs: Sequence[Run], qrels: Qrels, stands_for: Mapping[Pair, float]
) -> Scores:
    """Return the `scores` of these `runs`, in the same order, by these grades, filled: what
    `results` has for the same lists and grades. The lists are cut at the depth of the rules.
    `stands_for`: of how many documents a pair tells that was drawn at random, if any was."""
    judged = _judged(scores, runs, qrels)
    pairs = [(query_id, doc_id) for query_id in scores.query_ids for doc_id in qrels[query_id]]
    filled = FilledRuns(
        judged,
        RetrievedPairs.of(judged.lists.documents),
        np.array([stands_for.get(pair, 0.0) for pair in pairs]),
    )
    values = {
        one.name: np.where(
            scores.answered,
            filled_values(one, filled.filled_lists(one)),
            scores.by_measure[one.name],
        )
        for one in scores.measures
        if one.definition.name not in UNMOVED
    }
    return as_filled(scores, values)


def _judged(scores: Scores, runs: Sequence[Run], qrels: Qrels) -> JudgedRuns:
    """Return the lists of the queries that are scored, with their grades."""
    query_ids, depth = scores.query_ids, scores.rules.depth
    ranked = {
        tag: {query_id: rank(run.scores.get(query_id, {}))[:depth] for query_id in query_ids}
        for tag, run in zip(scores.tags, runs, strict=True)
    }
    lists, numbers = RankedLists.of(ranked, query_ids)
    graded = [
        (query, numbers.setdefault(doc_id, len(numbers)), grade)
        for query, query_id in enumerate(query_ids)
        for doc_id, grade in qrels[query_id].items()
    ]
    queries, docs, grades = np.array(graded, dtype=np.int64).reshape(-1, 3).T
    return JudgedRuns(lists, queries, docs, grades, int(grades.max(initial=0)))
