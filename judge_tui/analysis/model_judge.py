"""How good a judge is a model? Its grades beside those of people, on the pairs that both graded:
all, by kind, by length, and where the best systems have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.agreement.alpha import krippendorff_alpha
from judge_tui.agreement.alt_test import AltTest
from judge_tui.agreement.coefficients import between
from judge_tui.agreement.estimates import Estimate, mean_of
from judge_tui.agreement.ratings import NOT_GRADED, Patterns, confusion_of
from judge_tui.analysis.slices import NO_TEXT, length_parts
from judge_tui.pooling.order import drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from judge_tui.analysis.model_order import ModelOrder
    from judge_tui.analysis.model_probes import ProbeResult
    from judge_tui.arrays import Bools, Floats, Ints

FINAL = "people's final grade"
"""What people's grades come to, by the policy; as a name beside those of judges."""

NEXT = 100
"""How many pairs people should judge next."""

BEST = 0.25
"""The share of the systems, at least one, that are the best ones."""

TOP = 10
"""How many results of the best systems are the top."""


@dataclass(frozen=True, slots=True)
class ModelPairs:
    """The pairs that a model graded, at least one, and what people made of them.

    `scale`: ascending. `model`, `final` and those of `people` (name -> grades): int8[pairs],
    indexes into the scale, `NOT_GRADED` where there is none. `words`: "class" of the query or
    "kind" of the document -> the word of each pair, "" for none. `lengths`: int64[pairs], of the
    documents in characters, or `NO_TEXT`. `top`: bool[pairs], in the top of the best systems; None
    without runs.
    """

    scale: tuple[int, ...]
    model: NDArray[np.int8]
    people: Mapping[str, NDArray[np.int8]]
    final: NDArray[np.int8]
    words: Mapping[str, Sequence[str]]
    lengths: Ints
    top: Bools | None = None

    @property
    def shared(self) -> Bools:
        """bool[pairs]: which have a final grade of people, too."""
        there: Bools = self.final != NOT_GRADED
        return there

    @property
    def judged(self) -> Bools:
        """bool[pairs]: which some person has graded, decided or not."""
        graded = (its != NOT_GRADED for its in self.people.values())
        there: Bools = np.logical_or.reduce([self.shared, *graded])
        return there


@dataclass(frozen=True, slots=True)
class GradeComparison:
    """Grades of one judge beside those of another, on so many `pairs`.

    `agreement`: the share of pairs with one grade; `alpha`: ordinal; `bias`: the mean of the first
    less the second, in grades. `mean`, `other_mean`: of the first and of the second, None without a
    pair. `confusion`: counts, the first in the rows.
    """

    pairs: int
    agreement: Estimate
    kappa: Estimate
    kappa_quadratic: Estimate
    alpha: Estimate
    bias: Estimate
    mean: float | None
    other_mean: float | None
    confusion: tuple[tuple[int, ...], ...]


