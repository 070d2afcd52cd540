"""How many pairs no majority decides, counted for a million at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["undecided_pairs"]


def undecided_pairs(
    judgments: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
    settled: NDArray[np.int64],
) -> NDArray[np.int64]:
    """int64[n]: the pairs that were judged and that the policy `majority` does not decide.

    `judgments`: one for each judge, pairs (each once) and their grades (0 or more); `settled`:
    pairs that the lead has decided. What `decide_all` calls unresolved: two grades or more are
    given most often, and equally often.
    """
    import numpy as np  # noqa: PLC0415

    if not judgments:
        return np.empty(0, dtype=np.int64)
    pairs = np.concatenate([pairs for pairs, _ in judgments])
    grades = np.concatenate([grades for _, grades in judgments])
    if not len(pairs):
        return pairs
    base = int(grades.max()) + 1
    votes, times = np.unique(pairs * base + grades, return_counts=True)
    voted, begin = np.unique(votes // base, return_index=True)
    most = np.maximum.reduceat(times, begin)
    rivals = np.add.reduceat(times == np.repeat(most, np.diff(begin, append=len(votes))), begin)
    return np.setdiff1d(voted[rivals > 1], settled, assume_unique=True)
