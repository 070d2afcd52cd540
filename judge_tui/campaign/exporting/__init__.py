"""What a campaign holds, as files for the world: one function a noun; `formats` has the writers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Exported"]


@dataclass(frozen=True, slots=True)
class Exported:
    """How much was written, and what was left out: by what it is, the most telling first."""

    counts: Mapping[str, int]

    def __getitem__(self, what: str) -> int:
        return self.counts.get(what, 0)
