"""Scores in which expected gains stand for grades that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.analysis.filled_runs import FilledRuns, ModelGrades
from judge_tui.analysis.judged_runs import JudgedRuns, RankedLists
from judge_tui.model import Qrels, Run, rank
from judge_tui.pooling.retrieved import RetrievedPairs
from judge_tui.scoring import UNJUDGED, Scores
from judge_tui.scoring.filled import UNMOVED, as_filled, filled_values

if TYPE_CHECKING:
    from judge_tui.campaign.overview.qrels_and_runs import QrelsAndRuns
    from judge_tui.model import Pair


def fill_scores(
    scores: Scores, runs: Sequence[Run], qrels: Qrels, campaign: QrelsAndRuns | None = None
) -> Scores:
    """Return the `scores` of these `runs`, in the same order, by these grades, filled: what
    `results` has for the same lists and grades. The lists are cut at the depth of the rules.
    `campaign`: where all of it is from one, it says what was drawn at random and what a model
    graded."""
    places = {query_id: place for place, query_id in enumerate(scores.query_ids)}
    known = (pair for pair in _known_pairs(qrels, campaign) if pair[0] in places)
    pairs = sorted(known, key=lambda pair: places[pair[0]])
    judged = _judged(scores, runs, qrels, pairs)
    stands_for = model = None
    if campaign is not None:
        stands_for = np.array([campaign.stands_for.get(pair, 0.0) for pair in pairs])
        if campaign.model:
            its = [campaign.by_model.get(pair, UNJUDGED) for pair in pairs]
            model = ModelGrades(campaign.model, np.array(its, dtype=np.int64), campaign.scale)
    filled = FilledRuns(judged, RetrievedPairs.of(judged.lists.documents), stands_for, model)
    values = {
        one.name: np.where(
            scores.answered,
            filled_values(one, filled.filled_lists(one)),
            scores.by_measure[one.name],
        )
        for one in scores.measures
        if one.definition.name not in UNMOVED
    }
    return as_filled(scores, values, filled.settings)


def _known_pairs(qrels: Qrels, campaign: QrelsAndRuns | None) -> list[Pair]:
    """Return the pairs that anybody graded."""
    by_people = ((query_id, doc_id) for query_id, its in qrels.items() for doc_id in its)
    by_model = () if campaign is None else campaign.by_model
    return [*dict.fromkeys(chain(by_people, by_model))]


def _judged(scores: Scores, runs: Sequence[Run], qrels: Qrels, pairs: Sequence[Pair]) -> JudgedRuns:
    """Return the lists of the queries that are scored, with what is known of the pairs."""
    query_ids, depth = scores.query_ids, scores.rules.depth
    ranked = {
        tag: {query_id: rank(run.scores.get(query_id, {}))[:depth] for query_id in query_ids}
        for tag, run in zip(scores.tags, runs, strict=True)
    }
    lists, numbers = RankedLists.of(ranked, query_ids)
    places = {query_id: place for place, query_id in enumerate(query_ids)}
    graded = [
        (places[query], numbers.setdefault(doc, len(numbers)), qrels[query].get(doc, UNJUDGED))
        for query, doc in pairs
    ]
    queries, docs, grades = np.array(graded, dtype=np.int64).reshape(-1, 3).T
    return JudgedRuns(lists, queries, docs, grades, int(grades.max(initial=0)))
