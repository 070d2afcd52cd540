"""Who graded what, as one array: judges x pairs; and its patterns: pairs that every judge graded
alike, counted.

Sums over patterns, which stand in an order of their own, are the same to the last digit in whatever
order the pairs came; and where few judges grade many pairs, there are few of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judge_tui.arrays import Bools, Floats, Ints
from judge_tui.errors import UsageError, unknown

NOT_GRADED = -1
"""What stands for a grade where the judge gave the pair none."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Grades of several judges, and what is known of when and where they were given.

    `judges`: names. `scale`: the campaign's grades, ascending; arrays hold indexes into it, or
    `NOT_GRADED`. `grades`: int8[judges, pairs], the grades of a first look, at least one a pair;
    `repeats`: the same of hidden repeats; `gold`: int8[pairs]. `came`: int32[judges, pairs], when
    the first grade came, as a number that is greater the later it was, across all judges; of no
    meaning where there is none. `queries`: int32[pairs], the index of each pair's query in
    `query_ids`; `classes`: of the queries, "" for none.

    `from_file`: bool[judges], most of their first grades came from a file, so that their order is
    the file's. `repeats_planned`, `gold_planned`: how many of them were assigned, graded or not.
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
    from_file: Bools
    repeats_planned: int = 0
    gold_planned: int = 0

    @property
    def comparable(self) -> bool:
        """Whether there is a second judge, or anything else to compare one with."""
        checks = (self.repeats, self.gold)
        return len(self.judges) > 1 or any((grades != NOT_GRADED).any() for grades in checks)

    @property
    def shared(self) -> Bools:
        """bool[pairs]: two judges or more graded the pair."""
        shared: Bools = (self.grades != NOT_GRADED).sum(axis=0) >= 2
        return shared

    def only(self, judges: Sequence[str]) -> Ratings:
        """Return the ratings of these judges, in that order, and of the pairs that one of them
        graded.

        Raises `UsageError` for a judge who is not there or is named twice.
        """
        names = _chosen(self.judges, judges)
        rows = [self.judges.index(name) for name in names]
        there = (self.grades[rows] != NOT_GRADED).any(axis=0)
        return replace(
            self,
            judges=names,
            grades=self.grades[rows][:, there],
            came=self.came[rows][:, there],
            repeats=self.repeats[rows][:, there],
            gold=self.gold[there],
            queries=self.queries[there],
            from_file=self.from_file[rows],
        )

    def called(self, names: Mapping[str, str]) -> Ratings:
        """Return the ratings with each judge called as `names` has it, in the order of these."""
        order = sorted(self.judges, key=names.__getitem__)
        return replace(self.only(order), judges=tuple(names[name] for name in order))

    def confusion(self, judge: int, other: NDArray[np.int8]) -> list[list[int]]:
        """Count how often each grade of the judge (the rows) met each grade in `other` (the
        columns) on one pair, over the whole scale. `judge`: a row of `grades`."""
        own, size = self.grades[judge], len(self.scale)
        both = (own != NOT_GRADED) & (other != NOT_GRADED)
        cells = own[both].astype(np.int64) * size + other[both]
        counts: list[list[int]] = np.bincount(cells, minlength=size**2).reshape(size, -1).tolist()
        return counts

    def slices(self, by: str) -> dict[str, Ints]:
        """Return name -> pairs, for each slice that holds any. `by`: "query", "class", or "half":
        the pairs with two grades or more, in the order in which the second of them came."""
        if by == "half":
            return dict(zip(("first half", "second half"), halves(self._in_time()), strict=True))
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
        shared = np.flatnonzero(self.shared)
        never = np.iinfo(np.int32).max
        came = np.where(self.grades != NOT_GRADED, self.came, never)[:, shared]
        second = np.partition(came, 1, axis=0)[1] if len(shared) else shared
        order: Ints = shared[np.argsort(second, kind="stable")]
        return order


def halves(order: Ints) -> tuple[Ints, Ints]:
    """Halve pairs in their order; the first half has one more where they are odd in number."""
    middle = (len(order) + 1) // 2
    return order[:middle], order[middle:]


def ratings_of(
    grades: Mapping[str, Mapping[Hashable, int]],
    scale: Sequence[int],
    *,
    judges: Sequence[str] | None = None,
) -> Ratings:
    """Make ratings of judge -> pair -> grade, each judge's pairs in the order of grading.

    A pair is anything hashable; where it is a tuple, its first part is the query. Raises
    `UsageError` for a judge who is not in `grades` or is named twice, and for a grade off the
    scale.
    """
    if list(scale) != sorted(set(scale)) or len(scale) < 2:
        raise UsageError("a scale has at least two grades", "give each once, least first")
    names = _chosen(sorted(grades), judges)
    pairs = dict.fromkeys(pair for name in names for pair in grades[name])
    columns = {pair: at for at, pair in enumerate(pairs)}
    first = np.full((len(names), len(columns)), NOT_GRADED, dtype=np.int8)
    came = np.zeros(first.shape, dtype=np.int32)
    for judge, name in enumerate(names):
        row = grades[name]
        for grade in row.values():
            if grade not in scale:
                raise off_scale(grade, name, scale)
        at = [columns[pair] for pair in row]
        first[judge, at] = np.searchsorted(scale, [*row.values()])
        came[judge, at] = np.arange(len(at))
    named = [str(pair[0]) if isinstance(pair, tuple) and pair else "" for pair in columns]
    query_ids = tuple(sorted(set(named)))
    ids = {query_id: at for at, query_id in enumerate(query_ids)}
    return Ratings(
        judges=names,
        scale=tuple(scale),
        grades=first,
        came=came,
        repeats=np.full_like(first, NOT_GRADED),
        gold=np.full(len(columns), NOT_GRADED, dtype=np.int8),
        queries=np.array([ids[query_id] for query_id in named], dtype=np.int32),
        query_ids=query_ids,
        classes=("",) * len(query_ids),
        from_file=np.zeros(len(names), dtype=bool),
    )


