"""What the qrels know of a query, worked out once and used for every run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from judge_tui.model import Qrels

__all__ = ["Knowledge", "Known", "know"]


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
