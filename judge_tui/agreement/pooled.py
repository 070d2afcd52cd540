"""Many pairs of judges as if they were one, and one judge beside all others: how far they agree,
how much higher the one grades, and whether that changes in the course of time.

Errors heed that grades of one document belong together: judges who copy each other are no new
evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from judge_tui.agreement.estimates import (
    NO_PAIRS,
    NO_SPREAD,
    Coefficients,
    Estimate,
    Mean,
    estimate,
    mean_of,
    student_95,
    wilson,
)
from judge_tui.agreement.ratings import NOT_GRADED, Patterns, Ratings, halves, patterns_of
from judge_tui.arrays import Floats, Ints

# A sum of squares below this is the rounding of floats.
_NO_ERROR = 1e-9


def pooled_agreement(patterns: Patterns, judge: int | None = None) -> list[Coefficients]:
    """Return for each slice the agreement of every two judges who graded a pair, as if they were
    one; with `judge`, a row, that of this judge and each other.

    `agreement` is the share of comparisons of two judges in which both gave one grade.
    `kappa_quadratic` is pooled: disagreement observed and expected by chance are each summed over
    the pairs of judges, chance being that of each two judges by their own habits (De Vries et al.
    2008, Field Methods 20:272-282; here who has more documents in common weighs more). With two
    judges it is Cohen's.

    Comparisons of the same document are not independent, so that errors are those of sums over
    documents: kappa's by the delta method (Yang & Zhou 2014, Stat. Med. 33:2612-2633), the share's
    as Wilson's interval with the number of independent comparisons that would have its error. With
    two judges both are the intervals of `percent_agreement` and `cohen_kappa`.
    """
    patterns = patterns.shared(judge)
    counts, graded = patterns.counts, patterns.counts.sum(axis=1)
    if judge is None:
        # Each two judges are counted from both sides.
        alike, compared, twice = (counts * (counts - 1)).sum(axis=1), graded * (graded - 1), 2
    else:
        own = counts[np.arange(len(counts)), patterns.grades[judge]]
        alike, compared, twice = own - 1, graded - 1, 1
    pairs, whole, same = (patterns.sum(each) for each in (1, compared, alike))
    share = same / np.maximum(whole, 1)
    squares = patterns.sum((alike - share[patterns.slice] * compared) ** 2)
    # Where no document differs from the others, nothing tells how many cases they are worth.
    differ = squares >= _NO_ERROR
    worth = share * (1 - share) * whole**2 / np.where(differ, squares, 1)
    independent = np.where(differ, np.minimum(worth, whole / twice), pairs)
    none = Estimate(None, None, NO_PAIRS)
    return [
        Coefficients(
            int(n),
            {
                "agreement": wilson(alike_share, cases) if n else none,
                "kappa_quadratic": kappa if n else none,
            },
        )
        for n, alike_share, cases, kappa in zip(
            pairs.tolist(),
            share.tolist(),
            independent.tolist(),
            _kappas(patterns, judge),
            strict=True,
        )
    ]


def _kappas(patterns: Patterns, judge: int | None) -> Iterator[Estimate]:
    """Yield kappa of each slice: of every two judges, or of `judge` and every other."""
    steps = np.arange(patterns.counts.shape[1])
    loss = ((steps[:, None] - steps) ** 2).astype(float)
    observed, by_chance = np.zeros((2, patterns.slices))
    for one, others in _compared(len(patterns.grades), judge):
        counts = patterns.confusions(one, others)
        observed += (counts * loss).sum(axis=(0, 2, 3))
        for expected in _expected(counts, loss)[0]:
            by_chance += expected
    # Whole numbers multiplied and added: zero is exact.
    remaining = np.divide(observed, by_chance, out=np.zeros_like(observed), where=by_chance > 0)

    influence = np.zeros(len(patterns.times))
    for one, others in _compared(len(patterns.grades), judge):
        counts = patterns.confusions(one, others)
        expected, by_first, by_second = _expected(counts, loss)
        mean = expected / np.maximum(counts.sum(axis=(2, 3)), 1)
        chance = by_first[..., :, None] + by_second[..., None, :] - mean[..., None, None]
        padded = np.zeros((*counts.shape[:2], len(loss) + 1, len(loss) + 1))
        padded[..., 1:, 1:] = loss - remaining[:, None, None] * chance
        for of_cell, cells in zip(padded, patterns.cells(one, others), strict=True):
            influence += of_cell.ravel()[cells]
    errors = patterns.sum(influence**2) ** 0.5
    for left, expected, error in zip(
        remaining.tolist(), by_chance.tolist(), errors.tolist(), strict=True
    ):
        if expected == 0:
            yield Estimate(None, None, "whoever is compared gave one and the same grade throughout")
        else:
            yield estimate(1 - left, error / expected)


def _compared(judges: int, judge: int | None) -> Iterator[tuple[int, list[int]]]:
    """A judge and whom that one is compared with: every two judges once, or one and all others."""
    if judge is not None:
        yield judge, [other for other in range(judges) if other != judge]
    else:
        yield from ((one, [*range(one + 1, judges)]) for one in range(judges - 1))


def _expected(counts: Floats, loss: Floats) -> tuple[Floats, Floats, Floats]:
    """The disagreement expected by chance, float64[others, slices], and that of one pair to which
    the one judge, or the other, gave each grade, float64[others, slices, grades]."""
    first, second = counts.sum(axis=3), counts.sum(axis=2)
    shared = np.maximum(first.sum(axis=2), 1)[..., None]
    by_first, by_second = second @ loss / shared, first @ loss / shared
    return (first * by_first).sum(axis=2), by_first, by_second


def beside_others(patterns: Patterns, judge: int, scale: Sequence[int]) -> list[Coefficients]:
    """Compare a judge, a row, with all others in each slice: `pooled_agreement`, and `bias`, the
    mean of the judge's grade less the mean of the others' on the same pair, in grades, with
    Student's interval."""
    return [
        Coefficients(one.pairs, {**one.estimates, "bias": bias.estimate})
        for one, bias in zip(
            pooled_agreement(patterns, judge), _biases(patterns, judge, scale), strict=True
        )
    ]


