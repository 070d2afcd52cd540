"""JSON read whole by the standard library, a document or one object a line.

A value knows its place in the document; the line of a place is looked up only when an error has to
name it. Names that come twice, NaN, half surrogates and what is nested too deeply are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from math import isfinite
from typing import Any, TypeVar

from judge_tui.formats.numbers import score_of
from judge_tui.formats.problems import RecordError, Reporter, decoded, not_utf8, quoted
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import id_of

__all__ = [
    "Node",
    "called",
    "document_in",
    "entries_in",
    "lines_in",
    "parsed",
    "pop_id",
    "pop_text",
]

_DEEPEST = 100
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}:,]|[^\s\[\]{}:,"]+')
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
Made = TypeVar("Made")


class Node:
    """A value in a document. As a line (`operator.index`) it is the one on which it begins; of a
    value in an object, the one of its name."""

    __slots__ = ("_key", "_parent", "value")

    def __init__(self, value: Any, parent: Node | _Text, key: str | int = "") -> None:
        self.value = value
        self._parent = parent
        self._key = key

    def __index__(self) -> int:
        path: list[str | int] = []
        above: Node | _Text = self
        while isinstance(above, Node):
            path.append(above._key)
            above = above._parent
        return above.line_of(tuple(reversed(path[:-1])))

    def get(self, name: str) -> Node | None:
        """The value of that name in an object; None where it is missing or null."""
        value = self.value.get(name) if isinstance(self.value, dict) else None
        return None if value is None else Node(value, self, name)

    def __getitem__(self, name: str) -> Node:
        """The same; raises `RecordError` where it is missing or null."""
        found = self.get(name)
        if found is None:
            raise self.refusal(f"there is no {name!r}", "write it")
        return found

    def first(self, *names: str) -> Node | None:
        """The value of the first of these names that has one, blank strings apart."""
        for name in names:
            found = self.get(name)
            if found is not None and not (isinstance(found.value, str) and not found.value.strip()):
                return found
        return None

    def items(self) -> Iterator[tuple[str, Node]]:
        """Names and values of an object. Raises `RecordError` where it is none."""
        if not isinstance(self.value, dict):
            raise self.refusal(f"this is {called(self.value)}, not an object", "write {…}")
        return ((name, Node(value, self, name)) for name, value in self.value.items())

    def objects(self, name: str) -> list[Node]:
        """The objects in the list of that name. Raises `RecordError` where it is none of such."""
        held = self[name]
        if not isinstance(held.value, list) or not all(isinstance(v, dict) for v in held.value):
            raise held.refusal(f"{name!r} is no list of objects", "write one")
        return [Node(value, held, place) for place, value in enumerate(held.value)]

    def __iter__(self) -> Iterator[Node]:
        """The values of a list. Raises `RecordError` where it is none."""
        if not isinstance(self.value, list):
            raise self.refusal(f"this is {called(self.value)}, not a list", "write […]")
        return (Node(value, self, place) for place, value in enumerate(self.value))

    def string(self, *names: str) -> str:
        """The text under the first of these names that has one; "" where none has."""
        for name in names:
            value = self.value.get(name) if isinstance(self.value, dict) else None
            if isinstance(value, str) and value.strip():
                return value
        return ""

    def id(self, noun: str) -> str:
        """A string or a whole number as the id of a `noun`. Raises `RecordError`."""
        value = self.value
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise self.refusal(f"the {noun} has no id", f"give each {noun} an id, as a string")
        return id_of(value, noun)

    def score(self) -> float:
        """A finite number. Raises `RecordError`."""
        return score_of(self.number())

    def number(self) -> Any:
        """What may be a number, and is no truth value, list or object: for a strict parser."""
        if isinstance(self.value, bool | dict | list):
            raise self.refusal(f"this is {called(self.value)}, not a number", "write a number")
        return self.value

    def refusal(self, what: str, mend: str) -> RecordError:
        """The error of a value that cannot be used."""
        return RecordError(what, mend, self)


def called(value: Any) -> str:
    """What sort of value it is, in words."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    sorts = ((str, "a string"), (list, "a list"), (dict, "an object"))
    return next((name for sort, name in sorts if isinstance(value, sort)), "a number")


class _Text:
    """The text of a document, which begins on `line`."""

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """The line of the value at the end of that path of names and places."""
        return self.line if "\n" not in self.text else self._lines.get(path, self.line)

    @cached_property
    def _lines(self) -> dict[tuple[str | int, ...], int]:
        return dict(self.places())

    def line_of_second(self) -> int:
        """The line of the first value whose path another one has already."""
        seen = set[tuple[str | int, ...]]()
        for path, line in self.places():
            if path in seen:
                return line
            seen.add(path)
        return self.line

    def places(self) -> Iterator[tuple[tuple[str | int, ...], int]]:
        """The path and the line of every value, in their order."""
        line, counted = self.line, 0
        path: list[str | int] = []
        is_name = False
        for token in _TOKEN.finditer(self.text):
            line += self.text.count("\n", counted, token.start())
            counted = token.start()
            mark = token[0]
            if mark in "]}":
                path.pop()
                is_name = False
            elif mark == ",":
                if isinstance(path[-1], int):
                    path[-1] += 1
                else:
                    is_name = True
            elif is_name:
                path[-1] = json.loads(mark)
                is_name = False
                yield tuple(path), line
            elif mark != ":":
                if not path or isinstance(path[-1], int):
                    yield tuple(path), line
                if mark in "[{":
                    is_name = mark == "{"
                    path.append("" if is_name else 0)


