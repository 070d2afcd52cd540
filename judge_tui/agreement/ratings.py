"""Who graded what, as one array: judges x pairs; and its patterns: pairs that every judge graded
alike, counted.

Patterns stand in an order of their own, so that sums over them are the same to the last digit in
whatever order the pairs came.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Ints
from judge_tui.errors import UsageError, check_known

NOT_GRADED = -1
"""What stands for a grade where the judge gave the pair none."""

COUNT_MODELS = "count grades of models with --include-models"
"""How to mend it where only models have graded."""


def too_few_judges(graded: int) -> UsageError:
    """Return the error where there is nobody to compare with; `graded`: how many judges graded."""
    return UsageError(
        "only one judge has graded" if graded else "no judge has graded yet",
        f"let two judges grade some of the same pairs, or {COUNT_MODELS}",
    )


@dataclass(frozen=True, slots=True)
class Ratings:
    """Grades of several judges, and what is known of when and where they came.

    `judges`: names. `scale`: the campaign's grades, ascending; arrays hold indexes into it, or
    `NOT_GRADED`. `grades`: int8[judges, pairs], the grades of a first look, at least one a pair;
    `repeats`: the same of hidden repeats; `gold`: int8[pairs]. `came`: int32[judges, pairs], when
    the first grade came, as a number that is greater the later it was, across all judges; of no
    meaning where there is none. `queries`: int32[pairs], the index of each pair's query in
    `query_ids`; `classes`: of the queries, "" for none.
    """

    judges: tuple[str, ...]
    scale: tuple[int, ...]
    grades: NDArray[np.int8]
    came: NDArray[np.int32]
    repeats: NDArray[np.int8]
    gold: NDArray[np.int8]
    queries: NDArray[np.int32]
    query_ids: tuple[str, ...]
    classes: tuple[str, ...]

    @property
    def comparable(self) -> bool:
        """Whether there is a second judge, or anything else to compare one with."""
        checks = (self.repeats, self.gold)
        return len(self.judges) > 1 or any((grades != NOT_GRADED).any() for grades in checks)

    def only(self, judges: Sequence[str]) -> Ratings:
        """Return the ratings of these judges, in that order, and of the pairs that one of them
        graded.

        Raises `UsageError` for a judge who is not there or is named twice.
        """
        for name in judges:
            check_known("judge", name, sorted(self.judges))
            if judges.count(name) > 1:
                raise UsageError(f"judge {name!r} is named twice", "name each judge once")
        rows = [self.judges.index(name) for name in judges]
        there = (self.grades[rows] != NOT_GRADED).any(axis=0)
        return replace(
            self,
            judges=tuple(judges),
            grades=self.grades[rows][:, there],
            came=self.came[rows][:, there],
            repeats=self.repeats[rows][:, there],
            gold=self.gold[there],
            queries=self.queries[there],
        )

    def slices(self, by: str) -> dict[str, Ints]:
        """Return name -> pairs, for each slice that holds any. `by`: "query", "class", or "half":
        the pairs with two grades or more, in the order in which the second of them came; the first
        half has one more where they are odd in number."""
        if by == "half":
            order = self._in_time()
            middle = (len(order) + 1) // 2
            return {"first half": order[:middle], "second half": order[middle:]}
        of_query = {"query": self.query_ids, "class": self.classes}[by]
        names, index = np.unique(np.array(of_query, dtype=object), return_inverse=True)
        of_pair = index[self.queries]
        order = np.argsort(of_pair, kind="stable")
        begin = np.searchsorted(of_pair[order], np.arange(len(names) + 1))
        return {
            name: order[start:end]
            for name, start, end in zip(names.tolist(), begin[:-1], begin[1:], strict=True)
            if end > start
        }

    def _in_time(self) -> Ints:
        graded = self.grades != NOT_GRADED
        shared = np.flatnonzero(graded.sum(axis=0) >= 2)
        never = np.iinfo(np.int32).max
        came = np.where(graded, self.came, never)[:, shared]
        second = np.partition(came, 1, axis=0)[1] if len(shared) else shared
        order: Ints = shared[np.argsort(second, kind="stable")]
        return order


def ratings_of(grades: Mapping[str, Mapping[Hashable, int]], scale: Sequence[int]) -> Ratings:
    """Make ratings of judge -> pair -> grade, of which no more is known: judges by name.

    A pair is anything hashable. Raises `UsageError` for a grade off the scale.
    """
    if list(scale) != sorted(set(scale)) or len(scale) < 2:
        raise UsageError("a scale has at least two grades", "give each once, least first")
    names = tuple(sorted(grades))
    pairs = dict.fromkeys(pair for name in names for pair in grades[name])
    columns = {pair: at for at, pair in enumerate(pairs)}
    first = np.full((len(names), len(columns)), NOT_GRADED, dtype=np.int8)
    for judge, name in enumerate(names):
        for pair, grade in grades[name].items():
            if grade not in scale:
                raise off_scale(grade, name, scale)
            first[judge, columns[pair]] = scale.index(grade)
    return Ratings(
        judges=names,
        scale=tuple(scale),
        grades=first,
        came=np.zeros(first.shape, dtype=np.int32),
        repeats=np.full_like(first, NOT_GRADED),
        gold=np.full(len(columns), NOT_GRADED, dtype=np.int8),
        queries=np.zeros(len(columns), dtype=np.int32),
        query_ids=("",),
        classes=("",),
    )


def off_scale(grade: int, judge: str, scale: Sequence[int]) -> UsageError:
    """Return the error of a grade that is not on the scale."""
    what = f"grade {grade} of judge {judge!r} is not on the scale"
    return UsageError(what, f"known: {', '.join(map(str, scale))}")


@dataclass(frozen=True, slots=True)
class Patterns:
    """How pairs were graded.

    `grades`: int8[judges, n], as those of `Ratings`; `counts`: int64[n, grades], how many judges
    gave each grade; `times`: int64[n], how many pairs were graded so.
    """

    grades: NDArray[np.int8]
    counts: Ints
    times: Ints

    def shared(self, judge: int | None = None) -> Patterns:
        """Return the patterns with two grades or more, one of them of the `judge` where one is
        named."""
        there = self.counts.sum(axis=1) >= 2
        if judge is not None:
            there &= self.grades[judge] != NOT_GRADED
        return Patterns(self.grades[:, there], self.counts[there], self.times[there])


def patterns_of(ratings: Ratings, pairs: Ints | None = None) -> Patterns:
    """Count the patterns of all pairs, or of these and of the judges who graded one of them."""
    grades = ratings.grades
    if pairs is not None:
        grades = grades[:, pairs]
        grades = grades[(grades != NOT_GRADED).any(axis=1)]
    # The first key is for campaigns in which nobody has graded.
    order, begin = distinct([np.zeros(grades.shape[1], np.int8), *grades])
    times = np.diff(begin, append=grades.shape[1])
    grades = grades[:, order[begin]]
    counts = [(grades == grade).sum(axis=0) for grade in range(len(ratings.scale))]
    return Patterns(grades, np.stack(counts, axis=1), times)


def patterns_of_counts(counts: Ints) -> Patterns:
    """Return the patterns of pairs of which no more is known than how many judges gave each grade:
    int64[pairs, grades]."""
    return Patterns(np.empty((0, len(counts)), np.int8), counts, np.ones(len(counts), np.int64))


def distinct(keys: Sequence[NDArray[np.signedinteger[Any]]]) -> tuple[Ints, Ints]:
    """Sort by these keys, the first one first: the order, and where in it other keys begin."""
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return order, np.flatnonzero(new)


def confusion_of(
    one: NDArray[np.int8], other: NDArray[np.int8], grades: int, times: Ints | None = None
) -> Ints:
    """Count how often each grade in `one` met each in `other`: int64[grades, grades], those of
    `one` in the rows. Both have an entry a pair, or a pattern that was seen so many `times`."""
    both = (one != NOT_GRADED) & (other != NOT_GRADED)
    cells = one[both].astype(np.int64) * grades + other[both]
    counts = np.bincount(cells, None if times is None else times[both], grades**2)
    return counts.astype(np.int64).reshape(grades, grades)
