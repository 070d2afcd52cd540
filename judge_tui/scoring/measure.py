"""What a measure is: its definition, its parameters, and how its values are averaged.

`measures` says where to add one.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from judge_tui.arrays import Floats
from judge_tui.scoring.judged_lists import JudgedLists
from judge_tui.sums import total

DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
"""A decimal number without a sign: no infinity, NaN, underscores or other alphabets."""

STEP = 1e-9
"""By so much means may differ and be the same: sums of the same values differ by less."""

_LEAST = 0.00001


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean of at least one value."""
    return total(values) / len(values)


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of at least one value, each taken for at least 0.00001.

    trec_eval's rule (`MIN_GEO_MEAN`): one query that scores 0 would make everything 0.
    """
    return math.exp(total([math.log(max(value, _LEAST)) for value in values]) / len(values))


Average: TypeAlias = Callable[[Sequence[float]], float]
"""The values of at least one query -> their mean, or what the measure has instead."""


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
        """Return the gain of a document of that grade."""
        return dict(self.pairs).get(grade, float(grade))

    def __repr__(self) -> str:
        return "{" + ",".join(f"{grade}:{_short(gain)}" for grade, gain in self.pairs) + "}"


GRADED = Gains()
"""Every grade gains its own number."""


def _short(value: float) -> str:
    """Return the shortest text that reads as the same number: 1 for 1.0."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


Setting: TypeAlias = int | float | str | Gains
"""The value of a parameter."""


class Parameter(NamedTuple):
    """One parameter of a measure. `read` turns text into a value or raises `ValueError`; `allowed`
    says what it takes."""

    name: str
    default: Setting
    read: Callable[[str], Setting]
    allowed: str


def number(text: str) -> float:
    """Read a decimal number. Raises `ValueError`."""
    if not re.fullmatch(rf"\s*[-+]?{DECIMAL}\s*", text) or not math.isfinite(float(text)):
        raise ValueError(text)
    return float(text)


def whole_number(text: str) -> int:
    """Read a whole number from 1, of at most nine digits. Raises `ValueError`."""
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 1:
        raise ValueError(text)
    return int(text)


Value = TypeVar("Value", int, float)


def checked(read: Callable[[str], Value], holds: Callable[[Value], bool]) -> Callable[[str], Value]:
    """Return a reader of parameters that refuses values for which this does not hold."""

    def read_checked(text: str) -> Value:
        value = read(text)
        if not holds(value):
            raise ValueError(text)
        return value

    return read_checked


def choice(name: str, *values: str | bool, default: str | bool) -> Parameter:
    """Return a parameter that takes one of these values."""
    by_text = {str(value): value for value in values}

    def read(text: str) -> str | bool:
        if text not in by_text:
            raise ValueError(text)
        return by_text[text]

    return Parameter(name, default, read, " or ".join(map(repr, values)))


REL = Parameter("rel", 1, whole_number, "a whole number from 1")
"""The least grade that counts as relevant (trec_eval -l)."""

JUDGED_ONLY = choice("judged_only", True, False, default=False)
"""Whether unjudged documents are taken out of the lists; of each measure that condenses."""

GAINS = Parameter("gains", GRADED, Gains.read, "grade:gain pairs, such as {1:3.5,2:9}")
"""What each grade gains: its own number, unless said otherwise."""

ROUNDING = choice("rounding", "up", "nearest", default="up")
"""How a share of the relevant documents becomes a number of them: floor(x + .9), as trec_eval 9 and
ir_measures do, or the nearest whole number, as trec_eval 10.0 does."""

PERSISTENCE = Parameter("p", 0.8, checked(number, lambda p: 0 < p < 1), "a number between 0 and 1")
"""How likely a reader goes on to the next result."""


Credited: TypeAlias = Literal["truths", "hits", "results"]
"""What a measure counts that is scored by answers: each truth once, at a rank of its own (or, with
credit for "every" result, each that matches); each truth that was hit; each result that matches."""