class _TwiceError(Exception):
    """Two values of one name in one object."""


def parsed(text: str, line: int = 1) -> Node:
    """The value that is all of a text, which begins on that line. Raises `RecordError`."""
    whole = _Text(text, line)

    def finite(written: str) -> float:
        number = float(written)
        if not isfinite(number):
            its_line = line + text.count("\n", 0, text.find(written))
            what = f"{quoted(written)} is not a finite number"
            raise RecordError(what, "write a finite number", its_line)
        return number

    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=finite, parse_float=finite
        )
    except json.JSONDecodeError as error:
        raise RecordError(
            f"not valid JSON: {error.msg} at column {error.colno}",
            "was it written to the end?" if error.pos >= len(text.rstrip()) else "mend it there",
            line + error.lineno - 1,
        ) from error
    except _TwiceError as error:
        what = f"{quoted(str(error))} comes twice in one object"
        raise RecordError(what, "remove one of them", whole.line_of_second()) from error
    except RecursionError as error:
        raise _too_deep(line) from error
    except ValueError as error:  # of thousands of digits, which Python will not convert
        raise RecordError("not valid JSON: a number of too many digits", "mend it", line) from error
    if text.count("{") + text.count("[") > _DEEPEST and _is_deep(value):
        raise _too_deep(next(at for path, at in whole.places() if len(path) >= _DEEPEST))
    if _SURROGATE.search(text):
        _refuse_half(value, whole)
    return Node(value, whole)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return made


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return any(isinstance(one, dict | list) for one in level)


def _too_deep(line: int) -> RecordError:
    return RecordError(f"JSON nested deeper than {_DEEPEST} levels", "flatten it", line)


def _refuse_half(value: Any, whole: _Text) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        at = whole.text.lower().find(half)
        raise RecordError(
            f"half a surrogate pair ({half}) in a string",
            "write the character whole, or U+FFFD in its place",
            whole.line + whole.text.count("\n", 0, max(at, 0)),
        ) from error


def document_in(source: Source, report: Reporter) -> Node | None:
    """What a source holds; None where it holds nothing, or had to be reported as not UTF-8. Raises
    `UnreadableError` for what is not JSON."""
    data = b"".join(source.pieces())
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        report.pass_on(not_utf8(source.path, data, error.start))
        return None
    if not text.strip():
        return None
    try:
        return parsed(text)
    except RecordError as error:
        raise UnreadableError(source.path, error.line, error.what, error.mend) from error


def lines_in(
    source: Source, report: Reporter, make: Callable[[Node], Made]
) -> Iterator[tuple[int, Made]]:
    """What `make` makes of each line's object; a `RecordError` of it is reported."""
    for line, raw in source.lines():
        text = decoded(raw, line, report) if raw.strip() else None
        if text is None:
            continue
        try:
            node = parsed(text, line)
            if not isinstance(node.value, dict):
                what = f"this is {called(node.value)}, not a JSON object"
                raise RecordError(what, "write one a line")
            made = make(node)
        except RecordError as error:
            report.refuse(error, line)
        else:
            yield line, made


def entries_in(source: Source, report: Reporter) -> Iterator[tuple[int, Node]]:
    """Number, from 1, and object of each entry of a JSON array, or of JSON Lines."""
    if not source.head.lstrip().startswith(b"["):
        found = lines_in(source, report, lambda node: node)
        yield from enumerate((node for _, node in found), 1)
        return
    for number, entry in enumerate(document_in(source, report) or (), 1):
        if isinstance(entry.value, dict):
            yield number, entry
        else:
            report(entry, f"entry {number} is {called(entry.value)}", "write an object")


def pop_text(record: dict[str, Any], *names: str) -> str:
    """Take a text out of a record: that of the first of `names` that has one; empty where none
    has. Raises `RecordError` for what is no string there."""
    present = [name for name in names if record.get(name) not in (None, "")]
    for name in names if not present else ():
        record.pop(name, None)
    if not present:
        return ""
    text = record.pop(present[0])
    if not isinstance(text, str):
        what = f"{present[0]!r} is {called(text)}, not a string"
        raise RecordError(what, f"write {present[0]!r} as one string")
    return text


def pop_id(record: dict[str, Any], names: tuple[str, ...]) -> str:
    """Take the id out of a record: the first of `names` that is there, a whole number as digits."""
    for name in names:
        value = record.pop(name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str):
            return value
        if value is not None:
            what = f"{name!r} is {called(value)}, not a string"
            raise RecordError(what, "write the id as a string")
    raise RecordError(f"no id: none of {', '.join(map(repr, names))}", f"add '{names[0]}'")
