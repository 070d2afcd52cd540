"""All judges at once: Krippendorff's alpha, grades missing or not, and Fleiss' kappa, where every
pair has as many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import fsum, lcm
from typing import TypeAlias

import numpy as np

from judge_tui.agreement.estimates import Estimate, estimate, student_95
from judge_tui.agreement.ratings import Patterns, distinct
from judge_tui.arrays import Floats, Ints

# How many counts are drawn at once: 4 million are 32 MB, whatever the number of pairs.
_BLOCK = 4_000_000

# Above it a float does not tell whole numbers apart.
_WHOLE = 1 << 53

# An interval from fewer than this share of the resamples would be one of the lucky ones only.
_DEFINED = 0.95
_ENDS = (0.025, 0.975)

Distances: TypeAlias = Callable[[Floats, Floats], Floats]


def _squared_distances(positions: Floats) -> Floats:
    one, other = np.triu_indices(len(positions), 1)
    squared: Floats = (positions[one] - positions[other]) ** 2
    return squared


def _nominal(_frequencies: Floats, values: Floats) -> Floats:
    return np.ones((len(values) * (len(values) - 1) // 2, 1))


def _ordinal(frequencies: Floats, _values: Floats) -> Floats:
    # The sum of the frequencies between two grades, half of each end left out, is the difference of
    # their mid-ranks: it depends on how often each grade was given, in every resample anew.
    grades = len(frequencies)
    return _squared_distances((np.tri(grades) - np.eye(grades) / 2) @ frequencies)


def _interval(_frequencies: Floats, values: Floats) -> Floats:
    return _squared_distances(values[:, None])


METRICS: dict[str, Distances] = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}
"""The squared distance of every two grades: frequencies (grades x resamples) and values (grades) to
pairs of grades x resamples, or x 1 where it is the same in all.
Krippendorff (2004), Content Analysis, 2nd ed., 11.3."""


def krippendorff_alpha(
    patterns: Patterns,
    scale: Sequence[int],
    *,
    metrics: Sequence[str] = tuple(METRICS),
    seed: int = 0,
    resamples: int = 1000,
) -> dict[str, Estimate]:
    """Return alpha by metric, with its 95 % bootstrap interval.

    `scale`: ascending; taken as numbers by the interval metric. Pairs with fewer than two grades
    say nothing about agreement and are left out. Krippendorff (2004), Content Analysis, 2nd ed.,
    chapter 11; the values are those of the `krippendorff` package.

    The interval is the percentile bootstrap over pairs: `resamples` draws of as many pairs, from
    `seed`; with 0 resamples there is none. Draws in which all grades are the same have no alpha;
    where they are more than one in twenty, there is no interval. Undefined with fewer than two
    pairs of two or more grades, and where all grades are the same.
    """
    shared = patterns.shared()
    if shared.times.sum() < 2:
        why = "fewer than 2 pairs have two or more grades"
        return dict.fromkeys(metrics, Estimate(None, None, why))
    # Pairs graded alike count alike: drawing how often each row comes up is drawing pairs, and the
    # order of pairs and judges plays no part.
    order, begin = distinct([*shared.counts.T])
    often = np.add.reduceat(shared.times[order], begin)
    summands, common = _summands(shared.counts[order[begin]])
    drawn = [summands @ draws.T for draws in _draws(often, seed, resamples)]
    sums, values = np.concatenate(drawn, axis=1), np.asarray(scale, dtype=float)
    return {metric: _with_interval(_alphas(sums, values, common, metric)) for metric in metrics}


def _summands(rows: Ints) -> tuple[Floats, int]:
    """Return what one pair of each row adds to the frequency of each grade and to the coincidences
    of every two grades, and the number by which the coincidences are multiplied.

    With the common denominator of the coincidences for that number, all sums are of whole numbers,
    and exact in whatever order they are added up.
    """
    others = rows.sum(axis=1) - 1
    common = lcm(*np.unique(others).tolist())
    if common > _WHOLE:
        common = 1
    one, other = np.triu_indices(rows.shape[1], 1)
    together = rows[:, one] * rows[:, other] * (common / others)[:, None]
    return np.concatenate([rows, together], axis=1).T, common


def _draws(often: Ints, seed: int, resamples: int) -> Iterator[Floats]:
    """Yield how often each row comes up (draws x rows): in the pairs themselves, then in as many
    pairs drawn from them."""
    yield often[None, :].astype(float)
    random = np.random.default_rng(seed)
    pairs = often.sum()
    block = max(1, _BLOCK // len(often))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        yield random.multinomial(pairs, often / pairs, size=size).astype(float)


def _alphas(sums: Floats, values: Floats, common: int, metric: str) -> Floats:
    """Return alpha of each column of `sums`, which has in its rows what `_summands` has; NaN where
    it is undefined."""
    frequencies, together = sums[: len(values)], sums[len(values) :]
    one, other = np.triu_indices(len(values), 1)
    squared = METRICS[metric](frequencies, values)
    observed = (together * squared).sum(axis=0)
    expected = (frequencies[one] * frequencies[other] * squared).sum(axis=0)
    free = frequencies.sum(axis=0) - 1
    alphas = np.full(expected.shape, np.nan)
    np.divide(free * observed, common * expected, out=alphas, where=expected > 0)
    return 1 - alphas


def _with_interval(alphas: Floats) -> Estimate:
    """Return the first alpha, of the pairs themselves, with the interval of the others, of
    resamples."""
    value, drawn = float(alphas[0]), alphas[1:]
    defined = drawn[~np.isnan(drawn)]
    if np.isnan(value):
        return Estimate(None, None, "all grades are the same")
    if not len(drawn):
        return Estimate(value)
    if len(defined) < _DEFINED * len(drawn):
        undefined = len(drawn) - len(defined)
        why = f"no interval: {undefined} of {len(drawn)} resamples hold one grade only"
        return Estimate(value, None, why)
    low, high = np.quantile(defined, _ENDS).tolist()
    if high - low < 1e-9:
        return Estimate(value, None, "no interval: every resample agrees as much")
    return Estimate(value, (low, high))


def fleiss_kappa(patterns: Patterns) -> Estimate:
    """Return Fleiss' kappa.

    Fleiss (1971), Psychol. Bull. 76:378-382. The interval is that of `fleiss` in irrCAC: Student's
    t with n - 1 degrees of freedom and the linearised variance over n pairs of Gwet (2014),
    Handbook of Inter-Rater Reliability, 4th ed., chapter 5. Undefined where the pairs
    differ in how often they were judged (Krippendorff's alpha is made for that), where they were
    judged once, and where all grades are the same.
    """
    counts, times = patterns.counts, patterns.times
    if counts.size == 0:
        return Estimate(None, None, "no pair was judged")
    judged = counts.sum(axis=1)
    least, most = int(judged.min()), int(judged.max())
    if least != most:
        return Estimate(
            None, None, f"some pairs have {least} and some {most} grades: all need as many"
        )
    if most < 2:
        return Estimate(None, None, "no pair was graded by two judges")
    pairs = int(times.sum())
    by_grade = times @ counts
    if np.count_nonzero(by_grade) == 1:
        return Estimate(None, None, "all grades are the same")
    observed = (int((times @ counts**2).sum()) - pairs * most) / (pairs * most * (most - 1))
    by_chance = int((by_grade**2).sum()) / (pairs * most) ** 2
    value = (observed - by_chance) / (1 - by_chance)
    if pairs < 2:
        return Estimate(value, None, "no interval: it takes two pairs")

    # Rows alike are added up as one, and the sum is exact, so that in whatever order pairs, judges
    # and grades stand, every digit is the same.
    counts, row = np.unique(counts, axis=0, return_inverse=True)
    weights = np.bincount(row.ravel(), weights=times)
    agreed = ((counts**2).sum(axis=1) - most) / (most * (most - 1))
    by_habit = counts @ by_grade / (pairs * most**2)
    influence = (agreed - by_chance) / (1 - by_chance)
    influence -= 2 * (1 - value) * (by_habit - by_chance) / (1 - by_chance)
    variance = fsum(weights * (influence - value) ** 2) / (pairs * (pairs - 1))
    return estimate(value, variance**0.5, student_95(pairs - 1))
