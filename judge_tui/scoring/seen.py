"""What the qrels know of a query, and which grades stand at which ranks of a list."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import inf
from typing import TypeAlias, TypeVar

from judge_tui.model import Qrels

__all__ = ["Knowledge", "Known", "Seen", "know", "look_up", "see"]


class Known:
    """The grades of one query.

    `by_doc`: doc_id -> grade as the qrels have it, a negative one meaning pooled but not judged.
    `grades`: those of the judged documents, greatest first, without the negative ones. `memo` is
    for what a measure works out from these alone, such as an ideal gain, under its full name.
    """

    __slots__ = ("_by_bytes", "_rel", "_relevant", "by_doc", "grades", "memo")

    def __init__(self, by_doc: Mapping[str, int]) -> None:
        self.by_doc = by_doc
        self.grades = sorted([grade for grade in by_doc.values() if grade >= 0], reverse=True)
        self.memo: dict[str, float] = {}
        self._rel = 0
        self._relevant = len(self.grades)
        self._by_bytes: dict[bytes, int] | None = None

    def relevant(self, rel: int) -> int:
        """Number of documents with a grade of at least `rel`."""
        if rel != self._rel:
            self._relevant = sum(1 for grade in self.grades if grade >= rel)
            self._rel = rel
        return self._relevant

    def nonrelevant(self, rel: int) -> int:
        """Number of documents that were judged and are not relevant."""
        return len(self.grades) - self.relevant(rel)

    @property
    def by_bytes(self) -> dict[bytes, int]:
        """`by_doc` with ids in UTF-8, for readers that do not decode what nobody judged."""
        if self._by_bytes is None:
            self._by_bytes = {
                doc_id.encode("utf-8", "surrogatepass"): grade
                for doc_id, grade in self.by_doc.items()
            }
        return self._by_bytes


Knowledge: TypeAlias = Mapping[str, Known]
"""query_id -> what is known of it; queries without a single line in the qrels are not in it."""


def know(qrels: Qrels) -> dict[str, Known]:
    """Prepare qrels for scoring any number of runs."""
    return {query_id: Known(grades) for query_id, grades in qrels.items() if grades}


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
