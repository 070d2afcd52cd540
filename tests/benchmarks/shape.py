"""The files of one row of the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Shape:
    """Qrels and the runs that are scored with them."""

    name: str
    qrels: Path
    runs: Sequence[Path]

    def size(self) -> int:
        """Bytes of all the files."""
        return sum(path.stat().st_size for path in (self.qrels, *self.runs))
