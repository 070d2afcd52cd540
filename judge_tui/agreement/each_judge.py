"""Each judge: against all the others, against their own hidden repeats and gold, and over time.

Many pairs of judges as if they were one, with errors that heed that grades of one document belong
together: judges who copy each other are no new evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.coefficients import (
    COEFFICIENTS,
    NO_SPREAD,
    Confusion,
    Estimate,
    between,
    estimate,
    mean_of,
    reasons_of,
    student_95,
    values_of,
    wilson,
)
from judge_tui.agreement.data import NOT_GRADED, AgreementData, Kinds, kinds_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from judge_tui.arrays import Floats


__all__ = [
    "AgainstOthers",
    "Checked",
    "Drift",
    "Pooled",
    "against_others",
    "beside_others",
    "biases",
    "checked",
    "confusions",
    "drift",
    "pooled_agreement",
    "pooled_by_part",
    "unchecked",
]

_NO_ESTIMATE = 1e-9


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
    differ = squares >= _NO_ESTIMATE
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


@dataclass(frozen=True, slots=True)
class AgainstOthers:
    """One judge beside all others, on the `pairs` that the judge and another graded.

    `estimates`: `agreement` and `kappa_quadratic` as `pooled_agreement` has them, and `bias`, the
    mean of the judge's grade less the mean of the others' on the same pair, in grades; its interval
    is Student's. `alpha_without`: ordinal alpha of the others by themselves, without interval.
    """

    pairs: int
    estimates: dict[str, Estimate]
    alpha_without: Estimate | None = None

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        estimates = dict(self.estimates)
        fields = {"pairs": self.pairs, **values_of(estimates)}
        if self.alpha_without is not None:
            fields["alpha_without"] = self.alpha_without.value
            estimates["alpha_without"] = self.alpha_without
        return fields | reasons_of(estimates)


def against_others(data: AgreementData) -> dict[str, AgainstOthers]:
    """Of each judge, by name."""
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    kinds = kinds_of(data.places, len(data.scale)).shared
    rows = np.arange(len(data.judges))
    found = {}
    for judge, name in enumerate(data.judges):
        beside = beside_others(kinds, judge, data.scale)
        others = replace(kinds, places=kinds.places[rows != judge])
        without = (
            krippendorff_alpha(others.table, data.scale, times=others.times, resamples=0)["ordinal"]
            if len(rows) > 2
            else Estimate(None, None, "only one judge is left")
        )
        found[name] = AgainstOthers(beside.pairs, beside.estimates, without)
    return found


def beside_others(kinds: Kinds, judge: int, scale: Sequence[int]) -> AgainstOthers:
    """Of one judge, a row of `kinds`, without `alpha_without`."""
    pooled = pooled_agreement(kinds, judge)
    return AgainstOthers(
        pooled.pairs,
        {
            "agreement": pooled.agreement,
            "kappa_quadratic": pooled.kappa_quadratic,
            "bias": mean_of(*biases(kinds, judge, scale)).estimate,
        },
    )


def biases(
    kinds: Kinds, judge: int, scale: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The judge's grade less the mean of the others', where there are such, and how many pairs."""
    import numpy as np  # noqa: PLC0415

    kinds = kinds.shared
    there = kinds.places[judge] >= 0
    table, own = kinds.table[there], kinds.places[judge][there]
    values = np.asarray(scale, dtype=float)
    grade = values[own]
    others = (table @ values - grade) / np.maximum(table.sum(axis=1) - 1, 1)
    return grade - others, kinds.times[there]


@dataclass(frozen=True, slots=True)
class Checked:
    """How one judge's grades agree with other grades of the same `pairs`.

    `confusion` counts over the whole scale, the judge's first grades in the rows. `estimates`: as
    of `Between`, and `bias`, the mean of the judge's first grade less the other one, in grades,
    with Student's interval.
    """

    pairs: int
    confusion: tuple[tuple[int, ...], ...]
    estimates: dict[str, Estimate]

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        return {
            "pairs": self.pairs,
            **values_of(self.estimates),
            **reasons_of(self.estimates),
            "confusion": [list(row) for row in self.confusion],
        }


def checked(confusion: Confusion, scale: Sequence[int]) -> Checked:
    """All coefficients of a judge and what the judge is checked against."""
    two = between(("", ""), confusion, scale)
    return Checked(two.pairs, two.confusion, {**two.estimates, "bias": _bias(confusion, scale)})


def unchecked(scale: Sequence[int], why: str) -> Checked:
    """Of a judge of whom nothing can be checked."""
    empty = tuple((0,) * len(scale) for _ in scale)
    names = (*COEFFICIENTS, "bias")
    return Checked(0, empty, {name: Estimate(None, None, why) for name in names})


def _bias(confusion: Confusion, scale: Sequence[int]) -> Estimate:
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    grades = np.asarray(scale, dtype=float)
    steps = grades[:, None] - grades
    return mean_of(steps.ravel(), np.ravel(confusion)).estimate


@dataclass(frozen=True, slots=True)
class Drift:
    """One judge's first half and second half, beside the others.

    `change`: how much the bias of the second half is greater than that of the first, with Welch's
    interval, and `p`, the two-sided p of Welch's test; None where it is undefined.
    """

    first: AgainstOthers
    second: AgainstOthers
    change: Estimate
    p: float | None

    def to_dict(self) -> dict[str, Any]:
        """As in `agreement -f json`."""
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "bias_change": self.change.to_dict() | {"p": self.p},
        }


def drift(data: AgreementData) -> dict[str, Drift]:
    """Of each judge, by name: the pairs that another judge graded, too, halved in the order in
    which the judge first graded them; where they are odd in number, the first half has one more.
    """
    import numpy as np  # noqa: PLC0415 - of no use to who only imports the room

    given = data.places != NOT_GRADED
    shared = given.sum(axis=0) >= 2
    found = {}
    for judge, name in enumerate(data.judges):
        pairs = np.flatnonzero(given[judge] & shared)
        pairs = pairs[np.argsort(data.came[judge][pairs], kind="stable")]
        middle = (len(pairs) + 1) // 2
        first, second = (
            kinds_of(data.places[:, half], len(data.scale))
            for half in (pairs[:middle], pairs[middle:])
        )
        change, p = _change(first, second, judge, data.scale)
        found[name] = Drift(
            beside_others(first, judge, data.scale),
            beside_others(second, judge, data.scale),
            change,
            p,
        )
    return found


def _change(
    first: Kinds, second: Kinds, judge: int, scale: Sequence[int]
) -> tuple[Estimate, float | None]:
    """Welch (1947), Biometrika 34:28-35: the two halves may spread differently."""
    before, after = (mean_of(*biases(half, judge, scale)) for half in (first, second))
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
