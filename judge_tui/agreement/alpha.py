"""Krippendorff's alpha: agreement of any number of judges, grades missing or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from judge_tui.agreement.estimate import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Distance: TypeAlias = Callable[[Floats, Floats], Floats]

__all__ = ["METRICS", "krippendorff_alpha"]

# How many counts are drawn at once: 4 million are 32 MB, whatever the number of pairs.
_BLOCK = 4_000_000

# An interval from fewer than this share of the resamples would be one of the lucky ones only.
_DEFINED = 0.95


def _nominal(_frequencies: Floats, values: Floats) -> Floats:
    differs: Floats = (values[:, None] != values[None, :]).astype(float)
    return differs


def _ordinal(frequencies: Floats, _values: Floats) -> Floats:
    # The sum of the frequencies between two grades, half of each end left out, is the difference of
    # their mid-ranks: it depends on how often each grade was given, in every resample anew.
    ranks = frequencies.cumsum(axis=1) - frequencies / 2
    squared: Floats = (ranks[:, :, None] - ranks[:, None, :]) ** 2
    return squared


def _interval(_frequencies: Floats, values: Floats) -> Floats:
    squared: Floats = (values[:, None] - values[None, :]) ** 2
    return squared


METRICS: dict[str, Distance] = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}
"""The squared distance of two grades: frequencies (resamples x grades) and values (grades) to
(resamples x) grades x grades. Krippendorff (2004), Content Analysis, 2nd ed., 11.3."""


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
    weights = np.ones(len(counts), dtype=np.int64) if times is None else np.asarray(times)
    shared = counts.sum(axis=1) >= 2
    counts, weights = counts[shared], weights[shared]
    pairs = int(weights.sum())
    given = counts.sum(axis=0) > 0
    if pairs < 2:
        return _undefined("fewer than 2 pairs have two or more grades")
    if given.sum() == 1:
        return _undefined("all grades are the same")
    # Grades that nobody gave change nothing. Pairs graded alike count alike: drawing how often
    # each kind comes up is drawing pairs, and the order of pairs and judges plays no part.
    kinds, row = np.unique(counts[:, given], axis=0, return_inverse=True)
    often = np.bincount(row.ravel(), weights=weights).astype(np.int64)
    values = np.asarray(scale, dtype=float)[given]
    contributions = _coincidences(kinds.astype(float))
    whole = _alphas(often[None, :] @ contributions, values)
    if not resamples:
        return {metric: Estimate(float(found[0])) for metric, found in whole.items()}

    random = np.random.default_rng(seed)
    rows = max(1, _BLOCK // len(kinds))
    drawn = [
        _alphas(random.multinomial(pairs, often / pairs, size=n) @ contributions, values)
        for n in _parts(resamples, rows)
    ]
    return {
        metric: _with_interval(
            float(whole[metric][0]), np.concatenate([block[metric] for block in drawn])
        )
        for metric in METRICS
    }


def _undefined(why: str) -> dict[str, Estimate]:
    return {metric: Estimate(None, None, why) for metric in METRICS}


def _coincidences(kinds: Floats) -> Floats:
    """What one pair of each kind adds to the coincidence matrix: kinds x grades * grades."""
    import numpy as np  # noqa: PLC0415

    products = kinds[:, :, None] * kinds[:, None, :]
    grades = np.arange(kinds.shape[1])
    products[:, grades, grades] -= kinds
    products /= (kinds.sum(axis=1) - 1)[:, None, None]
    return products.reshape(len(kinds), -1)


def _alphas(flat: Floats, values: Floats) -> dict[str, Floats]:
    """Alpha of each coincidence matrix (one a row), by metric; NaN where it is undefined."""
    import numpy as np  # noqa: PLC0415

    coincidences = flat.reshape(len(flat), len(values), len(values))
    frequencies = coincidences.sum(axis=2)
    chance = frequencies[:, :, None] * frequencies[:, None, :]
    free = frequencies.sum(axis=1) - 1
    found: dict[str, Floats] = {}
    for metric, distance in METRICS.items():
        squared = distance(frequencies, values)
        observed = (coincidences * squared).sum(axis=(1, 2))
        expected = (chance * squared).sum(axis=(1, 2))
        alphas = np.full(len(flat), np.nan)
        np.divide(free * observed, expected, out=alphas, where=expected > 0)
        found[metric] = 1 - alphas
    return found


def _parts(whole: int, most: int) -> list[int]:
    return [min(most, whole - start) for start in range(0, whole, most)]


def _with_interval(value: float, drawn: Floats) -> Estimate:
    import numpy as np  # noqa: PLC0415

    defined = drawn[~np.isnan(drawn)]
    if len(defined) < _DEFINED * len(drawn):
        undefined = len(drawn) - len(defined)
        return Estimate(
            value,
            None,
            f"no interval: {undefined} of {len(drawn)} resamples hold one grade only",
        )
    low, high = (float(end) for end in np.quantile(defined, (0.025, 0.975)))
    if high - low < 1e-9:
        return Estimate(value, None, "no interval: every resample agrees as much")
    return Estimate(value, (low, high))
