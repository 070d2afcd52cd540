"""Pairs by how they were graded: pairs that every judge graded alike are one kind.

Sums over kinds, which stand in an order of their own, are the same to the last digit in whatever
order the pairs came; and where few judges grade many pairs, there are few of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.agreement.data import NOT_GRADED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Kinds", "kinds_of"]

_WORD = 1 << 62


@dataclass(frozen=True, slots=True)
class Kinds:
    """`places`: int8[judges, kinds], places on the scale or `NOT_GRADED`; `times`: int64[kinds],
    how many pairs were graded so; `grades`: the size of the scale."""

    places: NDArray[np.int8]
    times: NDArray[np.int64]
    grades: int

    @property
    def table(self) -> NDArray[np.int64]:
        """int64[kinds, grades]: how many judges gave each grade."""
        import numpy as np  # noqa: PLC0415

        rows = [(self.places == grade).sum(axis=0) for grade in range(self.grades)]
        return np.stack(rows, axis=1)

    @property
    def shared(self) -> Kinds:
        """Those with two grades or more."""
        there = (self.places != NOT_GRADED).sum(axis=0) >= 2
        return Kinds(self.places[:, there], self.times[there], self.grades)


def kinds_of(places: NDArray[np.int8], grades: int) -> Kinds:
    """The kinds of some pairs. `places`: int8[judges, pairs]; `grades`: the size of the scale."""
    import numpy as np  # noqa: PLC0415

    pairs = places.shape[1]
    words, room = [np.zeros(pairs, dtype=np.int64)], 1
    for row in places:
        if room > _WORD // (grades + 1):
            words.append(np.zeros(pairs, dtype=np.int64))
            room = 1
        words[-1] = words[-1] * (grades + 1) + row + 1
        room *= grades + 1
    if len(words) == 1:
        _, first, times = np.unique(words[0], return_index=True, return_counts=True)
        return Kinds(places[:, first], times, grades)
    order = np.lexsort(words[::-1])
    new = np.ones(pairs, dtype=bool)
    new[1:] = np.any([word[order][1:] != word[order][:-1] for word in words], axis=0)
    begin = np.flatnonzero(new)
    return Kinds(places[:, order[begin]], np.diff(begin, append=pairs), grades)
