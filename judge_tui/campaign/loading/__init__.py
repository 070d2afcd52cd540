"""Files loaded into a campaign: each of them whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["LoadCounts", "OnCount"]


OnCount = Callable[[int], None]
"""Called now and then while a file is read: with the number of rows so far, or of bytes since."""


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """The outcome of one load: rows that came in, that took the place of others, that were there
    already, that were left out; and of grades, those that `stay` as they were decided in the app.
    `lacking`: documents whose text could not be had, each with the reason."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    left_out: int = 0
    stay: int = 0
    lacking: tuple[str, ...] = ()
