"""Answers in place of qrels: what a right result looks like, by its path, its lines or a pattern.

A query has several truths, and a result may be right by more than one: what is scored is the
matrix of results by truths. Plain qrels are the case in which every truth is one doc_id.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Literal, TypeAlias, cast

from judge_tui.errors import UsageError
from judge_tui.model import Run, rank
from judge_tui.scoring.judged_lists import JudgedLists, JudgedQueries
from judge_tui.scoring.measure import Credited, Measure
from judge_tui.scoring.measures import MEASURES
from judge_tui.scoring.score import RunToScore, run_to_score, score_judged
from judge_tui.scoring.scores import Rules, Scores
from judge_tui.truths import Truth, Truths

Credit: TypeAlias = Literal["once", "every"]
"""Whether a truth is credited at its first hit alone, or every result that matches one."""


Hits: TypeAlias = Sequence[tuple[int, int]]
"""Ranks and grades of what is credited in one list, by rank."""


@dataclass(frozen=True, slots=True)
class TruthHits:
    """The results of one query by its truths. `hits`: of each truth that is hit, the first rank and
    the grade; several may stand at one rank. `best`: rank -> the best grade among the truths that
    the result there matches, of results that match any. `retrieved`: number of results."""

    hits: Hits
    best: Mapping[int, int]
    retrieved: int

    @property
    def credited(self) -> Hits:
        """One truth a rank: of those hit there or before, and not credited yet, the one with the
        best grade. So no list is worth more than the ideal one, and none loses by being right by
        more. The last ones may be credited behind the end of the list."""
        credited: list[tuple[int, int]] = []
        waiting: list[int] = []
        place = at = 0
        while at < len(self.hits) or waiting:
            place = place + 1 if waiting else max(place + 1, self.hits[at][0])
            while at < len(self.hits) and self.hits[at][0] <= place:
                heappush(waiting, -self.hits[at][1])
                at += 1
            credited.append((place, -heappop(waiting)))
        return credited


def hits_of(truths: Sequence[Truth], doc_ids: Sequence[str]) -> TruthHits:
    """Look every result, best first, up in every truth."""
    first: list[tuple[int, int]] = []
    best: dict[int, int] = {}
    for truth in truths:
        hits = [at for at, doc_id in enumerate(doc_ids, 1) if truth.matches(doc_id)]
        first += [(at, truth.grade) for at in hits[:1]]
        for at in hits:
            best[at] = max(best.get(at, 0), truth.grade)
    return TruthHits(sorted(first), dict(sorted(best.items())), len(doc_ids))


_CREDITED: dict[Credited, Callable[[TruthHits], Iterable[tuple[int, int]]]] = {
    "truths": lambda found: found.credited,
    "hits": lambda found: found.hits,
    "results": lambda found: found.best.items(),
}


def refuse_unanswerable(measures: Iterable[Measure], rules: Rules) -> None:
    """Raise `UsageError` for measures that are not scored by answers, and for what answers do not
    say: which other results were judged."""
    for measure in measures:
        if measure.definition.credited is None:
            known = ", ".join(name for name, one in MEASURES.items() if one.credited)
            raise UsageError(
                f"{measure} is not scored by answers, which say only what is right",
                f"with answers there are {known}",
            )
    if rules.judged_only or any(measure.judged_only for measure in measures):
        raise UsageError(
            "answers do not say which results were judged, so lists cannot be condensed to those",
            "leave judged-only out",
        )


def score_by_answers(
    truths: Truths,
    runs: Iterable[Run],
    measures: Sequence[Measure],
    rules: Rules,
    *,
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
    refuse_unanswerable(measures, rules)
    known = JudgedQueries.of(
        {q: {str(n): one.grade for n, one in enumerate(its)} for q, its in truths.items()}
    )
    judged: list[RunToScore] = []
    looked_at: dict[Credited, list[JudgedLists]] = {view: [] for view in _CREDITED}
    for run in runs:
        found = {
            row: hits_of(truths[query_id], rank(run.scores[query_id])[: rules.depth])
            for row, query_id in enumerate(known.query_ids)
            if run.scores.get(query_id)
        }
        for view, look in _CREDITED.items():
            lists = ((row, one.retrieved, look(one)) for row, one in found.items())
            looked_at[view].append(JudgedLists.of_lists(lists, known))
        answered = {query_id for query_id, results in run.scores.items() if results}
        judged.append(
            run_to_score(
                run.tag,
                looked_at["results"][-1],
                answered,
                run.asked,
                reference="answers",
                demanding=demanding,
            )
        )
    views = {view: JudgedLists.joined(lists, known) for view, lists in looked_at.items()}
    if credit == "every":
        views["truths"] = views["results"]
    values = {
        measure: measure.value(views[cast(Credited, measure.definition.credited)])
        for measure in measures
    }
    return score_judged(judged, known, measures, rules, reference="answers", values=values)
