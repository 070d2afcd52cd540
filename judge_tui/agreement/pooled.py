"""Many pairs of judges as if they were one: percent agreement and kappa, pooled, with intervals
that heed that grades of one document belong together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.estimate import Estimate, estimate
from judge_tui.agreement.kinds import Kinds
from judge_tui.agreement.percent import wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Pooled", "pooled_agreement"]

_BLOCK = 1 << 22
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Pooled:
    """`pairs` have grades to compare, `compared` times two grades of a pair were compared."""

    pairs: int
    compared: int
    agreement: Estimate
    kappa_quadratic: Estimate


def pooled_agreement(kinds: Kinds, judge: int | None = None) -> Pooled:
    """Of every two judges who graded a pair; with `judge`, a row of `kinds`, of that one and each
    other.

    Agreement is the share of comparisons of two judges in which both gave one grade. Kappa is the
    quadratic weighted one, pooled: disagreement observed and expected by chance are each summed
    over the pairs of judges, chance being that of each two judges by their own habits (De Vries et
    al. 2008, Field Methods 20:272-282; here who has more documents in common weighs more). With two
    judges it is Cohen's.

    Comparisons of the same document are not independent, so that errors are those of sums over
    documents: kappa's by the delta method (Yang & Zhou 2014, Stat. Med. 33:2612-2633), the share's
    as Wilson's interval with the number of independent comparisons that would have its error. With
    two judges both are the intervals of `percent_agreement` and `cohen_kappa`.
    """
    import numpy as np  # noqa: PLC0415

    kinds = _with_two(kinds, judge)
    pairs = int(kinds.times.sum())
    if not pairs:
        none = Estimate(None, None, "no pair has two grades to compare")
        return Pooled(0, 0, none, none)
    alike, compared = _compared(kinds, judge)
    whole = int(kinds.times @ compared)
    share = int(kinds.times @ alike) / whole
    squares = float(kinds.times @ (alike - share * compared) ** 2)
    # Each two judges are counted from both sides where there is no one judge to start from.
    twice = 1 if judge is not None else 2
    # No document differs from the others: how many cases they are worth, nothing tells.
    same = squares < _NOTHING
    independent = pairs if same else min(share * (1 - share) * whole**2 / squares, whole / twice)
    return Pooled(
        pairs=pairs,
        compared=whole // twice,
        agreement=wilson(share, independent),
        kappa_quadratic=_kappa(
            kinds,
            np.arange(len(kinds.places)) if judge is None else np.array([judge]),
        ),
    )


def _with_two(kinds: Kinds, judge: int | None) -> Kinds:
    """What can be compared, and the judges whose grades are compared."""
    kinds = kinds.shared
    if judge is None:
        return kinds
    there = kinds.places[judge] >= 0
    return Kinds(kinds.places[:, there], kinds.times[there], kinds.grades)


def _compared(kinds: Kinds, judge: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """int64[kinds], twice: comparisons of two grades of the pair that are alike, and all."""
    import numpy as np  # noqa: PLC0415

    table = kinds.table
    given = table.sum(axis=1)
    if judge is None:
        return (table * (table - 1)).sum(axis=1), given * (given - 1)
    own = table[np.arange(len(table)), kinds.places[judge]]
    return own - 1, given - 1


def _kappa(kinds: Kinds, judges: NDArray[np.int64]) -> Estimate:
    """Of each of `judges`, rows of `kinds`, and every other."""
    import numpy as np  # noqa: PLC0415

    grades, rows = kinds.grades, len(kinds.places)
    steps = np.arange(grades)
    loss = (steps[:, None] - steps[None, :]) ** 2.0
    own = np.zeros((len(judges) * grades, rows * grades))
    for times, mine, all_of in _one_hot(kinds, judges):
        own += (mine * times[:, None]).T @ all_of
    counts = own.reshape(len(judges), grades, rows, grades)
    counts[np.arange(len(judges)), :, judges, :] = 0  # nobody is compared with themselves
    n = counts.sum(axis=(1, 3))
    first, second = counts.sum(axis=3), counts.sum(axis=1)
    shared = np.maximum(n, 1)
    by_first = np.einsum("ij,abj->aib", loss, second) / shared[:, None, :]
    by_second = np.einsum("ij,aib->abj", loss, first) / shared[:, :, None]
    expected = (first * by_first).sum(axis=1)
    by_chance = float(expected.sum())
    # Whole numbers multiplied and added: zero is exact.
    if by_chance == 0:
        return Estimate(None, None, "whoever is compared gave one and the same grade throughout")
    remaining = float((counts * loss[None, :, None, :]).sum()) / by_chance

    influence = loss[None, :, None, :] - remaining * (
        by_first[:, :, :, None] + by_second[:, None, :, :] - (expected / shared)[:, None, :, None]
    )
    influence *= (n > 0)[:, None, :, None]
    influence[np.arange(len(judges)), :, judges, :] = 0
    flat = influence.reshape(own.shape)
    variance = 0.0
    for times, mine, all_of in _one_hot(kinds, judges):
        variance += float(times @ ((mine @ flat) * all_of).sum(axis=1) ** 2)
    return estimate(1 - remaining, variance**0.5 / by_chance)


def _one_hot(
    kinds: Kinds, judges: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], Floats, Floats]]:
    """Blocks of the kinds: how often each occurs, and one column for each judge and grade, 1 where
    that judge gave that grade: of `judges`, and of all."""
    import numpy as np  # noqa: PLC0415

    rows, many = kinds.places.shape
    length = max(1, _BLOCK // (rows * kinds.grades))
    for begin in range(0, many, length):
        places = kinds.places[:, begin : begin + length].T
        given = (places[:, :, None] == np.arange(kinds.grades)).astype(float)
        yield (
            kinds.times[begin : begin + length],
            given[:, judges].reshape(len(places), -1),
            given.reshape(len(places), -1),
        )
