"""See `scoring.order`: a class is a field like any other."""

from __future__ import annotations

from collections.abc import Iterable

from judge_tui.scoring.order import DEMANDS

__all__ = ["DEMANDS", "Demand", "class_called", "misspelt"]

Demand = str


def class_called(name: str) -> str:
    """The class as it is written."""
    return name


def misspelt(_names: Iterable[str]) -> tuple[str, ...]:
    """Nothing: no names of classes are known."""
    return ()
