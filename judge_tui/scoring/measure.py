"""What a measure is: its definition, its parameters, and how its values are averaged."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, isfinite, log
from typing import Literal, NamedTuple, TypeAlias, cast

from judge_tui.arrays import Floats
from judge_tui.scoring.judged_lists import JudgedLists

__all__ = [
    "DECIMAL",
    "GAINS",
    "GRADED",
    "JUDGED_ONLY",
    "PERSISTENCE",
    "REL",
    "ROUNDING",
    "STEP",
    "Average",
    "Credited",
    "Definition",
    "Gains",
    "Measure",
    "Parameter",
    "Points",
    "Setting",
    "geometric_mean",
    "mean",
    "total",
    "whole_number",
]


DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
"""A decimal number without a sign: no infinity, NaN, underscores or other alphabets."""

STEP = 1e-9
"""By so much means may differ and be the same: sums of the same values differ by less."""


def number(text: str) -> float:
    """Read a decimal number. Raises `ValueError`."""
    if not re.fullmatch(rf"\s*[-+]?{DECIMAL}\s*", text):
        raise ValueError(text)
    value = float(text)
    if not isfinite(value):
        raise ValueError(text)
    return value


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    value = number(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def _short(value: float) -> str:
    """The shortest text that reads as the same number: 1 for 1.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def whole_number(text: str) -> int:
    """Read a whole number from 1, of at most nine digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise ValueError(text)
    return int(text)


def _probability(text: str) -> float:
    value = number(text)
    if not 0 < value < 1:
        raise ValueError(text)
    return value


class Gains(NamedTuple):
    """What a document of each grade gains. A grade that is not in `pairs` gains its own number.

    `pairs`: (grade, gain), ascending by grade, without those that say nothing new.
    """

    pairs: tuple[tuple[int, float], ...] = ()

    @classmethod
    def read(cls, text: str) -> Gains:
        """Read `{1:3.5,2:9}`, as ir_measures writes it, or trec_eval's `1=3.5,2=9`.

        Raises `ValueError` for anything else, and where a grade is named twice.
        """
        inside = text[1:-1] if text.startswith("{") and text.endswith("}") else text
        gains: dict[int, float] = {}
        for part in inside.split(",") if inside.strip() else ():
            match = re.fullmatch(r"\s*([0-9]{1,10})\s*[:=]\s*(\S+)\s*", part)
            if match is None or int(match[1]) in gains:
                raise ValueError(text)
            gains[int(match[1])] = number(match[2])
        return cls(tuple((grade, gain) for grade, gain in sorted(gains.items()) if gain != grade))

    def of(self, grade: int) -> float:
        """The gain of a document of that grade."""
        for known, gain in self.pairs:
            if known == grade:
                return gain
        return float(grade)

    def __repr__(self) -> str:
        return "{" + ",".join(f"{grade}:{_short(gain)}" for grade, gain in self.pairs) + "}"


GRADED = Gains()
"""Every grade gains its own number."""


class Points(tuple[float, ...]):
    """Levels of recall, ascending, each between 0 and 1."""

    __slots__ = ()

    @classmethod
    def read(cls, text: str) -> Points:
        """Read `0.2,0.5,0.8`. Raises `ValueError` for anything else."""
        return cls(sorted({share(part) for part in text.split(",")}))

    def __repr__(self) -> str:
        return "'" + ",".join(_short(point) for point in self) + "'"


_LEAST = 0.00001


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return total(values) / len(values)


def total(values: Sequence[float]) -> float:
    """The sum of the values."""
    # From left to right, as trec_eval adds: `sum` rounds otherwise from Python 3.12 on.
    result = 0.0
    for value in values:
        result += value
    return result


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean of at least one value, each taken for at least 0.00001.

    trec_eval's rule (`MIN_GEO_MEAN`): one query that scores 0 would make everything 0.
    """
    return exp(total([log(max(value, _LEAST)) for value in values]) / len(values))


Setting: TypeAlias = int | float | str | Gains | Points

Average: TypeAlias = Callable[[Sequence[float]], float]
"""The values of at least one query -> their mean, or what the measure has instead."""


Credited: TypeAlias = Literal["truths", "hits", "results", "judged", "unsaid"]
"""What of the right answers a measure counts that is scored by answers in place of qrels: each
truth once, at a rank of its own (or, with credit for "every" result, every one that matches);
each truth that was hit; each result that matches any. By "judged" it is about what was judged and
is not right, which no answer says; by "unsaid" nobody has said what it counts."""


class Parameter(NamedTuple):
    """One parameter of a measure. `read` turns text into a value or raises `ValueError`."""

    name: str
    default: Setting
    read: Callable[[str], Setting]
    allowed: str


