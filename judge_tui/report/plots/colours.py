"""Colours that can be told apart by most who see fewer of them, on white and on black: those of
Okabe and Ito (2008), Color Universal Design. No colour ever says something alone.
"""

from __future__ import annotations

__all__ = ["BAD", "GOOD"]

GOOD = "#0072b2"
BAD = "#d55e00"
