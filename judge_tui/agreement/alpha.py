"""All judges at once: Krippendorff's alpha, grades missing or not, and Fleiss' kappa, where every
pair has as many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import fsum, isnan, lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from judge_tui.agreement.estimates import Estimate, estimate, student_95
from judge_tui.agreement.ratings import Patterns, distinct
from judge_tui.arrays import Floats, Ints

# How many counts are drawn at once: 4 million are 32 MB, whatever the number of pairs.
_BLOCK = 4_000_000

# How many sums are worked on at once: what a processor keeps near.
_NEAR = 1 << 18

# Above it a float does not tell whole numbers apart.
_WHOLE = 1 << 53

# An interval from fewer than this share of the resamples would be one of the lucky ones only.
_DEFINED = 0.95
_ENDS = (0.025, 0.975)

Distances: TypeAlias = Callable[[Floats, Floats], Floats]


@cache
def _every_two(grades: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    return np.triu_indices(grades, 1)


def _squared_distances(positions: Floats) -> Floats:
    one, other = _every_two(len(positions))
    squared: Floats = (positions[one] - positions[other]) ** 2
    return squared


def _nominal(_frequencies: Floats, values: Floats) -> Floats:
    return np.ones((len(_every_two(len(values))[0]), 1))


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
) -> list[dict[str, Estimate]]:
    """Return alpha of each slice by metric, with its 95 % bootstrap interval.

    `scale`: ascending; taken as numbers by the interval metric. Pairs with fewer than two grades
    say nothing about agreement and are left out. Krippendorff (2004), Content Analysis, 2nd ed.,
    chapter 11; the values are those of the `krippendorff` package.

    The interval is the percentile bootstrap over pairs: `resamples` draws of as many pairs, in each
    slice from `seed` anew; with 0 resamples there is none. Draws in which all grades are the same
    have no alpha; where they are more than one in twenty, there is no interval. Undefined with
    fewer than two pairs of two or more grades, and where all grades are the same.
    """
    shared = patterns.shared()
    # Pairs graded alike count alike: drawing how often each row comes up is drawing pairs, and the
    # order of pairs and judges plays no part.
    order, begin = distinct([shared.slice, *shared.counts.T])
    rows, of_row = shared.counts[order[begin]], shared.slice[order[begin]]
    often = np.diff(np.append(0, shared.times[order].cumsum())[np.append(begin, len(order))])
    bounds = np.searchsorted(of_row, np.arange(patterns.slices + 1)).tolist()
    summands, common = _summands(rows)
    values = np.asarray(scale, dtype=float)

    none = Estimate(None, None, "fewer than 2 pairs have two or more grades")
    found = [dict.fromkeys(metrics, none) for _ in range(patterns.slices)]
    # Slices whose rows come equally often have their draws in common.
    alike: dict[bytes, list[int]] = {}
    for at, (start, end) in enumerate(pairwise(bounds)):
        if often[start:end].sum() >= 2:
            alike.setdefault(often[start:end].tobytes(), []).append(at)
    length = max(1, _NEAR // (len(summands) * (resamples + 1)))
    for together in alike.values():
        for some in (together[at : at + length] for at in range(0, len(together), length)):
            # What is summed up x slices x rows, times rows x draws.
            columns = np.stack([summands[:, bounds[at] : bounds[at + 1]] for at in some], axis=1)
            draws = _draws(often[bounds[some[0]] : bounds[some[0] + 1]], seed, resamples)
            sums = np.concatenate([columns @ drawn.T for drawn in draws], axis=2)
            for metric in metrics:
                alphas = _alphas(sums.reshape(len(sums), -1), values, common, metric)
                estimates = _with_intervals(alphas.reshape(len(some), -1), resamples)
                for at, one in zip(some, estimates, strict=True):
                    found[at][metric] = one
    return found


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
    one, other = _every_two(rows.shape[1])
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
    one, other = _every_two(len(values))
    squared = METRICS[metric](frequencies, values)
    observed = (together * squared).sum(axis=0)
    expected = (frequencies[one] * frequencies[other] * squared).sum(axis=0)
    free = frequencies.sum(axis=0) - 1
    alphas = np.full(expected.shape, np.nan)
    np.divide(free * observed, common * expected, out=alphas, where=expected > 0)
    return 1 - alphas


def _with_intervals(alphas: Floats, resamples: int) -> Iterator[Estimate]:
    """Yield an estimate for each row of alphas, the first of the pairs themselves, the others of
    resamples."""
    drawn, ends = alphas[:, 1:], np.empty((len(alphas), 2))
    undefined = np.isnan(drawn).sum(axis=1)
    enough = resamples - undefined >= _DEFINED * resamples
    if resamples:
        ends = np.quantile(drawn, _ENDS, axis=1).T
        for row in np.flatnonzero(enough & (undefined > 0)):
            ends[row] = np.nanquantile(drawn[row], _ENDS)
    for value, many, (low, high), defined in zip(
        alphas[:, 0].tolist(), undefined.tolist(), ends.tolist(), enough.tolist(), strict=True
    ):
        if isnan(value):
            yield Estimate(None, None, "all grades are the same")
        elif not resamples:
            yield Estimate(value)
        elif not defined:
            why = f"no interval: {many} of {resamples} resamples hold one grade only"
            yield Estimate(value, None, why)
        elif high - low < 1e-9:
            yield Estimate(value, None, "no interval: every resample agrees as much")
        else:
            yield Estimate(value, (low, high))


def fleiss_kappa(patterns: Patterns) -> Estimate:
    """Return Fleiss' kappa of all pairs, whatever their slice.

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