class Definition(NamedTuple):
    """One line of the registry: how a measure is called, what it takes, how it is computed.

    `value`: of lists that are cut at the cutoff already, float64[lists]. `cutoff`: whether a rank
    may stand after the @; `at` is the parameter that stands there instead (the recall of
    `IPrec@0.1`). `average` is how the values of several queries become one. `condenses` is False
    where the measure keeps looking at the whole list under `judged_only`; `whole` is True where
    values are counts. `quality` is False where more of it does not make a run better: no run is
    called better or worse by it. `share` is False where values may lie below 0 or above 1.
    `own_depth` is True where how many results are looked at depends on the query: it is then above
    0 exactly where one of them is relevant. `credited` is how it is scored by answers, if at all.
    `looks_at_results` is False where its value is the same whatever the results are; any other is 0
    for a query that the run does not answer. `lowered_by_missed` is True where a relevant document
    lowers it that is not among the results looked at, be it behind the cutoff or in no list: what
    could be found is more. `of_order` is True where it is about what comes first and not about
    grades (`scoring.order`).
    """

    name: str
    summary: str
    value: Callable[[JudgedLists, Measure], Floats]
    cutoff: Literal["required", "optional", "none"]
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    at: Parameter | None = None
    average: Average = mean
    condenses: bool = True
    whole: bool = False
    quality: bool = True
    share: bool = True
    own_depth: bool = False
    credited: Credited = "unsaid"
    looks_at_results: bool = True
    lowered_by_missed: bool | Callable[[Measure], bool] = False
    of_order: bool = False


@dataclass(frozen=True, slots=True)
class Measure:
    """A definition with its parameters set. `name`, which is also `str()`, is the full name:
    `nDCG(dcg='exp-log2')@10`.

    `chosen` holds the parameters that differ from their default, in the definition's order, so
    that equal measures have equal names, and last the one after the @ if there is one. `depth` is
    how many results are looked at, `rel` the least grade that counts as relevant (1 where the
    measure has no such parameter), `judged_only` whether lists are condensed to what was judged
    before they are cut. Made by `parse_measure`.
    """

    definition: Definition
    chosen: tuple[tuple[str, Setting], ...] = ()
    cutoff: int | None = None
    name: str = field(init=False, repr=False, compare=False)
    depth: int = field(init=False, repr=False, compare=False)
    rel: int = field(init=False, repr=False, compare=False)
    judged_only: bool = field(init=False, repr=False, compare=False)
    _values: Mapping[str, Setting] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # All of these are asked for with every query of every run: worked out once.
        values = {parameter.name: parameter.default for parameter in self.definition.parameters}
        values.update(self.chosen)
        rel = values.get("rel", 1)
        object.__setattr__(self, "name", self._full_name())
        object.__setattr__(self, "depth", sys.maxsize if self.cutoff is None else self.cutoff)
        object.__setattr__(self, "rel", rel if isinstance(rel, int) else 1)
        object.__setattr__(self, "judged_only", bool(values.get("judged_only")))
        object.__setattr__(self, "_values", values)

    def parameter(self, name: str) -> Setting:
        """The value of a parameter, set or default."""
        return self._values[name]

    def number(self, name: str) -> float:
        """The value of a parameter that is a number."""
        return cast(float, self._values[name])

    @property
    def share(self) -> bool:
        """Whether its values lie from 0 to 1: no counts, no losses."""
        gains = self._values.get("gains")
        loses = isinstance(gains, Gains) and any(gain < 0 for _, gain in gains.pairs)
        return self.definition.share and not self.definition.whole and not loses

    @property
    def lowered_by_missed(self) -> bool:
        """Whether a relevant document lowers it that is not among the results looked at."""
        lowered = self.definition.lowered_by_missed
        return lowered if isinstance(lowered, bool) else lowered(self)

    def value(self, lists: JudgedLists) -> Floats:
        """float64[lists]: the measure of each list, cut at the cutoff."""
        lists = lists.condensed if self.judged_only else lists
        return self.definition.value(lists.first(self.depth), self)

    def _full_name(self) -> str:
        at = self.definition.at
        inside: list[str] = []
        after = "" if self.cutoff is None else f"@{self.cutoff}"
        for name, value in self.chosen:
            if at is not None and name == at.name:
                after = f"@{value!r}"
            else:
                inside.append(f"{name}={value!r}")
        chosen = f"({','.join(inside)})" if inside else ""
        return f"{self.definition.name}{chosen}{after}"

    def __str__(self) -> str:
        return self.name


REL = Parameter("rel", 1, whole_number, "a whole number from 1")
"""The least grade that counts as relevant (trec_eval -l)."""


def _truth(text: str) -> bool:
    if text not in ("True", "False"):
        raise ValueError(text)
    return text == "True"


JUDGED_ONLY = Parameter("judged_only", False, _truth, "True or False")
"""Whether unjudged documents are taken out of the lists; of each measure that condenses."""

GAINS = Parameter("gains", GRADED, Gains.read, "grade:gain pairs, such as {1:3.5,2:9}")
"""What each grade gains: its own number, unless said otherwise."""


def _rounding(text: str) -> str:
    if text not in ("up", "nearest"):
        raise ValueError(text)
    return text


ROUNDING = Parameter("rounding", "up", _rounding, "'up' or 'nearest'")
"""How a share of the relevant documents becomes a number of them: floor(x + .9), as trec_eval 9 and
ir_measures do, or the nearest whole number, as trec_eval 10.0 does."""

PERSISTENCE = Parameter("p", 0.8, _probability, "a number between 0 and 1")
"""How likely a reader goes on to the next result."""
