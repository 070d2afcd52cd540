"""Single values as they lie in memory, made ids, scores and grades; what is none is refused.

Each function takes a whole column and is quick where all of it is plain, which is nearly always.
`refuse` is called with the place of the first value that will not do, what it is, and how to mend
it, and raises.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from math import isfinite, isnan, nan
from typing import Any, NoReturn, TypeAlias

from judge_tui.formats.ids import as_field, has_other_white, is_blank

__all__ = [
    "Refuse",
    "as_grades",
    "as_ids",
    "as_names",
    "as_ranks",
    "as_scores",
    "has_null",
    "is_null",
    "is_scalar",
    "told",
]

Refuse: TypeAlias = Callable[[int, str, str], NoReturn]

_LIMIT = 2**31
_WHITE = " \t\n\v\f\r"


def as_ids(values: Sequence[Any], refuse: Refuse) -> list[str]:
    """Ids as files have them: names, white space in them percent-encoded (`as_field`).

    A number with a fraction is refused: 1.0 stands for the id 1 only by accident, 1e23 for none.
    """
    ids = as_names(values, refuse)
    joined = "".join(ids)
    white = has_other_white(joined) or any(sign in joined for sign in _WHITE)
    return list(map(as_field, ids)) if white else ids


def as_names(values: Sequence[Any], refuse: Refuse) -> list[str]:
    """Text that is not blank and that UTF-8 can hold. Whole numbers become their decimal digits,
    bytes the text that they are in UTF-8."""
    if set(map(type, values)) <= {str}:
        names = list(values)
    else:
        names = [_text(value, place, refuse) for place, value in enumerate(values)]
    joined = "".join(names)
    plain = joined.isascii() and "\0" not in joined and not any(sign in joined for sign in _WHITE)
    if not (plain and all(names)):
        for place, name in enumerate(names):
            _check(name, place, refuse)
    return names


def as_scores(values: Sequence[Any], refuse: Refuse) -> list[float]:
    """Finite numbers of any kind; text is none."""
    if set(map(type, values)) <= {float}:
        scores = list(values)
    else:
        scores = [_number(value) for value in values]
    if not all(map(isfinite, scores)):
        place = next(place for place, score in enumerate(scores) if not isfinite(score))
        mend = "scores are finite numbers"
        if isinstance(values[place], str | bytes):
            mend = "give a number, not text"
        elif is_null(values[place]):
            mend = "leave out what was not retrieved"
        refuse(place, told(values[place]), mend)
    return scores


def as_ranks(values: Sequence[Any], refuse: Refuse) -> list[int]:
    """Whole numbers from 0 up."""
    ranks = []
    for place, value in enumerate(values):
        rank = _whole(value)
        # Where -1 stands for what was not found, it must not come before all that was.
        if rank is None or rank < 0:
            refuse(place, told(value), "ranks are whole numbers from 0 up")
        ranks.append(rank)
    return ranks


def as_grades(values: Sequence[Any], refuse: Refuse) -> list[int]:
    """Whole numbers of 32 bits; 1.0 is one, which pandas makes of 1 in a column with gaps."""
    if set(map(type, values)) == {int} and min(values) >= -_LIMIT and max(values) < _LIMIT:
        return list(values)
    grades = []
    for place, value in enumerate(values):
        grade = _whole(value)
        if grade is None or not -_LIMIT <= grade < _LIMIT:
            refuse(place, told(value), "grades are whole numbers of 32 bits")
        grades.append(grade)
    return grades


def has_null(values: Sequence[Any]) -> bool:
    """Whether one of them is null."""
    kinds = set(map(type, values))
    if kinds <= {float}:
        return any(map(isnan, values))
    return not kinds <= {int, str, bool} and any(map(is_null, values))


def is_null(value: Any) -> bool:
    """Whether this is None, NaN, NaT or the NA of pandas: nothing, in a table."""
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 - which NaN and NaT alone are not
    except TypeError:
        return type(value).__name__ == "NAType"
    except ValueError:
        return False


def is_scalar(value: object) -> bool:
    """Whether this is one value, and not several: text counts as one."""
    return isinstance(value, str | bytes) or not isinstance(value, Iterable)


def told(value: object) -> str:
    """A value as it is shown in a message: on one line, and not at length."""
    return " ".join(repr(value).split())[:70]


def _text(value: Any, place: int, refuse: Refuse) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            refuse(place, told(value), "give text, or bytes that are UTF-8")
    if is_null(value):
        refuse(place, told(value), "give each row one, or leave the row out")
    number = None if isinstance(value, bool) else _index(value)
    if number is None:
        refuse(
            place,
            told(value),
            "ids are text or whole numbers: read the column as text (dtype=str), or convert it",
        )
    return str(number)


def _check(text: str, place: int, refuse: Refuse) -> None:
    if is_blank(text):
        refuse(place, told(text), "give each row one, or leave the row out")
    if "\0" in text:
        refuse(place, told(text), "remove the NUL character")
    if not _is_utf8(text):
        refuse(place, told(text), "mend the half of a surrogate pair in it")


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _number(value: Any) -> float:
    """The number that this is; NaN where it is none."""
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
