"""Queries of a ratings file of the Rated Ranking Evaluator."""

from __future__ import annotations

from judge_tui.formats.rated_queries import queries_of
from judge_tui.formats.rre_qrels import rows as ratings

__all__ = ["rows"]

rows = queries_of(ratings)