class Definition(NamedTuple):
    """A line of the registry: how a measure is called, what it takes, and how it is computed.

    - `source`: what defines it: a paper, or the code of a tool.
    - `value`: computes float64[lists] from lists that are cut at the cutoff already.
    - `cutoff`: whether a rank may stand after the @. `at`: the parameter that stands there instead
      (the recall of `IPrec@0.1`).
    - `average`: makes one value of the values of several queries.
    - `condenses`: False for a measure that looks at the whole list under `judged_only`, too.
    - `quality`: False for a measure of which more does not make a run better.
    - `own_depth`: True for a measure that looks at as many results as the query has it, and is
      above 0 exactly where one of them is relevant.
    - `credited`: what the measure counts of answers, None where answers do not score it.
    - `looks_at_results`: False for a measure that has the same value whatever the results are; any
      other is 0 for a query that the run does not answer.
    - `demand`: what answers must say (`prefer`, `authority`) for a measure of what comes first;
      None for a measure of grades.
    """

    name: str
    summary: str
    source: str
    value: Callable[[JudgedLists, Measure], Floats]
    cutoff: Literal["required", "optional", "none"] = "none"
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    at: Parameter | None = None
    average: Average = mean
    condenses: bool = True
    quality: bool = True
    own_depth: bool = False
    credited: Credited | None = None
    looks_at_results: bool = True
    demand: str | None = None

    @property
    def of_order(self) -> bool:
        """Whether it is about what comes first and not about grades."""
        return self.demand is not None

    @property
    def after(self) -> str:
        """What may stand after the @: `cutoff`, or the name of `at`."""
        return "cutoff" if self.at is None else self.at.name

    @property
    def whole(self) -> bool:
        """Whether its values are counts, which are added up."""
        return self.average is total


@dataclass(frozen=True)
class Measure:
    """A definition with its parameters set; `str()` is its full name. Made by `parse_measure`.

    `chosen`: the parameters that differ from their default, in the definition's order, so that
    equal measures have equal names, and last the one after the @ if there is one.
    """

    definition: Definition
    chosen: tuple[tuple[str, Setting], ...] = ()
    cutoff: int | None = None

    @cached_property
    def name(self) -> str:
        """The full name: `nDCG(dcg='exp-log2')@10`."""
        at = "" if self.definition.at is None else self.definition.at.name
        inside = ",".join(f"{name}={value!r}" for name, value in self.chosen if name != at)
        after = self.cutoff if self.definition.at is None else self.parameter(at)
        return (
            self.definition.name
            + (f"({inside})" if inside else "")
            + ("" if after is None else f"@{after!r}")
        )

    @property
    def depth(self) -> int:
        """How many results are looked at."""
        return sys.maxsize if self.cutoff is None else self.cutoff

    @property
    def rel(self) -> int:
        """The least grade that counts as relevant; 1 where it has no such parameter."""
        return cast(int, self._settings.get("rel", 1))

    @property
    def judged_only(self) -> bool:
        """Whether lists are condensed to what was judged before they are cut."""
        return bool(self._settings.get("judged_only"))

    def parameter(self, name: str) -> Setting:
        """Return the value of a parameter, set or default."""
        return self._settings[name]

    def number(self, name: str) -> float:
        """Return the value of a parameter that is a number."""
        return cast(float, self._settings[name])

    def value(self, lists: JudgedLists) -> Floats:
        """Return float64[lists]: the measure of each list, cut at the cutoff."""
        lists = lists.condensed if self.judged_only else lists
        return self.definition.value(lists.first(self.depth), self)

    def mean(self, values: Floats) -> float:
        """Return the mean of the numbers in float64[n], or what the measure has instead (a sum, a
        geometric mean); NaN where there is no number."""
        numbers = values[~np.isnan(values)].tolist()
        return self.definition.average(numbers) if numbers else math.nan

    def means(self, values: Floats) -> Floats:
        """Return float64[runs]: the mean of each row of float64[runs, queries]."""
        return np.array([self.mean(row) for row in values], dtype=np.float64)

    @cached_property
    def _settings(self) -> Mapping[str, Setting]:
        usual = {parameter.name: parameter.default for parameter in self.definition.parameters}
        return {**usual, **dict(self.chosen)}

    def __str__(self) -> str:
        return self.name
