"""Which cases the lead wants to see, and how that is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from judge_tui.campaign.overview.cases import Cases
from judge_tui.campaign.store.arrays import CANNOT, NOT_DECIDED
from judge_tui.campaign.store.judges import Judge

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cell = tuple[int, int, int, int]
"""Two judges (keys), and the grade that each of them gave."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What judges may have left on a case, in words, and on which cases they did: bool[n]."""

    words: str
    of: Callable[[Cases], NDArray[np.bool_]]


MARKS: dict[str, Mark] = {
    "flagged": Mark("flagged by a judge", lambda cases: cases.flagged),
    "noted": Mark("with a note", lambda cases: cases.noted),
    "cannot": Mark(
        "said to be impossible to judge", lambda cases: (cases.grades == CANNOT).any(axis=1)
    ),
}
"""What there is to filter by, in the order in which it is offered."""


@dataclass(frozen=True, slots=True)
class Filter:
    """All that is asked for must hold. Keys are the campaign file's own.

    `apart`: a judge whose grade nobody shares; `graded`: a judge who gave one. With a `mark` or a
    `cell`, or where `agreed` is asked for, pairs without a disagreement are among the cases.
    """

    query: int | None = None
    query_class: str | None = None
    apart: int | None = None
    graded: int | None = None
    mark: Mark | None = None
    settled: bool | None = None
    agreed: bool = False
    cell: Cell | None = None

    @property
    def is_off(self) -> bool:
        """Whether it asks for nothing."""
        return self == Filter()

    def but(self, other: Filter) -> Filter:
        """This filter, and what another one asks for."""
        asked = {
            field.name: getattr(other, field.name)
            for field in fields(other)
            if getattr(other, field.name) != field.default
        }
        return replace(self, **asked)

    def keeps(self, cases: Cases, classes: Mapping[int, str]) -> NDArray[np.bool_]:
        """bool[n]: the cases that it lets through; `classes`, by the keys of queries."""
        kept = np.ones(len(cases.pairs), dtype=np.bool_)
        if self.mark is None and self.cell is None and not self.agreed:
            kept &= cases.disputed
        if self.query is not None:
            kept &= cases.queries == self.query
        if self.query_class is not None:
            keys = [key for key, name in classes.items() if name == self.query_class]
            kept &= np.isin(cases.queries, keys)
        if self.apart is not None:
            kept &= stands_apart(cases, self.apart)
        if self.graded is not None:
            kept &= _grades_of(cases, self.graded) >= 0
        if self.mark is not None:
            kept &= self.mark.of(cases)
        if self.settled is not None:
            kept &= (cases.settled != NOT_DECIDED) == self.settled
        if self.cell is not None:
            one, other, grade, grade_of_other = self.cell
            kept &= _grades_of(cases, one) == grade
            kept &= _grades_of(cases, other) == grade_of_other
        return kept

    def said(self, names: Mapping[int, str], queries: Mapping[int, str]) -> str:
        """What it asks for, in words; judges and queries as they are called, by their keys."""
        asked = []
        if self.query is not None:
            asked.append(f"query {queries.get(self.query, '')}")
        if self.query_class is not None:
            asked.append(f"class {self.query_class}" if self.query_class else "queries of no class")
        if self.apart is not None:
            asked.append(f"judge {names.get(self.apart, '')} stands apart")
        if self.graded is not None:
            asked.append(f"graded by {names.get(self.graded, '')}")
        if self.mark is not None:
            asked.append(self.mark.words)
        if self.cell is not None:
            one, other, grade, grade_of_other = self.cell
            asked.append(
                f"{names.get(one, '')} gave {grade} and {names.get(other, '')} {grade_of_other}"
            )
        if self.settled is not None:
            asked.append("settled" if self.settled else "not settled yet")
        if self.agreed:
            asked.append("agreed ones, too")
        return ", ".join(asked)


def stands_apart(cases: Cases, judge: int) -> NDArray[np.bool_]:
    """bool[n]: where somebody else gave a grade, and nobody the one of this judge (a key)."""
    own = _grades_of(cases, judge)
    given = (cases.grades >= 0).sum(axis=1)
    same = (cases.grades == own[:, None]).sum(axis=1)
    apart: NDArray[np.bool_] = (own >= 0) & (given > 1) & (same == 1)
    return apart


def _grades_of(cases: Cases, judge: int) -> NDArray[np.int8]:
    place = place_of(cases.judges, judge)
    if place is None:
        return np.full(len(cases.pairs), NOT_DECIDED, dtype=np.int8)
    return cases.grades[:, place]


def place_of(judges: tuple[Judge, ...], key: int) -> int | None:
    """Where a judge stands among others, None where not."""
    return next((place for place, judge in enumerate(judges) if judge.key == key), None)
