"""Krippendorff's alpha: agreement of any number of judges, grades missing or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import isnan, lcm
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.coefficients import Estimate
from judge_tui.agreement.data import sorted_runs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from judge_tui.arrays import Floats, Ints

    Distance: TypeAlias = Callable[[Floats, Floats], Floats]

__all__ = ["METRICS", "alphas_by_part", "krippendorff_alpha"]

# How many counts are drawn at once: 4 million are 32 MB, whatever the number of pairs.
_BLOCK = 4_000_000

# How many sums are worked on at once: what a processor keeps near.
_NEAR = 1 << 18

# Above it a float does not tell whole numbers apart.
_WHOLE = 1 << 53

# An interval from fewer than this share of the resamples would be one of the lucky ones only.
_DEFINED = 0.95


def _nominal(_frequencies: Floats, values: Floats) -> Floats:
    one, other = _every_two(len(values))
    differs: Floats = (values[one] != values[other]).astype(float)[:, None]
    return differs


def _ordinal(frequencies: Floats, _values: Floats) -> Floats:
    # The sum of the frequencies between two grades, half of each end left out, is the difference of
    # their mid-ranks: it depends on how often each grade was given, in every resample anew.
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    grades = len(frequencies)
    ranks = (np.tri(grades) - np.eye(grades) / 2) @ frequencies
    one, other = _every_two(grades)
    squared: Floats = (ranks[one] - ranks[other]) ** 2
    return squared


def _interval(_frequencies: Floats, values: Floats) -> Floats:
    one, other = _every_two(len(values))
    squared: Floats = ((values[one] - values[other]) ** 2)[:, None]
    return squared


METRICS: dict[str, Distance] = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}
"""The squared distance of every two grades: frequencies (grades x resamples) and values (grades) to
pairs of grades x resamples, or x 1 where it is the same in all.
Krippendorff (2004), Content Analysis, 2nd ed., 11.3."""


def krippendorff_alpha(
    table: ArrayLike,
    scale: Sequence[int],
    *,
    times: ArrayLike | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> dict[str, Estimate]:
    """Alpha for every metric of `METRICS`, each with its 95 % bootstrap interval.

    `table`: pairs x grades, how often each pair got each grade of `scale` (ascending; taken as
    numbers by the interval metric); `times`: how many pairs each row stands for, one where it is
    not given. Pairs with fewer than two grades say nothing about agreement and are left out.
    Krippendorff (2004), Content Analysis, 2nd ed., chapter 11; the values are those of the
    `krippendorff` package.

    The interval is the percentile bootstrap over pairs: `resamples` draws of as many pairs, from
    `seed`; with 0 resamples there is none. Draws in which all grades are the same have no alpha;
    where they are more than one in twenty, there is no interval. Undefined with fewer than two
    pairs of two or more grades, and where all grades are the same.
    """
    import numpy as np  # noqa: PLC0415

    counts = np.asarray(table, dtype=np.int64).reshape(-1, len(scale))
    found = alphas_by_part(
        counts,
        np.ones(len(counts), dtype=np.int64) if times is None else np.asarray(times),
        np.zeros(len(counts), dtype=np.int64),
        scale,
        parts=1,
        metrics=tuple(METRICS),
        seed=seed,
        resamples=resamples,
    )
    return {metric: estimates[0] for metric, estimates in found.items()}


def alphas_by_part(
    counts: Ints,
    times: Ints,
    part: Ints,
    scale: Sequence[int],
    *,
    parts: int,
    metrics: Sequence[str],
    seed: int = 0,
    resamples: int = 1000,
) -> dict[str, list[Estimate]]:
    """The same for many parts of the pairs at once: metric -> alpha of each part by itself.

    `counts`: int64[n, grades], the table; `times`, `part`: int64[n], of each row the pairs that it
    stands for and their part, a number below `parts`. Each part is drawn from `seed` anew.
    """
    import numpy as np  # noqa: PLC0415

    shared = counts.sum(axis=1) >= 2
    counts, times, part = counts[shared], times[shared], part[shared]
    # Pairs graded alike count alike: drawing how often each kind comes up is drawing pairs, and the
    # order of pairs and judges plays no part.
    order, begin = sorted_runs([part, *counts.T])
    kinds = counts[order[begin]]
    often = np.diff(np.append(0, times[order].cumsum())[np.append(begin, len(order))])
    bounds = np.searchsorted(part[order[begin]], np.arange(parts + 1)).tolist()
    summed, common = _summands(kinds)
    values = np.asarray(scale, dtype=float)

    found = {
        metric: [Estimate(None, None, "fewer than 2 pairs have two or more grades")] * parts
        for metric in metrics
    }
    drawn_alike: dict[bytes, list[int]] = {}
    for one in range(parts):
        own = often[bounds[one] : bounds[one + 1]]
        if own.sum() >= 2:
            drawn_alike.setdefault(own.tobytes(), []).append(one)
    length = max(1, _NEAR // (len(summed) * (resamples + 1)))
    for alike in drawn_alike.values():
        for at in range(0, len(alike), length):
            some = alike[at : at + length]
            # What is summed up x parts x kinds, times kinds x draws.
            columns = np.stack([summed[:, bounds[one] : bounds[one + 1]] for one in some], axis=1)
            draws = _draws(often[bounds[some[0]] : bounds[some[0] + 1]], seed, resamples)
            sums = np.concatenate([columns @ drawn.T for drawn in draws], axis=2)
            for metric in metrics:
                alphas = _alphas(sums.reshape(len(sums), -1), values, common, metric)
                estimates = _with_intervals(alphas.reshape(len(some), -1))
                for one, estimate in zip(some, estimates, strict=True):
                    found[metric][one] = estimate
    return found


@cache
def _every_two(grades: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    import numpy as np  # noqa: PLC0415

    return np.triu_indices(grades, 1)


def _summands(kinds: Ints) -> tuple[Floats, int]:
    """What one pair of each kind adds: to the frequency of each grade, and to the coincidences of
    every two grades, by the number that is returned with it.

    With the common denominator of the coincidences for that number, all sums are of whole numbers,
    and exact in whatever order they are added up.
    """
    import numpy as np  # noqa: PLC0415

    others = kinds.sum(axis=1) - 1
    common = lcm(*np.unique(others).tolist())
    if common > _WHOLE:
        common = 1
    one, other = _every_two(kinds.shape[1])
    together = kinds[:, one] * kinds[:, other] * (common / others)[:, None]
    return np.concatenate([kinds, together], axis=1).T, common


def _draws(often: Ints, seed: int, resamples: int) -> Iterator[Floats]:
    """How often each kind comes up (draws x kinds): in the pairs themselves, and when as many are
    drawn."""
    import numpy as np  # noqa: PLC0415

    yield often[None, :].astype(float)
    random = np.random.default_rng(seed)
    pairs = often.sum()
    rows = max(1, _BLOCK // len(often))
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        yield random.multinomial(pairs, often / pairs, size=size).astype(float)


def _alphas(sums: Floats, values: Floats, common: int, metric: str) -> Floats:
    """Alpha of each column of `sums`, which has in its rows what `_summands` has; NaN where it is
    undefined."""
    import numpy as np  # noqa: PLC0415

    frequencies, together = sums[: len(values)], sums[len(values) :]
    one, other = _every_two(len(values))
    squared = METRICS[metric](frequencies, values)
    observed = (together * squared).sum(axis=0)
    expected = (frequencies[one] * frequencies[other] * squared).sum(axis=0)
    free = frequencies.sum(axis=0) - 1
    alphas = np.full(expected.shape, np.nan)
    np.divide(free * observed, common * expected, out=alphas, where=expected > 0)
    return 1 - alphas


def _with_intervals(alphas: Floats) -> Iterator[Estimate]:
    """Of each part, from parts x draws, the first of which are the pairs themselves."""
    import numpy as np  # noqa: PLC0415

    whole = alphas[:, 0].tolist()
    resamples = alphas.shape[1] - 1
    drawn = np.sort(alphas[:, 1:], axis=1)  # the undefined ones last
    defined = resamples - np.isnan(drawn).sum(axis=1)
    ends = (_quantiles(drawn, defined, share).tolist() for share in (0.025, 0.975))
    for value, many, low, high in zip(whole, defined.tolist(), *ends, strict=True):
        if isnan(value):
            yield Estimate(None, None, "all grades are the same")
        elif not resamples:
            yield Estimate(value)
        elif many < _DEFINED * resamples:
            why = f"no interval: {resamples - many} of {resamples} resamples hold one grade only"
            yield Estimate(value, None, why)
        elif high - low < 1e-9:
            yield Estimate(value, None, "no interval: every resample agrees as much")
        else:
            yield Estimate(value, (low, high))


def _quantiles(ordered: Floats, defined: Ints, share: float) -> Floats:
    """NumPy's `quantile` of the first `defined` of each row; NaN where there is none."""
    import numpy as np  # noqa: PLC0415

    if not ordered.shape[1]:
        return np.full(len(ordered), np.nan)
    last = np.maximum(defined - 1, 0)
    place = share * last
    below = place.astype(np.int64)
    rows = np.arange(len(ordered))
    low, high = ordered[rows, below], ordered[rows, np.minimum(below + 1, last)]
    beyond = place - below
    return np.where(beyond < 0.5, low + (high - low) * beyond, high - (high - low) * (1 - beyond))