def off_scale(grade: int, judge: str, scale: Iterable[int]) -> UsageError:
    """Return the error of a grade that is not on the scale."""
    what = f"grade {grade} of judge {judge!r} is not on the scale"
    return UsageError(what, f"known: {', '.join(map(str, scale))}")


def _chosen(known: Sequence[str], judges: Sequence[str] | None) -> tuple[str, ...]:
    """Return the judges asked for, in that order; all that are known where none are asked for."""
    if judges is None:
        return tuple(known)
    for name in judges:
        if name not in known:
            raise unknown("judge", name, sorted(known))
        if judges.count(name) > 1:
            raise UsageError(f"judge {name!r} is named twice", "name each judge once")
    return tuple(judges)


@dataclass(frozen=True, slots=True)
class Patterns:
    """How pairs were graded, slice by slice.

    `grades`: int8[judges, n], as those of `Ratings`; `counts`: int64[n, grades], how many judges
    gave each grade; `times`: int64[n], how many pairs were graded so; `slice`: int64[n], ascending,
    the slice that these pairs are of, a number below `slices`.
    """

    grades: NDArray[np.int8]
    counts: Ints
    times: Ints
    slice: Ints
    slices: int

    def where(self, there: Bools) -> Patterns:
        """Return those patterns for which `there`, bool[n], is true."""
        return Patterns(
            self.grades[:, there],
            self.counts[there],
            self.times[there],
            self.slice[there],
            self.slices,
        )

    def shared(self, judge: int | None = None) -> Patterns:
        """Return the patterns with two grades or more, one of them of the `judge` where one is
        named."""
        there = self.counts.sum(axis=1) >= 2
        return self.where(there if judge is None else there & (self.grades[judge] != NOT_GRADED))

    def sum(self, each: Ints | Floats | int) -> Floats:
        """Sum over the pairs of each slice, float64[slices]: one pattern after another, so that
        what the other slices hold does not change a digit. `each`: of one pair of each pattern."""
        return np.bincount(self.slice, self.times * each, self.slices).astype(float)

    def cells(self, judge: int, others: Iterable[int]) -> Iterable[Ints]:
        """Yield for each other judge the cell of each pattern in slices x (1 + grades) x (1 +
        grades), where "not graded" is one more grade, the first."""
        size = self.counts.shape[1] + 1
        row = (self.slice * size + self.grades[judge] + 1) * size + 1
        return (row + self.grades[other] for other in others)

    def confusions(self, judge: int, others: Sequence[int]) -> Floats:
        """Count grades that meet: float64[others, slices, grades, grades], the judge's in the
        rows."""
        size = self.counts.shape[1] + 1
        counts = [
            np.bincount(cells, self.times, self.slices * size**2)
            for cells in self.cells(judge, others)
        ]
        return np.reshape(counts, (len(others), self.slices, size, size))[..., 1:, 1:]


def patterns_of(ratings: Ratings, slices: Sequence[Ints] | None = None) -> Patterns:
    """Count the patterns of all pairs, or of those of each slice."""
    slices = [np.arange(ratings.grades.shape[1])] if slices is None else slices
    pairs = np.concatenate([np.empty(0, dtype=np.int64), *slices])
    of_pair = np.repeat(np.arange(len(slices)), [len(one) for one in slices])
    grades = ratings.grades[:, pairs]
    order, begin = distinct([of_pair, *grades])
    first = order[begin]
    grades = grades[:, first]
    counts = [(grades == grade).sum(axis=0) for grade in range(len(ratings.scale))]
    times = np.diff(begin, append=len(pairs))
    return Patterns(grades, np.stack(counts, axis=1), times, of_pair[first], len(slices))


def patterns_of_counts(counts: Ints) -> Patterns:
    """Return the patterns of pairs, as one slice, of which no more is known than how many judges
    gave each grade: int64[pairs, grades]."""
    pairs = len(counts)
    nobody = np.empty((0, pairs), dtype=np.int8)
    return Patterns(nobody, counts, np.ones(pairs, np.int64), np.zeros(pairs, np.int64), 1)


def distinct(keys: Sequence[NDArray[np.signedinteger[Any]]]) -> tuple[Ints, Ints]:
    """Sort by these keys, the first one first: the order, and where in it other keys begin."""
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    return order, np.flatnonzero(new)
