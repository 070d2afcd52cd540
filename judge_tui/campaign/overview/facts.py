"""What is known of documents, and of queries, beside their texts: ids, titles, kinds, lengths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from judge_tui.analysis.slices import NO_TEXT, DocumentFacts
from judge_tui.arrays import Ints, sorted_unique
from judge_tui.campaign.store.connection import Campaign
from judge_tui.campaign.store.documents import kinds_and_lengths
from judge_tui.campaign.store.queries import all_queries
from judge_tui.model import Query
from judge_tui.scoring.slices import fields_of


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """query_id -> text, what queries can be sliced by (`fields_of`), and all of them."""

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
    queries = tuple(all_queries(campaign))
    texts = {query.query_id: query.text for query in queries}
    return QueryFacts(texts, fields_of(queries), queries)
