"""Which (query, document) pairs are judged, by whom (`assignment`), and in which order. Pure:
ranked lists in, pairs out; the same seed gives the same on every machine and every Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judge_tui.pooling.order import judging_order

if TYPE_CHECKING:
    from judge_tui.pooling.pool import AUDIT, PooledPair, build_pool
    from judge_tui.pooling.strategies import STRATEGIES

__all__ = ["AUDIT", "STRATEGIES", "PooledPair", "build_pool", "judging_order"]


def __getattr__(name: str) -> Any:
    # Imported on use: the app needs the order alone, and start-up counts.
    if name in ("AUDIT", "PooledPair", "build_pool"):
        from judge_tui.pooling import pool  # noqa: PLC0415

        return getattr(pool, name)
    if name == "STRATEGIES":
        from judge_tui.pooling.strategies import STRATEGIES  # noqa: PLC0415

        return STRATEGIES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