def compare_grades(
    one: NDArray[np.int8],
    other: NDArray[np.int8],
    scale: Sequence[int],
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> GradeComparison:
    """Compare int8[pairs] each, indexes into `scale` or `NOT_GRADED`. `seed`, `resamples`: of
    alpha's bootstrap. Sources are those of `between` and `krippendorff_alpha`."""
    size, values = len(scale), np.asarray(scale, dtype=float)
    table = confusion_of(one, other, size)
    two, n = between(table.tolist(), scale), int(table.sum())
    rows, columns = np.nonzero(table)
    both = np.eye(size, dtype=np.int64)[rows] + np.eye(size, dtype=np.int64)[columns]
    met = Patterns(np.empty((0, len(both)), np.int8), both, table[rows, columns])
    alpha = krippendorff_alpha(met, scale, metrics=["ordinal"], seed=seed, resamples=resamples)
    return GradeComparison(
        n,
        two.estimates["agreement"],
        two.estimates["kappa"],
        two.estimates["kappa_quadratic"],
        alpha["ordinal"],
        mean_of((values[:, None] - values).ravel(), table.ravel()),
        float(table.sum(axis=1) @ values) / n if n else None,
        float(table.sum(axis=0) @ values) / n if n else None,
        two.confusion,
    )


@dataclass(frozen=True, slots=True)
class BesideOne:
    """The model beside a person or `FINAL`, on the pairs that both graded."""

    other: str
    comparison: GradeComparison


@dataclass(frozen=True, slots=True)
class BesideTwo:
    """On the pairs that two people and the model graded: the two beside each other, and the model
    beside each of them."""

    people: tuple[str, str]
    comparison: GradeComparison
    model: tuple[GradeComparison, GradeComparison]


@dataclass(frozen=True, slots=True)
class ModelSlice:
    """The model beside `FINAL` on a part of the pairs. `by`: class, kind, length or top."""

    by: str
    name: str
    comparison: GradeComparison


@dataclass(frozen=True, slots=True)
class NextPairs:
    """Of the pairs to which the model gave a grade: how many people have `judged`, how many are
    `open`, and how many of these people should judge `next`."""

    grade: int
    judged: int
    open: int
    next: int


@dataclass(frozen=True, slots=True)
class ModelStudy:
    """Is a model any good as a judge?

    Of the pairs that it graded, `shared` have a final grade of people by the `policy`, and
    `undecided` have grades of people that come to none. `failed`: the reason -> how many of its
    answers are no grade, where the campaign has its answers. `why_unprobed`: why there are no
    `probes`, where there could be.
    """

    judge: str
    policy: str
    shared: int
    undecided: int
    beside: tuple[BesideOne, ...]
    two_people: tuple[BesideTwo, ...]
    slices: tuple[ModelSlice, ...]
    alt_test: AltTest
    order: ModelOrder
    next: tuple[NextPairs, ...]
    failed: Mapping[str, int] = field(default_factory=dict)
    probes: tuple[ProbeResult, ...] = ()
    why_unprobed: str = ""

    @property
    def beside_final(self) -> GradeComparison:
        """The model beside `FINAL`, which is first in `beside`."""
        return self.beside[0].comparison


def beside_people(pairs: ModelPairs, *, seed: int = 0) -> tuple[BesideOne, ...]:
    """Compare the model with `FINAL`, then with each person who graded one of its pairs."""
    others = {FINAL: pairs.final, **pairs.people}
    found = (
        BesideOne(name, compare_grades(pairs.model, its, pairs.scale, seed=seed))
        for name, its in others.items()
    )
    return tuple(one for one in found if one.comparison.pairs or one.other == FINAL)


def beside_two_people(pairs: ModelPairs) -> tuple[BesideTwo, ...]:
    """Compare every two people who graded some of the model's pairs with each other, and the model
    with each of them, on the same pairs; alpha without an interval."""
    found = []
    for one, other in combinations(pairs.people, 2):
        first, second = pairs.people[one], pairs.people[other]
        there = (first != NOT_GRADED) & (second != NOT_GRADED)
        if not there.any():
            continue
        model, first, second = pairs.model[there], first[there], second[there]
        people, with_first, with_second = (
            compare_grades(*two, pairs.scale, resamples=0)
            for two in ((first, second), (model, first), (model, second))
        )
        found.append(BesideTwo((one, other), people, (with_first, with_second)))
    return tuple(found)


def slices_of_grades(pairs: ModelPairs, *, seed: int = 0) -> tuple[ModelSlice, ...]:
    """Compare the model with `FINAL` by class, by kind, by thirds of the documents' lengths, and in
    the top of the best systems. A field of which the pairs have one value only makes no slices."""
    return tuple(
        ModelSlice(
            by, name, compare_grades(pairs.model[its], pairs.final[its], pairs.scale, seed=seed)
        )
        for by, name, its in _slices(pairs)
    )


def _slices(pairs: ModelPairs) -> Iterator[tuple[str, str, Bools]]:
    shared = pairs.shared
    for by, of_pair in pairs.words.items():
        words = np.array(of_pair, dtype=object)
        names = sorted({*words[shared].tolist()}, key=lambda name: (not name, name))
        for name in names if len(names) > 1 else ():
            yield by, name, shared & (words == name)
    known = shared & (pairs.lengths != NO_TEXT)
    names, ends = length_parts(pairs.lengths[known], 3)
    part = np.searchsorted(ends, pairs.lengths)
    for place, name in enumerate(names if len(names) > 1 else ()):
        yield "length", name, known & (part == place)
    if pairs.top is not None:
        for name, its in (("top", pairs.top), ("below", ~pairs.top)):
            if (shared & its).any():
                yield "top", name, shared & its


def best_systems(means: Floats) -> Ints:
    """Return the places of the best quarter of the systems, at least one, best first. `means`:
    float64[systems], NaN where there is none."""
    scored = np.flatnonzero(~np.isnan(means))
    order = scored[np.argsort(-means[scored], kind="stable")]
    return order[: ceil(BEST * len(order))]


def next_pairs(
    model: NDArray[np.int8], judged: Bools, scale: Sequence[int], budget: int = NEXT
) -> tuple[NextPairs, ...]:
    """Share a budget among the grades that the model gave, so that people have judged as nearly as
    many pairs of each as there are to judge: stratified sampling (Cochran, 1977, Sampling
    Techniques, 3rd ed., chapter 5) with equal strata, so that each row of the confusion is known as
    well. Pairs go, one by one, to the grade of which people have judged least, of two such to the
    higher. `model`, `judged`: as in `ModelPairs`."""
    by_grade = [model == place for place in range(len(scale))]
    done = [int((its & judged).sum()) for its in by_grade]
    open_ = [int((its & ~judged).sum()) for its in by_grade]
    shares = [0] * len(by_grade)
    for _ in range(min(budget, sum(open_))):
        left = [place for place, share in enumerate(shares) if share < open_[place]]
        shares[min(left, key=lambda place: (done[place] + shares[place], -place))] += 1
    rows = zip(scale, done, open_, shares, strict=True)
    return tuple(NextPairs(*row) for row in rows if row[1] or row[2])


def draw_next_pairs(
    wanted: Iterable[NextPairs], keys: Ints, grades: Ints, judged: Bools, *, seed: int = 0
) -> frozenset[int]:
    """Draw as many open pairs of each grade as are `wanted`; returns their `keys`. `grades`: of the
    model. With one seed a pair keeps its place in the draw, whatever people judge."""
    draw = drawn(seed, "next pairs")
    chosen: set[int] = set()
    for one in wanted:
        open_ = keys[(grades == one.grade) & ~judged].tolist()
        chosen.update(sorted(open_, key=lambda key: draw(str(key)))[: one.next])
    return frozenset(chosen)
