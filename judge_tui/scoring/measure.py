"""What a measure is: a definition, its parameters and a cutoff, under one canonical name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from judge_tui.scoring.seen import Seen

__all__ = ["REL", "Definition", "Measure", "Parameter", "Value"]

Value: TypeAlias = int | float | str


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

    `condenses` is False where the measure keeps looking at the whole list under `judged_only`.
    """

    name: str
    summary: str
    value: Callable[[Seen, Measure], float]
    cutoff: Literal["required", "optional"]
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()
    condenses: bool = True


@dataclass(frozen=True, slots=True)
class Measure:
    """A definition with its parameters set. `str()` is the full name: `nDCG(dcg='exp-log2')@10`.

    `chosen` holds the parameters that differ from their default, in the definition's order, so
    that equal measures have equal names. Made by `parse_measure`.
    """

    definition: Definition
    chosen: tuple[tuple[str, Value], ...] = ()
    cutoff: int | None = None

    @property
    def depth(self) -> int:
        """How many results are looked at."""
        return sys.maxsize if self.cutoff is None else self.cutoff

    @property
    def rel(self) -> int:
        """The least grade that counts as relevant; 1 where the measure has no such parameter."""
        rel = dict(self.chosen).get("rel", 1)
        return rel if isinstance(rel, int) else 1

    def parameter(self, name: str) -> Value:
        """The value of a parameter, set or default."""
        defaults = {parameter.name: parameter.default for parameter in self.definition.parameters}
        return dict(self.chosen).get(name, defaults[name])

    def value(self, seen: Seen) -> float:
        """The measure of one query."""
        return self.definition.value(seen, self)

    def __str__(self) -> str:
        inside = ",".join(f"{name}={value!r}" for name, value in self.chosen)
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.definition.name}{f'({inside})' if inside else ''}{cutoff}"


def _least_grade(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise ValueError(text)
    return int(text)


REL = Parameter("rel", 1, _least_grade, "a whole number from 1")
"""The least grade that counts as relevant (trec_eval -l)."""
