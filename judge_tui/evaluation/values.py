"""Ids, grades and scores in memory, whatever they are made of, held to the rules of files."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from math import isfinite, nan
from typing import Any, NoReturn, TypeAlias, TypeVar

from judge_tui.errors import UsageError, in_message
from judge_tui.formats.ids import id_in
from judge_tui.formats.query_names import QueryText

__all__ = [
    "Number",
    "Read",
    "Refuse",
    "as_grades",
    "as_ids",
    "as_ranks",
    "as_scores",
    "is_null",
    "listed",
]

Refuse: TypeAlias = Callable[[int, str, str], NoReturn]
"""Called with the place of a value that will not do, what it is, and how to mend it; it raises."""

Number = TypeVar("Number", int, float)
Read: TypeAlias = Callable[[Sequence[Any], Refuse], list[Number]]

_LIMIT = 2**31


def as_ids(values: Sequence[Any], refuse: Refuse) -> list[str]:
    """Return ids as files have them (`id_in`), and texts that stand in their place. Whole numbers
    become their decimal digits; one with a fraction is refused: 1.0 stands for the id 1 only by
    accident, 1e23 for none."""
    plain = set(map(type, values)) <= {str}
    ids = list(values) if plain else [_text(one, at, refuse) for at, one in enumerate(values)]
    joined = "".join(ids)
    if joined.isascii() and joined.isprintable() and " " not in joined and all(ids):
        return ids
    for place, text in enumerate(ids):
        try:
            ids[place] = text if isinstance(text, QueryText) else id_in(text)
        except UsageError as error:
            refuse(place, in_message(text), error.mend)
    return ids


def as_scores(values: Sequence[Any], refuse: Refuse) -> list[float]:
    """Return finite numbers, of numbers of any kind; text is refused."""
    plain = set(map(type, values)) <= {float}
    scores = list(values) if plain else [_number(value) for value in values]
    if not all(map(isfinite, scores)):
        place = next(place for place, score in enumerate(scores) if not isfinite(score))
        refuse(place, in_message(values[place]), "scores are finite numbers")
    return scores


def as_grades(values: Sequence[Any], refuse: Refuse) -> list[int]:
    """Return whole numbers of 32 bits; 1.0 is one, which pandas makes of 1 in a column with
    gaps."""
    if set(map(type, values)) == {int} and min(values) >= -_LIMIT and max(values) < _LIMIT:
        return list(values)
    grades = []
    for place, value in enumerate(values):
        grade = _whole(value)
        if grade is None or not -_LIMIT <= grade < _LIMIT:
            refuse(place, in_message(value), "grades are whole numbers of 32 bits")
        grades.append(grade)
    return grades


def as_ranks(values: Sequence[Any], refuse: Refuse) -> list[int]:
    """Return whole numbers from 0 up: where -1 stands for what was not found, it must not come
    first."""
    ranks = []
    for place, value in enumerate(values):
        rank = _whole(value)
        if rank is None or rank < 0:
            refuse(place, in_message(value), "ranks are whole numbers from 0 up")
        ranks.append(rank)
    return ranks


def is_null(value: Any) -> bool:
    """Return whether this is None, NaN, NaT or the NA of pandas: nothing, in a table."""
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - which NaN and NaT alone are not
    except TypeError:
        return type(value).__name__ == "NAType"
    except ValueError:
        return False


def listed(values: Iterable[Any]) -> list[Any]:
    """Return values as a list, the numbers of numpy as Python's own."""
    if hasattr(values, "tolist"):
        found = values.tolist()
        return found if isinstance(found, list) else [found]
    return list(values)


def _text(value: Any, place: int, refuse: Refuse) -> str:
    if isinstance(value, QueryText):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            refuse(place, in_message(value), "give text, or bytes that are UTF-8")
    if is_null(value):
        refuse(place, in_message(value), "give each row one, or leave the row out")
    number = None if isinstance(value, bool) else _index(value)
    if number is None:
        refuse(
            place,
            in_message(value),
            "ids are text or whole numbers: read the column as text (dtype=str), or convert it",
        )
    return str(number)


def _number(value: Any) -> float:
    """Return the number that this is; NaN where it is none."""
    if isinstance(value, str | bytes):
        return nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return nan


def _whole(value: Any) -> int | None:
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) or hasattr(value, "is_integer"):
        return int(value) if value.is_integer() else None
    return _index(value)


def _index(value: Any) -> int | None:
    try:
        return operator.index(value)
    except TypeError:
        return None
