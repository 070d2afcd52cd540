"""Many pairs of judges as if they were one, and one judge beside all others: how far they agree,
and how much higher the one grades.

Errors heed that grades of one document belong together: judges who copy each other are no new
evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt

import numpy as np

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.estimates import (
    NO_PAIRS,
    Coefficients,
    Estimate,
    estimate,
    mean_of,
    wilson,
)
from judge_tui.agreement.ratings import NOT_GRADED, Patterns, confusion_of
from judge_tui.arrays import Floats, Ints
from judge_tui.sums import total

# A sum of squares below this is the rounding of floats.
_NO_ERROR = 1e-9


def pooled_agreement(patterns: Patterns, judge: int | None = None) -> Coefficients:
    """Return the agreement of every two judges who graded a pair, as if they were one; with
    `judge`, a row, that of this judge and each other.

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
    counts, times = patterns.counts, patterns.times
    pairs = int(times.sum())
    if not pairs:
        none = Estimate(None, None, NO_PAIRS)
        return Coefficients(0, {"agreement": none, "kappa_quadratic": none})
    graded = counts.sum(axis=1)
    if judge is None:
        # Each two judges are counted from both sides.
        alike, compared, twice = (counts * (counts - 1)).sum(axis=1), graded * (graded - 1), 2
    else:
        own = counts[np.arange(len(counts)), patterns.grades[judge]]
        alike, compared, twice = own - 1, graded - 1, 1
    whole = int(times @ compared)
    share = int(times @ alike) / whole
    squares = total((times * (alike - share * compared) ** 2).tolist())
    independent: float = pairs  # no document differs from the others: nothing tells their worth
    if squares >= _NO_ERROR:
        independent = min(share * (1 - share) * whole**2 / squares, whole / twice)
    return Coefficients(
        pairs,
        {"agreement": wilson(share, independent), "kappa_quadratic": _kappa(patterns, judge)},
    )


def _kappa(patterns: Patterns, judge: int | None) -> Estimate:
    """Return kappa of every two judges, or of `judge` and every other."""
    judges = range(len(patterns.grades))
    compared = [*combinations(judges, 2)]
    if judge is not None:
        compared = [(judge, other) for other in judges if other != judge]
    steps = np.arange(patterns.counts.shape[1])
    loss = ((steps[:, None] - steps) ** 2).astype(float)
    observed = by_chance = 0.0
    confusions = []
    for one, other in compared:
        grades = patterns.grades[one], patterns.grades[other]
        confusions.append((grades, confusion_of(*grades, len(steps), patterns.times)))
        observed += float((confusions[-1][1] * loss).sum())
        by_chance += _expected(confusions[-1][1], loss)[0]
    # Whole numbers multiplied and added: zero is exact.
    if by_chance == 0:
        return Estimate(None, None, "whoever is compared gave one and the same grade throughout")
    remaining = observed / by_chance

    influence = np.zeros(len(patterns.times))
    for (first, second), confusion in confusions:
        expected, by_first, by_second = _expected(confusion, loss)
        mean = expected / max(int(confusion.sum()), 1)
        of_cell = loss - remaining * (by_first[:, None] + by_second - mean)
        both = (first != NOT_GRADED) & (second != NOT_GRADED)
        influence[both] += of_cell[first[both], second[both]]
    error = sqrt(total((patterns.times * influence**2).tolist()))
    return estimate(1 - remaining, error / by_chance)


def _expected(confusion: Ints, loss: Floats) -> tuple[float, Floats, Floats]:
    """Return the disagreement expected by chance, and that of one pair to which the one judge, or
    the other, gave each grade, float64[grades]."""
    first, second = confusion.sum(axis=1), confusion.sum(axis=0)
    shared = max(int(first.sum()), 1)
    by_first, by_second = second @ loss / shared, first @ loss / shared
    return float((first * by_first).sum()), by_first, by_second


def beside_others(patterns: Patterns, judge: int, scale: Sequence[int]) -> Coefficients:
    """Compare a judge, a row, with all others: `pooled_agreement`; `bias`, the mean of the judge's
    grade less the mean of the others' on the same pair, in grades, with Student's interval; and
    `alpha_without`, ordinal alpha of the others by themselves, without interval."""
    pooled = pooled_agreement(patterns, judge)
    shared, values = patterns.shared(judge), np.asarray(scale, dtype=float)
    own = values[shared.grades[judge]]
    others = (shared.counts @ values - own) / (shared.counts.sum(axis=1) - 1)
    its = patterns.grades[judge][:, None] == np.arange(len(scale))
    without = replace(patterns, counts=patterns.counts - its)
    alpha = krippendorff_alpha(without, scale, metrics=["ordinal"], resamples=0)
    bias = mean_of(own - others, shared.times)
    return Coefficients(
        pooled.pairs, {**pooled.estimates, "bias": bias, "alpha_without": alpha["ordinal"]}
    )
