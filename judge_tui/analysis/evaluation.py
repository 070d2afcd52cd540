"""Live systems by what is right for each query: where the first hit stood, what came in its place,
which queries are worst, and what that is worth in words."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from judge_tui.scoring import Measure, Scores, parse_measure, reaches

__all__ = [
    "BANDED",
    "HISTOGRAM",
    "TOP",
    "Bands",
    "ClassMeans",
    "EvaluatedQuery",
    "Evaluation",
    "Found",
    "by_class",
    "graded",
    "histogram",
    "missed",
    "reciprocal_rank",
    "worst",
]

HISTOGRAM = 10
"""Ranks that stand by themselves in the histogram; what is deeper is not found."""

BANDED = parse_measure(f"RR@{HISTOGRAM}")
"""The measure whose mean is put into words."""

TOP = 10
"""Results of a query that are kept of what a system found (`Found.top`), each with its grade."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Bands of the mean reciprocal rank in words: `strong` and above, `usable` and above, poor."""

    strong: float = 0.4
    usable: float = 0.2

    def word(self, value: float) -> str:
        """The band of a mean."""
        if reaches(value, self.strong):
            return "strong"
        return "usable" if reaches(value, self.usable) else "poor"


@dataclass(frozen=True, slots=True)
class Found:
    """What one system answered to one query: its `top` results, each with its grade, None where it
    is not known to be right or wrong; the rank of the `first` that is right (grade 1 or more) among
    all of its results, None where there is none; and why it `failed`, empty where it did not."""

    top: tuple[tuple[str, int | None], ...]
    first: int | None
    failed: str = ""

    def right_within(self, k: int) -> bool:
        """Whether one of the first `k` results is right."""
        return self.first is not None and self.first <= k


@dataclass(frozen=True, slots=True)
class EvaluatedQuery:
    """A query, what is `expected` (told by what is written, with its grade), and what each system
    found: tag -> `Found`. Without `has_answers` nothing says what is right for it: it has
    demands alone."""

    query_id: str
    query: str
    query_class: str
    expected: tuple[tuple[str, int], ...]
    found: Mapping[str, Found]
    has_answers: bool = True


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All queries, in their order; `scores` of all systems over all of them that have answers, a
    query without results counting as nothing found."""

    queries: tuple[EvaluatedQuery, ...]
    scores: Scores
    bands: Bands

    @property
    def answered(self) -> tuple[EvaluatedQuery, ...]:
        """The queries of which right answers are known."""
        return tuple(query for query in self.queries if query.has_answers)

    @property
    def answerable(self) -> tuple[EvaluatedQuery, ...]:
        """Those of them for which something is right: at the others every system scores 0."""
        return tuple(query for query in self.answered if query.expected)

    @property
    def nothing_right(self) -> tuple[str, ...]:
        """The ids of the others."""
        return tuple(query.query_id for query in self.answered if not query.expected)

    @property
    def tags(self) -> tuple[str, ...]:
        """The systems, in their order."""
        return tuple(run.tag for run in self.scores.runs)

    def values(self, tag: str, measure: Measure, query_ids: Container[str]) -> list[float]:
        """Those of a system for some queries, in the order of the query ids."""
        run = self.scores[tag]
        values = zip(run.query_ids, run.values[str(measure)], strict=True)
        return [value for query_id, value in values if query_id in query_ids]


def reciprocal_rank(found: Found, k: int = HISTOGRAM) -> float:
    """One over the rank of the first right result, 0 where it is not among the first `k`."""
    return 1 / found.first if found.first is not None and found.first <= k else 0.0


def missed(evaluation: Evaluation, tag: str, k: int = HISTOGRAM) -> list[EvaluatedQuery]:
    """The queries of which nothing right is among the first `k` results of a system, though
    something is right for them."""
    return [query for query in evaluation.answerable if not query.found[tag].right_within(k)]


def graded(
    evaluation: Evaluation, tag: str, k: int = TOP, among: Container[str] | None = None
) -> tuple[int, int]:
    """How many of a system's first `k` results, of `TOP` at most, have a grade, and how many there
    are, of the queries of which right answers are known; `among`: of these queries alone."""
    grades = [
        grade
        for query in evaluation.answered
        if among is None or query.query_id in among
        for _, grade in query.found[tag].top[:k]
    ]
    return len(grades) - grades.count(None), len(grades)


def worst(
    evaluation: Evaluation, count: int = 10, *, but: Container[str] = ()
) -> list[EvaluatedQuery]:
    """The queries with the least reciprocal rank, averaged over the systems; of equals those that
    come first. Queries that every system answers at rank 1 are none of them, nor are those for
    which nothing is right. `but`: classes of which a rank says nothing."""
    those = [query for query in evaluation.answerable if query.query_class not in but]
    ranked = sorted(those, key=lambda query: _mean_rr(query, evaluation.tags))
    return [query for query in ranked if _mean_rr(query, evaluation.tags) < 1][:count]


def histogram(evaluation: Evaluation, tag: str, *, but: Container[str] = ()) -> tuple[int, ...]:
    """How many queries have their first right result at rank 1, 2, … 10, and last how many have
    none there, of those for which something is right. `but`: as for `worst`."""
    counts = [0] * (HISTOGRAM + 1)
    for query in evaluation.answerable:
        if query.query_class in but:
            continue
        first = query.found[tag].first
        counts[first - 1 if first is not None and first <= HISTOGRAM else HISTOGRAM] += 1
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class ClassMeans:
    """One class of queries, how many there are, and tag -> mean over them."""

    name: str
    queries: int
    means: Mapping[str, float]


def by_class(evaluation: Evaluation, measure: Measure) -> list[ClassMeans]:
    """The means in each class of queries, by name; those without a class last, under an empty name.
    Empty where there are not two of these."""
    members: dict[str, set[str]] = {}
    for query in evaluation.answered:
        members.setdefault(query.query_class, set()).add(query.query_id)
    if len(members) < 2:
        return []
    return [
        ClassMeans(
            name,
            len(members[name]),
            {
                tag: measure.definition.average(evaluation.values(tag, measure, members[name]))
                for tag in evaluation.tags
            },
        )
        for name in sorted(members, key=lambda name: (not name, name))
    ]


def _mean_rr(query: EvaluatedQuery, tags: Sequence[str]) -> float:
    # Exactly rounded: equals are equal whatever the order of the systems.
    return fsum(reciprocal_rank(query.found[tag]) for tag in tags) / len(tags)
