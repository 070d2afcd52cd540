"""Whether anything is known to be right but what runs returned: of results that were graded."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.model import Qrels, Run

__all__ = ["returned_alone"]

_RETURNED_ALONE = (
    "no document has a grade but those that these runs returned: measures against all that is"
    " right for a query (R, AP, nDCG and their like) do not know of what no run found, and may be"
    " too good; give all the grades as qrels, and these as runs"
)


def returned_alone(qrels: Qrels, runs: Iterable[Run]) -> tuple[str, ...]:
    """The one sentence on grades that come from the runs themselves, where there are right
    documents and each of them was returned by some run; no run is looked at once that is known."""
    unreturned = [
        (query_id, doc_id)
        for query_id, by_doc in qrels.items()
        for doc_id, grade in by_doc.items()
        if grade > 0
    ]
    if not unreturned:
        return ()
    for run in runs:
        unreturned = [
            (query_id, doc_id)
            for query_id, doc_id in unreturned
            if doc_id not in run.scores.get(query_id, ())
        ]
        if not unreturned:
            return (_RETURNED_ALONE,)
    return ()
