"""trec_eval's names of measures, and what it prints for its -m options, line by line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from judge_tui.errors import UsageError
from judge_tui.scoring.judged_lists import Floats, JudgedLists
from judge_tui.scoring.measure import Definition, Measure
from judge_tui.scoring.names import (
    GROUPS,
    TREC_NAMES,
    TrecName,
    measures_of_trec,
    parse_measures,
    read_trec_name,
)

__all__ = [
    "NO_RESULT",
    "UNJUDGED",
    "UNPOOLED",
    "TrecLine",
    "TrecPlan",
    "trec_plan",
]

UNPOOLED, UNJUDGED, NO_RESULT = -1.0, -2.0, -3.0
"""In place of a grade: not in the qrels, there with a negative grade, a rank behind the last."""

_MOST_RANKS = 1000


@dataclass(frozen=True, slots=True)
class TrecLine:
    """One line of trec_eval's output, with one for each query before it where `single` is True.

    `name` stands in front. `measure` is what is printed, and `summed` what is instead, over all
    queries under -c. Two lines have none: `runid`, and `relstring`, which shows the grades at its
    `ranks` for each query, and nothing over all.
    """

    name: str
    measure: Measure | None = None
    single: bool = True
    summed: Measure | None = None
    ranks: tuple[Measure, ...] = ()


@dataclass(frozen=True, slots=True)
class TrecPlan:
    """The lines in the order in which trec_eval prints them."""

    lines: tuple[TrecLine, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What runs must be scored by to print the lines, each once."""
        needed = [
            measure
            for line in self.lines
            for measure in (line.measure, line.summed, *line.ranks)
            if measure is not None
        ]
        return tuple(dict.fromkeys(needed))


def trec_plan(
    names: Iterable[str | Measure] = (), *, rel: int = 1, max_rel: int | None = None
) -> TrecPlan:
    """The lines for these names; those of `official` where there are none.

    `names`: as in `trec_eval -m`, or as `parse_measures` takes them. As in trec_eval 9.0.8, the
    order is its own, whatever the order of the names; cutoffs ascend; and of several lists of
    parameters for one measure (`P.5` and `P.10`) the first holds. Measures that trec_eval does not
    have come last, under their full name here. `rel` is its -l, which nDCG does not heed, and
    `max_rel` that of `parse_measures`, whose errors this raises too.
    """
    asked: dict[str, _Asked] = {}
    others: list[Measure] = []
    for name in list(names) or ["official"]:
        text = name.strip() if isinstance(name, str) else ""
        found = read_trec_name(text)
        if text in GROUPS:
            for trec in (each for each in GROUPS[text] if each.since == 9):
                asked.setdefault(trec.name, _Asked()).add("", "")
        elif found is not None:
            asked.setdefault(found[0].name, _Asked()).add(*found[1:])
        else:
            for measure in parse_measures(name, rel=rel, max_rel=max_rel):
                trec_name = _trec_name(measure, rel)
                if trec_name is None:
                    others.append(measure)
                else:
                    asked.setdefault(trec_name[0], _Asked()).add(trec_name[1], "_")
    lines = [
        line
        for trec in TREC_NAMES.values()
        if trec.name in asked
        for line in _lines(trec, asked[trec.name].listed(trec), rel)
    ]
    return TrecPlan((*lines, *(TrecLine(str(other), other) for other in dict.fromkeys(others))))


@dataclass(slots=True)
class _Asked:
    """How a measure was asked for: by its name alone, with a list (`P.5,10`), one part (`P_5`)."""

    alone: bool = False
    dotted: str = ""
    parts: tuple[str, ...] = ()

    def add(self, listed: str, sign: str) -> None:
        if sign == ".":
            self.dotted = self.dotted or listed
        elif listed:
            self.parts = (*self.parts, listed)
        else:
            self.alone = True

    def listed(self, trec: TrecName) -> str:
        """The list that holds; empty where it is the usual one and does not show in the name."""
        if not trec.several:
            return self.dotted or next(iter(self.parts), "")
        return ",".join(filter(None, (self.dotted or trec.usual * self.alone, *self.parts)))


def _lines(trec: TrecName, listed: str, rel: int) -> list[TrecLine]:
    if trec.name == "runid":
        return [TrecLine("runid", single=False)]
    if trec.name == "relstring":
        return [_relstring(listed, trec.usual)]
    measures = measures_of_trec(trec, listed, {"rel": str(rel)})
    if trec.several:
        ascending = sorted({_place(trec, measure): measure for measure in measures}.items())
        return [TrecLine(f"{trec.name}_{_shown(at)}", measure) for at, measure in ascending]
    name = f"{trec.name}_{listed}" if listed else trec.name
    # Under -c, trec_eval sums up every grade above 0 whatever -l says (m_num_rel.c).
    summed = measures_of_trec(trec, listed, {})[0] if trec.name == "num_rel" and rel != 1 else None
    return [TrecLine(name, measures[0], trec.single, summed)]


def _relstring(listed: str, usual: str) -> TrecLine:
    text = listed or usual
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST_RANKS):
        raise UsageError(
            f"{text!r} does not fit relstring, which shows the grades of the first results",
            f"write relstring.10, or another number up to {_MOST_RANKS}",
        )
    ranks = tuple([Measure(_GRADE, cutoff=rank) for rank in range(1, int(text) + 1)])
    return TrecLine(f"relstring_{listed}" if listed else "relstring", ranks=ranks)


def _trec_name(measure: Measure, rel: int) -> tuple[str, str] | None:
    """The name and the list by which trec_eval means the same measure; None where it has none."""
    for trec in TREC_NAMES.values():
        if trec.measure != measure.definition.name:
            continue
        if trec.lists == "cutoff" and measure.cutoff is None:
            continue
        listed = str(_place(trec, measure)) if trec.several else ""
        if measures_of_trec(trec, listed, {"rel": str(rel)}) == [measure]:
            return trec.name, listed
    return None


def _place(trec: TrecName, measure: Measure) -> float:
    """What tells a measure of a set from the others: its cutoff, or what stands there instead."""
    return measure.depth if trec.lists == "cutoff" else measure.number(trec.lists)


def _shown(place: float) -> str:
    return str(place) if isinstance(place, int) else f"{place:3.2f}"


def _grade_at_rank(lists: JudgedLists, measure: Measure) -> Floats:
    values = np.where(lists.retrieved >= measure.depth, UNPOOLED, NO_RESULT)
    values[lists.pooled_list[lists.pooled_rank == measure.depth]] = UNJUDGED
    there = lists.rank == measure.depth
    values[lists.list[there]] = lists.grade[there]
    return values


# A grade is no measure that could be averaged, so it is in no registry.
_GRADE = Definition(
    name="Grade",
    summary="grade of the result at one rank",
    value=_grade_at_rank,
    cutoff="required",
)
