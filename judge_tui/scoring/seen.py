"""How a measure sees one query: where the judged documents stood, and nothing else.

Qrels are sparse: of a thousand results a handful is judged. So the results are never ranked as a
whole; only the judged ones among them are looked up, and their ranks are counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Seen", "see"]


@dataclass(frozen=True, slots=True)
class Seen:
    """One query of one run in the light of its grades.

    `hits`: (rank, grade) of every judged document that was retrieved, by rank; ranks count from 1.
    `retrieved`: number of documents retrieved. `grades`: the grades of all judged documents of the
    query, greatest first. Negative grades (pooled, not judged) are in neither.
    """

    hits: tuple[tuple[int, int], ...]
    retrieved: int
    grades: tuple[int, ...]

    def relevant_ranks(self, rel: int, depth: int) -> list[int]:
        """Ranks of the relevant documents (grade >= `rel`) in the first `depth`, ascending."""
        return [rank for rank, grade in self.hits if grade >= rel and rank <= depth]

    def relevant(self, rel: int) -> int:
        """Number of relevant documents (grade >= `rel`) that the qrels know for the query."""
        return sum(1 for grade in self.grades if grade >= rel)

    def condensed(self) -> Seen:
        """The same list without its unjudged documents (Sakai, SIGIR 2007; trec_eval -J)."""
        hits = tuple((place, grade) for place, (_, grade) in enumerate(self.hits, start=1))
        return Seen(hits, len(hits), self.grades)


def see(grades: Mapping[str, int], scores: Mapping[str, float]) -> Seen:
    """Look up the judged documents of one query in its results.

    `grades`: doc_id -> grade; `scores`: doc_id -> score, finite. Ranks are those of
    `judge_tui.model.rank`: score descending, then doc_id descending, which is trec_eval's order.
    A negative grade counts as no judgment, also when lists are condensed, as in trec_eval
    (`form_res_rels.c`); ir_measures' Judged counts it, and pytrec_eval is not made for it.
    """
    judged = {doc_id: grade for doc_id, grade in grades.items() if grade >= 0}
    found = [doc_id for doc_id in judged if doc_id in scores]
    ranks = _ranks(found, scores)
    hits = sorted((ranks[doc_id], judged[doc_id]) for doc_id in found)
    return Seen(tuple(hits), len(scores), tuple(sorted(judged.values(), reverse=True)))


def _ranks(found: list[str], scores: Mapping[str, float]) -> dict[str, int]:
    # A run's file is nearly always in order already; the sort then only checks that it is.
    ascending = sorted(scores.values(), reverse=True)
    ascending.reverse()
    ranks: dict[str, int] = {}
    tied: dict[float, list[str]] = {}
    for doc_id in found:
        score = scores[doc_id]
        end = bisect_right(ascending, score)
        ranks[doc_id] = len(ascending) - end + 1
        if end - bisect_left(ascending, score) > 1:
            tied[score] = []
    if tied:
        # doc_ids matter only inside the groups of equal scores that hold a judged document.
        for doc_id, score in scores.items():
            if score in tied:
                tied[score].append(doc_id)
        for group in tied.values():
            group.sort(reverse=True)
            for place, doc_id in enumerate(group):
                if doc_id in ranks:
                    ranks[doc_id] += place
    return ranks
