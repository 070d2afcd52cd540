"""Many pairs of judges as if they were one: percent agreement and kappa, pooled, with intervals
that heed that grades of one document belong together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.estimate import Estimate, estimate
from judge_tui.agreement.kinds import Kinds
from judge_tui.agreement.percent import wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Pooled", "confusions", "pooled_agreement", "pooled_by_part"]

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
    [found] = pooled_by_part(kinds, 1, judge)
    return found


def pooled_by_part(kinds: Kinds, parts: int, judge: int | None = None) -> list[Pooled]:
    """The same of each part of the pairs by itself; parts are numbers below `parts`."""
    import numpy as np  # noqa: PLC0415

    kinds = kinds.shared
    if judge is not None:
        kinds = kinds.those(kinds.places[judge] >= 0)
    alike, compared = _compared(kinds, judge)
    pairs, whole, same = (_summed(kinds, parts, each) for each in (1, compared, alike))
    share = same / np.maximum(whole, 1)
    squares = _summed(kinds, parts, (alike - share[kinds.part] * compared) ** 2)
    # Each two judges are counted from both sides where there is no one judge to start from.
    twice = 1 if judge is not None else 2
    # No document differs from the others: how many cases they are worth, nothing tells.
    differ = squares >= _NOTHING
    worth = share * (1 - share) * whole**2 / np.where(differ, squares, 1)
    independent = np.where(differ, np.minimum(worth, whole / twice), pairs)
    kappas = _kappas(kinds, parts, judge)
    none = Estimate(None, None, "no pair has two grades to compare")
    return [
        Pooled(int(n), int(many) // twice, wilson(part_alike, cases), kappa)
        if n
        else Pooled(0, 0, none, none)
        for n, many, part_alike, cases, kappa in zip(
            pairs.tolist(),
            whole.tolist(),
            share.tolist(),
            independent.tolist(),
            kappas,
            strict=True,
        )
    ]


def _compared(kinds: Kinds, judge: int | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """int64[kinds], twice: comparisons of two grades of the pair that are alike, and all."""
    import numpy as np  # noqa: PLC0415

    table = kinds.table
    given = table.sum(axis=1)
    if judge is None:
        return (table * (table - 1)).sum(axis=1), given * (given - 1)
    own = table[np.arange(len(table)), kinds.places[judge]]
    return own - 1, given - 1


def _summed(kinds: Kinds, parts: int, each: NDArray[np.int64] | Floats | int) -> Floats:
    """float64[parts]: over the pairs of each part, one after another, so that what the other parts
    hold does not change a digit."""
    import numpy as np  # noqa: PLC0415

    return np.bincount(kinds.part, weights=kinds.times * each, minlength=parts).astype(float)


def _kappas(kinds: Kinds, parts: int, judge: int | None) -> Iterator[Estimate]:
    """Of every two judges in each part, or of `judge` and every other."""
    import numpy as np  # noqa: PLC0415

    steps = np.arange(kinds.grades)
    loss = ((steps[:, None] - steps[None, :]) ** 2).astype(float)
    observed, by_chance = np.zeros(parts), np.zeros(parts)
    for _, counts in confusions(kinds, parts, judge):
        observed += (counts * loss).sum(axis=(1, 2))
        by_chance += _expected(counts, loss)[0]
    # Whole numbers multiplied and added: zero is exact.
    remaining = np.divide(observed, by_chance, out=np.zeros(parts), where=by_chance > 0)

    influence = np.zeros(len(kinds.times))
    padded = np.zeros((parts, kinds.grades + 1, kinds.grades + 1))
    for cells, counts in confusions(kinds, parts, judge):
        expected, by_first, by_second = _expected(counts, loss)
        mean = expected / np.maximum(counts.sum(axis=(1, 2)), 1)
        chance = by_first[:, :, None] + by_second[:, None, :] - mean[:, None, None]
        padded[:, 1:, 1:] = loss - remaining[:, None, None] * chance
        influence += padded.ravel()[cells]
    errors = _summed(kinds, parts, influence**2) ** 0.5
    for left, chance, error in zip(
        remaining.tolist(), by_chance.tolist(), errors.tolist(), strict=True
    ):
        if chance == 0:
            yield Estimate(None, None, "whoever is compared gave one and the same grade throughout")
        else:
            yield estimate(1 - left, error / chance)


def confusions(
    kinds: Kinds, parts: int, judge: int | None = None
) -> Iterator[tuple[NDArray[np.intp], Floats]]:
    """Of every two judges, or of `judge` and every other: the cell of each kind, of parts x
    1 + grades x 1 + grades, where "not graded" is one more grade, the first; and the counts, parts
    x grades x grades."""
    import numpy as np  # noqa: PLC0415

    size = kinds.grades + 1
    places = kinds.places.astype(np.intp) + 1
    rows = range(len(places))
    two_by_two = (
        combinations(rows, 2)
        if judge is None
        else ((judge, other) for other in rows if other != judge)
    )
    for one, other in two_by_two:
        cells = (kinds.part * size + places[one]) * size + places[other]
        counts = np.bincount(cells, weights=kinds.times, minlength=parts * size * size)
        yield cells, counts.astype(float).reshape(parts, size, size)[:, 1:, 1:]


def _expected(counts: Floats, loss: Floats) -> tuple[Floats, Floats, Floats]:
    """The disagreement expected by chance, float64[parts], and that of one pair to which the one
    judge, or the other, gave each grade, float64[parts, grades]."""
    import numpy as np  # noqa: PLC0415

    first, second = counts.sum(axis=2), counts.sum(axis=1)
    shared = np.maximum(first.sum(axis=1), 1)[:, None]
    by_first, by_second = second @ loss / shared, first @ loss / shared
    return (first * by_first).sum(axis=1), by_first, by_second
