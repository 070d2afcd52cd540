"""How a measure sees one query: where the judged documents stood, and nothing else.

Qrels are sparse: of a thousand results a handful is judged. So the results are never ranked as a
whole; only the judged ones among them are looked up, and their ranks are counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import inf
from typing import TypeVar

from judge_tui.scoring.known import Known

__all__ = ["Seen", "look_up", "see"]

Id = TypeVar("Id", str, bytes)


class Seen:
    """One query of one run in the light of its grades; ranks count from 1.

    `known`: what the qrels know of the query. `ranks` and `grades`: of the judged documents that
    were retrieved, aligned and in the order of the ranks. `pooled`: ranks of the retrieved ones
    with a negative grade (pooled, not judged), ascending. `retrieved`: number of results.
    """

    __slots__ = ("_rel", "_relevant", "grades", "known", "pooled", "ranks", "retrieved")

    def __init__(self, known: Known, ranks: list[int], grades: list[int], retrieved: int) -> None:
        """Of `ranks` and `grades` the negative grades are set apart as `pooled`."""
        self.known = known
        self.retrieved = retrieved
        self.pooled: list[int] = []
        if grades and min(grades) < 0:
            pairs = list(zip(ranks, grades, strict=True))
            self.pooled = [rank for rank, grade in pairs if grade < 0]
            ranks = [rank for rank, grade in pairs if grade >= 0]
            grades = [grade for _, grade in pairs if grade >= 0]
        self.ranks = ranks
        self.grades = grades
        self._rel = 0
        self._relevant = ranks

    def relevant_ranks(self, rel: int) -> list[int]:
        """Ranks of the relevant documents (grade >= `rel`), ascending; not to be changed."""
        if rel != self._rel:
            self._relevant = [
                rank for rank, grade in zip(self.ranks, self.grades, strict=True) if grade >= rel
            ]
            self._rel = rel
        return self._relevant

    def relevant_within(self, rel: int, depth: int) -> int:
        """Number of relevant documents among the first `depth` results."""
        return bisect_right(self.relevant_ranks(rel), depth)

    def first(self, depth: int) -> Seen:
        """The same list cut after `depth` results (trec_eval -M)."""
        if self.retrieved <= depth:
            return self
        within = bisect_right(self.ranks, depth)
        seen = Seen(self.known, self.ranks[:within], self.grades[:within], depth)
        seen.pooled = self.pooled[: bisect_right(self.pooled, depth)]
        return seen

    def condensed(self) -> Seen:
        """The same list without its unjudged documents (Sakai, SIGIR 2007; trec_eval -J)."""
        judged = len(self.ranks)
        return Seen(self.known, list(range(1, judged + 1)), self.grades, judged)


def see(known: Known, scores: Mapping[str, float]) -> Seen:
    """Look up the judged documents of one query in its results.

    `scores`: doc_id -> score, finite. Ranks are those of `judge_tui.model.rank`: score descending,
    then doc_id descending, which is trec_eval's order. A negative grade counts as no judgment, also
    when lists are condensed, as in trec_eval (`form_res_rels.c`); ir_measures' Judged counts it,
    and pytrec_eval is not made for it.
    """
    return look_up(known, known.by_doc, scores)


def look_up(known: Known, by_doc: Mapping[Id, int], scores: Mapping[Id, float]) -> Seen:
    """`see` for ids of either kind: `str`, or the bytes of UTF-8, which are ordered alike."""
    found = [doc_id for doc_id in by_doc if doc_id in scores]
    if not found:
        return Seen(known, [], [], len(scores))
    # A run's file is nearly always in order already; the sort then only checks that it is.
    descending = sorted(scores.values(), reverse=True)
    descending.append(-inf)  # the last has a neighbour, too
    found.sort(key=scores.__getitem__, reverse=True)
    ranks: list[int] = []
    tied: dict[float, list[Id]] = {}
    at = 0
    for doc_id in found:
        score = scores[doc_id]
        at = descending.index(score, at)
        ranks.append(at + 1)
        if descending[at + 1] == score:
            tied[score] = []
    grades = [by_doc[doc_id] for doc_id in found]
    if tied:
        ranks, grades = _in_order(found, ranks, grades, _places(scores, tied))
    return Seen(known, ranks, grades, len(scores))


def _in_order(
    found: Sequence[Id], ranks: Sequence[int], grades: Sequence[int], places: Mapping[Id, int]
) -> tuple[list[int], list[int]]:
    """The ranks, of tied documents that of the first, put right, and the grades with them."""
    hits = sorted(
        (rank + places.get(doc_id, 0), grade)
        for doc_id, rank, grade in zip(found, ranks, grades, strict=True)
    )
    return [rank for rank, _ in hits], [grade for _, grade in hits]


def _places(scores: Mapping[Id, float], tied: dict[float, list[Id]]) -> dict[Id, int]:
    """How many of the same score go before each document of the scores in `tied`."""
    # doc_ids matter only inside the groups of equal scores that hold a judged document.
    for doc_id, score in scores.items():
        if score in tied:
            tied[score].append(doc_id)
    return {
        doc_id: place
        for group in tied.values()
        for place, doc_id in enumerate(sorted(group, reverse=True))
    }
