"""What is known of documents, and of queries, beside their texts: ids, titles, kinds, lengths."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from judge_tui.analysis.document_slices import NO_TEXT, DocumentFacts
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.queries import all_queries
from judge_tui.model import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["QueryFacts", "document_facts", "query_facts"]


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """query_id -> text, and what queries can be sliced by: field -> query_id -> value, "" for a
    query without it. `class` comes first, the other fields in alphabetical order; a field that no
    query has a value for is not there. `queries` are all of them.
    """

    texts: Mapping[str, str]
    fields: Mapping[str, Mapping[str, str]]
    queries: tuple[Query, ...] = ()


def document_facts(campaign: Campaign, keys: NDArray[np.int64]) -> DocumentFacts:
    """Kind and length of the documents of those keys."""
    wanted = np.unique(keys)
    # To SQLite, a text ends at its first NUL: the few that have one are read, the others are not.
    rows = campaign.rows(
        "SELECT id, kind, length(text), CASE WHEN instr(CAST(text AS BLOB), x'00') THEN text END"
        " FROM documents WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(wanted.tolist()),),
    )
    found = [
        (key, kind.strip(), length if text is None else len(text))
        for key, kind, length, text in rows
    ]
    return DocumentFacts(
        documents=np.array([key for key, _, _ in found], dtype=np.int64),
        kinds=tuple(kind for _, kind, _ in found),
        lengths=np.array([NO_TEXT if n is None else n for _, _, n in found], dtype=np.int64),
    )


def query_facts(campaign: Campaign) -> QueryFacts:
    """Texts and fields of all queries, values as `--by` of the scores has them."""
    queries = all_queries(campaign)
    values = {
        query.query_id: {
            name: _told(value) for name, value in {**query.meta, "class": query.query_class}.items()
        }
        for query in queries
    }
    fields = {name for one in values.values() for name, value in one.items() if value}
    order = sorted(fields, key=lambda name: (name != "class", name))
    return QueryFacts(
        texts={query.query_id: query.text for query in queries},
        fields={
            name: {query_id: one.get(name, "") for query_id, one in values.items()}
            for name in order
        },
        queries=tuple(queries),
    )


def _told(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
