"""Classes of queries by their own measures, standard and hard ones of them side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from judge_tui.scoring import Measure, Slice, Slices
from judge_tui.scoring.demands import STANDARD

__all__ = ["ClassPart", "class_parts", "shown_subsets", "subsets_of"]


@dataclass(frozen=True, slots=True)
class ClassPart:
    """One class, as it is scored. `subsets`: name -> its queries in this class, those without one
    under `standard`; empty where no query of any class names a subset."""

    slice: Slice
    subsets: Mapping[str, frozenset[str]]

    @property
    def queries(self) -> int:
        """How many are scored, of the system that has most of them."""
        return max((len(run.query_ids) for run in self.slice.runs), default=0)

    def counts(self, subset: str | None = None) -> tuple[int, int]:
        """The least and the greatest number of queries of the class, or a subset of it, that a
        system's mean is over: without all queries counted, they are not the same ones."""
        within = None if subset is None else self.subsets.get(subset, frozenset())
        each = [
            sum(within is None or query_id in within for query_id in run.query_ids)
            for run in self.slice.runs
        ]
        return min(each, default=0), max(each, default=0)

    @property
    def shown_subsets(self) -> Mapping[str, frozenset[str]]:
        """Those that are not the whole class, as standard queries alone would be."""
        return {} if list(self.subsets) == [STANDARD] else self.subsets

    def mean(self, place: int, measure: Measure, subset: str | None = None) -> float | None:
        """Of the system at a place, over the class or a subset of it; None where that is empty."""
        run = self.slice.runs[place]
        within = None if subset is None else self.subsets.get(subset, frozenset())
        values = [
            value
            for query_id, value in zip(run.query_ids, run.values[str(measure)], strict=True)
            if within is None or query_id in within
        ]
        return measure.definition.average(values) if values else None


def class_parts(slices: Slices, subset_of: Mapping[str, str]) -> tuple[ClassPart, ...]:
    """Every class that is scored by something. `subset_of`: query_id -> subset, where one is
    named."""
    return tuple(
        ClassPart(one, subsets_of({q for run in one.runs for q in run.query_ids}, subset_of))
        for one in slices.slices
        if one.measures and any(run.query_ids for run in one.runs)
    )


def subsets_of(
    query_ids: Collection[str], subset_of: Mapping[str, str]
) -> Mapping[str, frozenset[str]]:
    """The queries by subset, `standard` first, then `hard`, then the others in byte order; nothing
    where no query at all names one."""
    if not subset_of:
        return {}
    found: dict[str, set[str]] = {}
    for query_id in query_ids:
        found.setdefault(subset_of.get(query_id, STANDARD), set()).add(query_id)
    return {name: frozenset(found[name]) for name in _in_order(found)}


def shown_subsets(
    query_ids: Collection[str], subset_of: Mapping[str, str]
) -> Mapping[str, frozenset[str]]:
    """The same, but nothing where all of them are standard ones: they are the whole."""
    found = subsets_of(query_ids, subset_of)
    return {} if list(found) == [STANDARD] else found


def _in_order(names: Iterable[str]) -> list[str]:
    first = (STANDARD, "hard")
    return sorted(
        names, key=lambda name: (first.index(name) if name in first else len(first), name)
    )
