"""Which (query, document) pairs are judged, and in which order. Pure: ranked lists in, pairs out;
the same seed gives the same pool and the same order on every machine and every Python.
"""

from judge_tui.pooling.order import judging_order
from judge_tui.pooling.pool import AUDIT, PooledPair, build_pool
from judge_tui.pooling.strategies import STRATEGIES

__all__ = ["AUDIT", "STRATEGIES", "PooledPair", "build_pool", "judging_order"]
