"""So many of something, in words."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """`1 field`, `4,000 fields`; `many` where that is not the noun with an s."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
