"""The arrays that numbers stand in; docstrings say their shapes."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]


def sorted_unique(*values: Ints) -> Ints:
    """Return the values of all arrays, each once, ascending. `np.unique` hashes them, which takes a
    hundred times as long (NumPy 2.4)."""
    ordered = np.concatenate([np.empty(0, dtype=np.int64), *values])
    ordered.sort()
    first = np.ones(len(ordered), dtype=np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    its: Ints = ordered[first]
    return its


def best_sums(query: Ints, gain: Floats, discount: Floats, queries: int) -> Floats:
    """Return float64[queries]: of gains, the greatest first, the sums of discount x gain."""
    order = np.lexsort((-gain, query))
    sizes = np.bincount(query, minlength=queries)
    place = np.arange(len(query)) - np.repeat(sizes.cumsum() - sizes, sizes)
    top = place < len(discount)
    best = np.bincount(query[order][top], gain[order][top] * discount[place[top]], queries)
    return best.astype(np.float64, copy=False)
