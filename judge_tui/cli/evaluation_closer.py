"""What `evaluate` looks at more closely: by one measure over all queries, or class by class where
these are measured by unlike things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from judge_tui.analysis.closer_look import CloserLook, Wanted, closer_look
from judge_tui.analysis.document_kinds import telling_depth

if TYPE_CHECKING:
    from judge_tui.collect import Systems
    from judge_tui.expectations import Expectations
    from judge_tui.model import Document
    from judge_tui.report.evaluation import Evaluated

__all__ = ["documents_known", "looked_closer"]

_DEPTH = 10


def documents_known(systems: Systems, right: Expectations) -> dict[str, Document] | None:
    """What the files of documents that systems search tell of the documents that are graded; None
    where answers say what is right, which are no documents, and where there is no such file.
    Raises `InputError`."""
    from judge_tui.formats import iter_documents

    files = [one.documents for one in systems.systems if one.documents is not None]
    if right.truths is not None or not files:
        return None
    graded = {doc_id for by_doc in right.qrels.values() for doc_id in by_doc}
    found: dict[str, Document] = {}
    for file in dict.fromkeys(files):
        for _, document in iter_documents(file):
            if document.doc_id in graded:
                found.setdefault(document.doc_id, document)
    return found


def looked_closer(
    evaluated: Evaluated,
    right: Expectations,
    documents: Mapping[str, Document] | None,
    candidates: Iterable[int] = (),
) -> CloserLook:
    """`documents`: what is known of those that are graded; None where nothing is. `candidates`: how
    many each query has, where systems rank these."""
    lists = {
        one.name: {reply.query_id: [hit.doc_id for hit in reply.hits] for reply in one.replies}
        for one in evaluated.collected
    }
    k = min(telling_depth(candidates, _DEPTH), evaluated.depth)
    return closer_look(_wanted(evaluated), lists, right.qrels, documents, k)


def _wanted(evaluated: Evaluated) -> list[Wanted]:
    scores = evaluated.evaluation.scores
    if not evaluated.unlike:
        found = [Wanted(None, evaluated.first, scores.runs)] if evaluated.over_all else []
    else:
        found = [
            Wanted(part.slice.name, measures[0], part.slice.runs)
            for part in evaluated.parts
            if (measures := [one for one in part.slice.measures if one.definition.quality])
        ]
    return [one for one in found if one.runs and one.runs[0].query_ids]
