"""Queries of OpenSearch's judgment lists."""

from __future__ import annotations

from judge_tui.formats.opensearch_qrels import FORMAT as RATINGS
from judge_tui.formats.rated_queries import queries_of

__all__ = ["FORMAT"]

FORMAT = queries_of(RATINGS)
