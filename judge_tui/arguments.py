"""The numbers that a caller of the library gives: what is none is refused by its name. At the
command line click does this.
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import TypeGuard

from judge_tui.errors import UsageError, in_message

__all__ = ["is_whole", "number", "whole", "whole_or_none"]


def is_whole(value: object) -> TypeGuard[int]:
    """Whether this is a whole number, of Python or numpy: neither True, 2.0 nor "2" is one."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole(name: str, value: object, within: range | None = None) -> int:
    """A whole number, from `within` where that is given. Raises `UsageError` for any other."""
    if not is_whole(value):
        raise UsageError(f"{name} is {in_message(value)}", "give a whole number")
    if within is not None and value not in within:
        raise UsageError(f"{name} is {value}", f"give {within[0]} to {within[-1]}")
    return int(value)


def whole_or_none(name: str, value: object, within: range | None = None) -> int | None:
    """A whole number as `whole` has it, or None."""
    return None if value is None else whole(name, value, within)


def number(name: str, value: object) -> float:
    """A number of any kind. Raises `UsageError` for what is none: neither True nor "2" is one."""
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    raise UsageError(f"{name} is {in_message(value)}", "give a number")