def _biases(patterns: Patterns, judge: int, scale: Sequence[int]) -> list[Mean]:
    patterns = patterns.shared(judge)
    values = np.asarray(scale, dtype=float)
    own = values[patterns.grades[judge]]
    others = (patterns.counts @ values - own) / (patterns.counts.sum(axis=1) - 1)
    bounds = np.searchsorted(patterns.slice, np.arange(patterns.slices + 1)).tolist()
    return [
        mean_of((own - others)[start:end], patterns.times[start:end])
        for start, end in pairwise(bounds)
    ]


@dataclass(frozen=True, slots=True)
class Drift:
    """One judge's first half and second half, beside the others.

    `change`: how much the bias of the second half is greater than that of the first, with Welch's
    interval, and `p`, the two-sided p of Welch's test; None where it is undefined.
    """

    first: Coefficients
    second: Coefficients
    change: Estimate
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as `agreement -f json` has it."""
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "bias_change": self.change.to_dict() | {"p": self.p},
        }


def drift(ratings: Ratings, judge: int) -> Drift:
    """Compare the two halves of a judge's work. `judge`: a row.

    It is the pairs that another judge graded, too, in the order in which this one first graded
    them.
    """
    pairs = np.flatnonzero((ratings.grades[judge] != NOT_GRADED) & ratings.shared)
    in_time: Ints = pairs[np.argsort(ratings.came[judge][pairs], kind="stable")]
    patterns = patterns_of(ratings, halves(in_time))
    first, second = beside_others(patterns, judge, ratings.scale)
    return Drift(first, second, *_change(*_biases(patterns, judge, ratings.scale)))


def _change(before: Mean, after: Mean) -> tuple[Estimate, float | None]:
    """Welch (1947), Biometrika 34:28-35: the two halves may spread differently."""
    if not before.n or not after.n:
        return Estimate(None, None, "a half has no pair to compare"), None
    change = after.value - before.value
    if before.n < 2 or after.n < 2:
        return Estimate(change, None, "no interval: it takes two pairs in each half"), None
    parts = [half.variance / half.n for half in (before, after)]
    if sum(parts) < NO_SPREAD:
        why = "no interval: the difference is the same everywhere in each half"
        return Estimate(change, None, why), None
    freedom = sum(parts) ** 2 / sum(
        part**2 / (half.n - 1) for part, half in zip(parts, (before, after), strict=True)
    )
    error = float(sum(parts) ** 0.5)
    reach = student_95(freedom) * error
    from scipy.special import stdtr  # noqa: PLC0415 - as in `student_95`

    p = 2 * float(stdtr(freedom, -abs(change) / error))
    return Estimate(change, (change - reach, change + reach)), p
