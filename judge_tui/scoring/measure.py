"""What a measure is: a definition, its parameters and a cutoff, under one canonical name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from judge_tui.scoring.averages import mean
from judge_tui.scoring.seen import Seen

__all__ = ["REL", "Average", "Definition", "Measure", "Parameter", "Value"]

Value: TypeAlias = int | float | str

Average: TypeAlias = Callable[[Sequence[float]], float]
"""The values of at least one query -> their mean, or what the measure has instead."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure. `read` turns text into a value or raises `ValueError`."""

    name: str
    default: Value
    read: Callable[[str], Value]
    allowed: str


@dataclass(frozen=True, slots=True)
class Definition:
    """One line of the registry: how a measure is called, what it takes, how it is computed.

    `average` is how the values of several queries become one. `condenses` is False where the
    measure keeps looking at the whole list under `judged_only`.
    """

    name: str
    summary: str
    value: Callable[[Seen, Measure], float]
    cutoff: Literal["required", "optional", "none"]
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    average: Average = mean
    condenses: bool = True


@dataclass(frozen=True, slots=True)
class Measure:
    """A definition with its parameters set. `name`, which is also `str()`, is the full name:
    `nDCG(dcg='exp-log2')@10`.

    `chosen` holds the parameters that differ from their default, in the definition's order, so
    that equal measures have equal names. `depth` is how many results are looked at, `rel` the
    least grade that counts as relevant (1 where the measure has no such parameter). Made by
    `parse_measure`.
    """

    definition: Definition
    chosen: tuple[tuple[str, Value], ...] = ()
    cutoff: int | None = None
    name: str = field(init=False, repr=False, compare=False)
    depth: int = field(init=False, repr=False, compare=False)
    rel: int = field(init=False, repr=False, compare=False)
    _values: Mapping[str, Value] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # All of these are asked for with every query of every run: worked out once.
        defaults = {parameter.name: parameter.default for parameter in self.definition.parameters}
        values = {**defaults, **dict(self.chosen)}
        rel = values.get("rel", 1)
        inside = ",".join(f"{name}={value!r}" for name, value in self.chosen)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        name = f"{self.definition.name}{f'({inside})' if inside else ''}{cutoff}"
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "depth", sys.maxsize if self.cutoff is None else self.cutoff)
        object.__setattr__(self, "rel", rel if isinstance(rel, int) else 1)
        object.__setattr__(self, "_values", values)

    def parameter(self, name: str) -> Value:
        """The value of a parameter, set or default."""
        return self._values[name]

    def value(self, seen: Seen) -> float:
        """The measure of one query."""
        return self.definition.value(seen, self)

    def __str__(self) -> str:
        return self.name


def _least_grade(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise ValueError(text)
    return int(text)


REL = Parameter("rel", 1, _least_grade, "a whole number from 1")
"""The least grade that counts as relevant (trec_eval -l)."""
