"""What is compared by itself: all queries, or each slice of them, and by which measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judge_tui.scoring import Measure, Scores

__all__ = ["Parts", "parts_of"]


@dataclass(frozen=True, slots=True)
class Parts:
    """The names of the slices, in byte order, "" last; None alone stands for all queries.

    `of_query`: query_id -> name of its slice, None where nothing is sliced; a query that is not in
    it is in the slice "". `measures`: what each part is compared by.
    """

    of_query: Mapping[str, str] | None
    measures: Mapping[str | None, tuple[Measure, ...]]

    @property
    def names(self) -> tuple[str | None, ...]:
        """The parts, in their order."""
        return tuple(self.measures)

    def name_of(self, query_id: str) -> str | None:
        """The part that a query belongs to."""
        return None if self.of_query is None else self.of_query.get(query_id, "")

    def __iter__(self) -> Iterator[tuple[Measure, str | None]]:
        """What is compared: measure by measure, and by each part by part."""
        every = dict.fromkeys(m for measures in self.measures.values() for m in measures)
        for measure in every:
            for name, measures in self.measures.items():
                if measure in measures:
                    yield measure, name


def parts_of(
    scores: Scores,
    measures: Sequence[Measure],
    slices: Mapping[str, str] | None,
    measures_of: Mapping[str, Sequence[Measure]],
) -> Parts:
    """The slices of the queries that are scored, or all of these queries as one part.

    `measures_of`: name of a slice -> what it is compared by in place of `measures`.
    """
    if slices is None:
        return Parts(None, {None: tuple(measures)})
    names = {slices.get(query_id, "") for run in scores.runs for query_id in run.query_ids}
    return Parts(
        slices,
        {
            name: tuple(measures_of.get(name, measures))
            for name in sorted(names, key=lambda name: (not name, name))
        },
    )
