"""Header lines: files of TREC have none, those of spreadsheets and of other collections do."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["is_header"]

_IDS = {"id", "_id", "qid", "query_id", "queryid", "topic_id", "docid", "doc_id", "document_id"}
_MORE_IDS = {"docno", "corpus_id", "pid", "passage_id", "iter", "iteration", "run", "system"}
_TEXTS = {"topic", "query", "question", "title", "text", "body", "contents", "passage", "tag"}
_VALUES = {"rank", "score", "relevance", "relevant", "rel", "grade", "label"}
_NAMES = _IDS | _MORE_IDS | _TEXTS | _VALUES


def is_header(fields: Sequence[str]) -> bool:
    """Whether the first two fields are names of columns, such as `query-id` and `corpus-id`."""
    names = [field.strip().strip("\"'").lower().replace("-", "_") for field in fields[:2]]
    return len(names) == 2 and _NAMES.issuperset(names)
