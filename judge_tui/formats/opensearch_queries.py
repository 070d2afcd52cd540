"""Queries of OpenSearch's judgment lists."""

from __future__ import annotations

from judge_tui.formats.opensearch_qrels import rows as ratings
from judge_tui.formats.rated_queries import queries_of

__all__ = ["rows"]

rows = queries_of(ratings)
