"""Trying every number of unjudged documents that may be relevant, the earliest or the latest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.scoring.bounds.unjudged import Grading, Unjudged

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts: TypeAlias = NDArray[np.int64]
    Reals: TypeAlias = NDArray[np.float64]

__all__ = ["Taken", "try_every_number"]

_CELLS = 1 << 14
"""Cells of a matrix that is worked on at once: what a cache holds, and no page faults."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Of `count` unjudged documents, `numbers` (one a column) are relevant and the others are not:
    the earliest ones, or the latest.
    """

    numbers: Counts
    count: int
    earliest: bool

    @property
    def left(self) -> Counts:
        """How many are not relevant."""
        return self.count - self.numbers

    @property
    def left_ahead(self) -> Counts:
        """How many that are not relevant stand before each that is."""
        return 0 * self.numbers if self.earliest else self.left

    def among(self, first: Counts) -> Counts:
        """How many of the `first` unjudged documents are relevant; a row for each of `first`."""
        import numpy as np  # noqa: PLC0415

        first = first[:, None]
        taken: Counts = (
            np.minimum(first, self.numbers) if self.earliest else np.maximum(first - self.left, 0)
        )
        return taken


def try_every_number(
    unjudged: Unjudged, rel: int, rows: int, value: Callable[[Taken], Reals]
) -> tuple[Grading, Grading]:
    """The grading with the least value when the latest are relevant, and that with the greatest
    when the earliest are.

    `value` gives one for each column of what is `Taken`; it builds matrices with `rows` rows.
    """
    import numpy as np  # noqa: PLC0415

    every = np.array(unjudged.numbers_relevant(rel))
    parts = np.array_split(every, min(len(every), 1 + len(every) * rows // _CELLS))

    def values(earliest: bool) -> Reals:
        return np.concatenate([value(Taken(part, unjudged.count, earliest)) for part in parts])

    least = int(every[np.argmin(values(earliest=False))])
    most = int(every[np.argmax(values(earliest=True))])
    return unjudged.last(least), unjudged.first(most)
