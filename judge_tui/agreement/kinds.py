"""Pairs by how they were graded: pairs that every judge graded alike are one kind.

Sums over kinds, which stand in an order of their own, are the same to the last digit in whatever
order the pairs came; and where few judges grade many pairs, there are few of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge_tui.agreement.data import NOT_GRADED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Kinds", "kinds_of", "sorted_runs"]

_WORD = 1 << 62


@dataclass(frozen=True, slots=True)
class Kinds:
    """`places`: int8[judges, kinds], places on the scale or `NOT_GRADED`; `times`: int64[kinds],
    how many pairs were graded so; `part`: int64[kinds], ascending, the part that these pairs are
    of; `grades`: the size of the scale."""

    places: NDArray[np.int8]
    times: NDArray[np.int64]
    part: NDArray[np.int64]
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
        return self.those((self.places != NOT_GRADED).sum(axis=0) >= 2)

    def those(self, there: NDArray[np.bool_]) -> Kinds:
        """Some of them. `there`: bool[kinds]."""
        return Kinds(self.places[:, there], self.times[there], self.part[there], self.grades)


def kinds_of(places: NDArray[np.int8], grades: int, part: NDArray[np.int64] | None = None) -> Kinds:
    """The kinds of some pairs, by part. `places`: int8[judges, pairs]; `grades`: the size of the
    scale; `part`: int64[pairs], all in one where it is not given."""
    import numpy as np  # noqa: PLC0415

    pairs = places.shape[1]
    words, room = [np.zeros(pairs, dtype=np.int64) if part is None else part], _WORD
    for row in places:
        if room > _WORD // (grades + 1):
            words.append(np.zeros(pairs, dtype=np.int64))
            room = 1
        words[-1] = words[-1] * (grades + 1) + row + 1
        room *= grades + 1
    order, begin = sorted_runs(words)
    first = order[begin]
    return Kinds(places[:, first], np.diff(begin, append=pairs), words[0][first], grades)


def sorted_runs(keys: Sequence[NDArray[np.int64]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order by these keys, the first one first, and where in it others begin."""
    import numpy as np  # noqa: PLC0415

    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return order, np.flatnonzero(new)
