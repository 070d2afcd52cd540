"""May a model stand in for a person? The Alternative Annotator Test.

Calderon, Reichart & Dror (ACL 2025, 2025.acl-long.782): leave one person out; is the model as near
to the others as that person is, but for an allowance `epsilon` for what people cost?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judge_tui.agreement.ratings import NOT_GRADED
from judge_tui.errors import UsageError

FEWEST_PAIRS = 50
"""How many pairs a person must share with others: the paper finds 50 to 100 enough."""

RECOMMENDED = 3
"""So many people, at least, the paper recommends to compare a model with."""

EPSILON = 0.15
"""The paper's for skilled people; it has .2 for experts and .1 for crowds."""

FALSE_DISCOVERIES = 0.05
PASSING = 0.5
"""The winning rate from which on the model may stand in: it wins against half of the people."""


@dataclass(frozen=True, slots=True)
class AgainstPerson:
    """The model in the place of one person, on the `pairs` that this one shares with other people.

    `model_as_good`, `person_as_good`: the shares of pairs on which the model, or the person, is at
    least as near to the others as the other of the two. `p` is that of person less model being
    `epsilon` or more (one-sided t), `p_adjusted` after Benjamini and Yekutieli; `wins`: at most
    .05.
    """

    person: str
    pairs: int
    model_as_good: float
    person_as_good: float
    p: float
    p_adjusted: float
    wins: bool


@dataclass(frozen=True, slots=True)
class AltTest:
    """`winning_rate`: the share of people against whom the model wins; `advantage`: the mean of
    their `model_as_good` (the average advantage probability); `passes`: it may stand in for a
    person. The three are None where that cannot be told, for the reason `why`."""

    epsilon: float
    against: tuple[AgainstPerson, ...] = ()
    winning_rate: float | None = None
    advantage: float | None = None
    passes: bool | None = None
    why: str | None = None


def alt_test(
    model: NDArray[np.int8],
    people: Mapping[str, NDArray[np.int8]],
    scale: Sequence[int],
    *,
    epsilon: float = EPSILON,
) -> AltTest:
    """Test a model against each person.

    `model` and each of `people`: int8[pairs], indexes into `scale`, or `NOT_GRADED`. How near a
    grade is to those of the others is minus the root of its mean squared difference, in grades: the
    paper's score for ordered labels. People who share fewer than `FEWEST_PAIRS` pairs are not
    tested, and stand beside the others all the same. Raises `UsageError` for an epsilon outside 0
    to 1.
    """
    if not 0 <= epsilon < 1:
        raise UsageError(f"epsilon is {epsilon:g}", "give a share from 0 up to, not including, 1")
    values = np.append(np.asarray(scale, dtype=float), 0.0)
    grades = np.stack([model, *people.values()])
    graded = grades != NOT_GRADED
    # A pair counts where the model and two people graded it.
    shared = graded[0] & (graded[1:].sum(axis=0) >= 2)
    pairs_of = {name: shared & its for name, its in zip(people, graded[1:], strict=True)}
    tested = {name: pairs for name, pairs in pairs_of.items() if pairs.sum() >= FEWEST_PAIRS}
    if len(tested) < 2:
        most = max((int(pairs.sum()) for pairs in pairs_of.values()), default=0)
        why = (
            f"cannot be told: it takes two people with {FEWEST_PAIRS} pairs each that the model"
            f" and another person graded, too; the most that one has is {most}"
        )
        return AltTest(epsilon, why=why)
    shares, p_values = [], []
    for name, pairs in tested.items():
        others = [row for row, other in enumerate(people, start=1) if other != name]
        there, theirs = graded[others][:, pairs], values[grades[others][:, pairs]]
        model_error, person_error = (
            # In squares, whose order is that of the roots, and exact for whole grades.
            np.where(there, (values[own[pairs]] - theirs) ** 2, 0.0).sum(axis=0)
            for own in (model, people[name])
        )
        model_good, person_good = model_error <= person_error, person_error <= model_error
        shares.append((len(model_good), float(model_good.mean()), float(person_good.mean())))
        p_values.append(_one_sided_t(person_good.astype(float) - model_good, epsilon))
    adjusted = benjamini_yekutieli(p_values)
    against = tuple(
        AgainstPerson(name, *shares_of_one, p, p_adjusted, p_adjusted <= FALSE_DISCOVERIES)
        for name, shares_of_one, p, p_adjusted in zip(
            tested, shares, p_values, adjusted, strict=True
        )
    )
    rate = sum(one.wins for one in against) / len(against)
    advantage = sum(one.model_as_good for one in against) / len(against)
    return AltTest(epsilon, against, rate, advantage, rate >= PASSING)


def _one_sided_t(values: NDArray[np.float64], epsilon: float) -> float:
    """Return the p of Student's test that the mean is below `epsilon`. Where all values are one,
    the limit: 0 below it, else 1."""
    from scipy.special import stdtr  # noqa: PLC0415 - as `student_95` has it

    if (values == values[0]).all():
        return 0.0 if values[0] < epsilon else 1.0
    n = len(values)
    error = values.std(ddof=1) / n**0.5
    return float(stdtr(n - 1, (values.mean() - epsilon) / error))


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """Adjust by steps up, for tests that depend on each other in any way: the expected share of
    false discoveries. Benjamini & Yekutieli (2001), Annals of Statistics 29:1165-1188."""
    m = len(p_values)
    harmonic = sum(1 / rank for rank in range(1, m + 1))
    adjusted = [1.0] * m
    least = 1.0
    for done, index in enumerate(sorted(range(m), key=lambda index: -p_values[index])):
        least = min(least, p_values[index] * m * harmonic / (m - done))
        adjusted[index] = least
    return adjusted
