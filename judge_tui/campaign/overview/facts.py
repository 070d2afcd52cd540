"""What is known of documents, and of queries, beside their texts: ids, titles, kinds, lengths."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from judge_tui.analysis.document_slices import NO_TEXT, DocumentFacts
from judge_tui.arrays import Ints, sorted_unique
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import kinds_and_lengths
from judge_tui.campaign.store.queries import all_queries
from judge_tui.model import Query


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """query_id -> text, and what queries can be sliced by: field -> query_id -> value, "" for a
    query without it. `class` comes first, the other fields in alphabetical order; a field that no
    query has a value for is not there. `queries` are all of them.
    """

    texts: Mapping[str, str]
    fields: Mapping[str, Mapping[str, str]]
    queries: tuple[Query, ...] = ()


def document_facts(campaign: Campaign, keys: Ints) -> DocumentFacts:
    """Kind and length of the documents of those keys."""
    found = kinds_and_lengths(campaign, sorted_unique(keys).tolist())
    return DocumentFacts(
        documents=np.array([key for key, _, _ in found], dtype=np.int64),
        kinds=tuple(kind.strip() for _, kind, _ in found),
        lengths=np.array([NO_TEXT if n is None else n for _, _, n in found], dtype=np.int64),
    )


def query_facts(campaign: Campaign) -> QueryFacts:
    """Texts and fields of all queries, values as `--by` of the scores has them."""
    queries = all_queries(campaign)
    values = {
        query.query_id: {
            name: _text(value) for name, value in {**query.meta, "class": query.query_class}.items()
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


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
