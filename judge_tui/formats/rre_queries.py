"""Queries of a ratings file of the Rated Ranking Evaluator."""

from __future__ import annotations

from judge_tui.formats.rated_queries import queries_of
from judge_tui.formats.rre_qrels import FORMAT as RATINGS

__all__ = ["FORMAT"]

FORMAT = queries_of(RATINGS)
