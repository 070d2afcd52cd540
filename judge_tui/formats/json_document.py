"""JSON that other tools keep, one document or one object a line, read by the standard library.

An object knows its place; on which line that is, is looked up only when an error has to name it.
Names that come twice, NaN, half surrogates, NUL and what is nested too deeply are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import count
from math import isfinite
from typing import Any, SupportsIndex, TypeVar

from judge_tui.formats.problems import RecordError, Reporter, decoded, quoted
from judge_tui.formats.query_names import QueryText
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import id_of

_DEEPEST = 100
_MARK = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
Made = TypeVar("Made")


class Node(dict[str, Any]):
    """An object. As a line (`operator.index`) it is the one on which it begins."""

    __slots__ = ("order", "text")

    text: _Text
    order: int
    """How many objects of the text end before it."""

    def __index__(self) -> int:
        return self.line

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self.text.begin(self.order)[0]

    def line_of(self, name: str, *, again: bool = False) -> int:
        """Return the line on which a name in it stands first, or (`again`) for the second time;
        that of the object where the name is written with escapes."""
        line, start = self.text.begin(self.order)
        text, key = self.text.text, json.dumps(name, ensure_ascii=False)
        at = text.find(key, start)
        at = text.find(key, at + 1) if again else at
        return line + text.count("\n", start, at) if at >= 0 else line

    def nodes(self, name: str) -> list[Node]:
        """Return the objects in the list of that name. Raises `RecordError` where it holds none."""
        found = self.get(name)
        if not isinstance(found, list) or not all(isinstance(one, Node) for one in found):
            raise RecordError(f"{name!r} is not a list of objects", "write one", self.line)
        return found

    def string(self, *names: str) -> str:
        """Return the text under the first of these names that has one; "" where none has."""
        for name in names:
            value = self.get(name)
            if isinstance(value, str) and value.strip():
                return value
        return ""

    def id(self, name: str, noun: str) -> str:
        """Return the id of a query or document under a name. Raises `RecordError`."""
        return json_id(self.get(name), noun, self)

    def query_text(self, *names: str) -> QueryText:
        """Return the text of a query (`string`). Raises `RecordError` where there is none."""
        text = self.string(*names)
        if not text:
            mend = f"write it as a string in {names[-1]!r}"
            raise RecordError("the query has no text", mend, self.line)
        return QueryText(text)


class _Text:
    """The text of a document, which begins on `line`."""

    def __init__(self, text: str, line: int) -> None:
        self.text = text
        self.line = line

    def begin(self, order: int) -> tuple[int, int]:
        """Return the line and the offset at which the object begins that is the `order`-th to end,
        from 0."""
        return self._begins[order] if "\n" in self.text else (self.line, 0)

    @cached_property
    def _begins(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        open_ones: list[tuple[int, int]] = []
        line, counted = self.line, 0
        for mark in _MARK.finditer(self.text):
            if (bracket := mark[0]) in "[{":
                line += self.text.count("\n", counted, mark.start())
                counted = mark.start()
                open_ones.append((line, counted))
            elif bracket in "]}" and open_ones:
                begin = open_ones.pop()
                if bracket == "}":
                    found.append(begin)
        return found

    def line_at(self, offset: int) -> int:
        """Return the line of an offset in the text."""
        return self.line + self.text.count("\n", 0, max(offset, 0))

    def value(self) -> Any:
        """Return the value that is all of it. Raises `RecordError`."""
        orders = count()

        def node(pairs: list[tuple[str, Any]]) -> Node:
            made = Node(pairs)
            made.text, made.order = self, next(orders)
            if len(made) != len(pairs):
                names = [name for name, _ in pairs]
                twice = next(name for name in names if names.count(name) > 1)
                what = f"{quoted(twice)} comes twice in one object"
                raise RecordError(what, "remove one of them", made.line_of(twice, again=True))
            return made

        def finite(written: str) -> float:
            number = float(written)
            if not isfinite(number):
                what = f"{quoted(written)} is not a finite number"
                its_line = self.line_at(self.text.find(written))
                raise RecordError(what, "write a finite number", its_line)
            return number

        text = self.text
        try:
            value = json.loads(
                text, object_pairs_hook=node, parse_constant=finite, parse_float=finite
            )
        except json.JSONDecodeError as error:
            raise RecordError(
                f"not valid JSON: {error.msg} at column {error.colno}",
                "check that the file is complete"
                if error.pos >= len(text.rstrip())
                else "mend it there",
                self.line + error.lineno - 1,
            ) from error
        except RecursionError as error:
            raise _too_deep() from error
        except ValueError as error:  # of thousands of digits, which Python will not convert
            what = "not valid JSON: a number of too many digits"
            raise RecordError(what, "mend it", self.line) from error
        if text.count("{") + text.count("[") > _DEEPEST and _is_deep(value):
            raise _too_deep()
        if _SURROGATE.search(text):
            self._refuse_half(value)
        if "\\u0000" in text and (nul := _NUL.search(text)):
            what = "a NUL character (\\u0000) in a string"
            raise RecordError(what, "take it out", self.line_at(nul.start()))
        return value

    def _refuse_half(self, value: Any) -> None:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            half = f"\\u{ord(error.object[error.start]):04x}"
            raise RecordError(
                f"half a surrogate pair ({half}) in a string",
                "write the character whole, or U+FFFD in its place",
                self.line_at(self.text.lower().find(half)),
            ) from error


def _too_deep() -> RecordError:
    return RecordError(f"JSON nested deeper than {_DEEPEST} levels", "flatten it")


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


def _called(value: Any) -> str:
    """Return the sort of a value in words."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    sorts = ((str, "a string"), (list, "a list"), (dict, "an object"))
    return next((name for sort, name in sorts if isinstance(value, sort)), "a number")


def document_in(source: Source) -> Any:
    """Read the JSON of a source into a `Node`, a list or a value; None where it holds nothing.
    Raises `UnreadableError` for what is not JSON."""
    text = source.text()
    if not text.strip():
        return None
    try:
        return _Text(text, 1).value()
    except RecordError as error:
        raise UnreadableError(source.path, error.line, error.what, error.mend) from error


def each(
    nodes: Iterable[Node], rows: Callable[[Node], Iterable[Made]], report: Reporter
) -> Iterator[Made]:
    """Yield the rows of each object; a `RecordError` is reported with the line of its object."""
    for node in nodes:
        try:
            yield from rows(node)
        except RecordError as error:
            report.refuse(error, node)


def objects_in(source: Source, name: str) -> list[Node]:
    """Return the objects of the list of that name in the JSON of a source (`list_of_objects`)."""
    return list_of_objects(source, document_in(source), name)


def list_of_objects(source: Source, root: Any, name: str) -> list[Node]:
    """Return the objects of the list of that name in a value; none of an empty file. Raises
    `UnreadableError` where it has no such list."""
    if root is None:
        return []
    found = root.get(name) if isinstance(root, Node) else None
    if not isinstance(found, list) or not all(isinstance(one, Node) for one in found):
        what = f"there is no list {name!r} of objects"
        raise UnreadableError(source.path, 1, what, f'write {{"{name}": [{{…}}]}}')
    return found


def lines_in(
    source: Source, report: Reporter, make: Callable[[Node], Made]
) -> Iterator[tuple[int, Made]]:
    """Yield what `make` makes of each line's object; a `RecordError` of it is reported with the
    line."""
    for line, raw in source.lines():
        if not raw.strip():
            continue
        text = decoded(raw, line, report)
        if text is None:
            continue
        try:
            value = _Text(text, line).value()
            if not isinstance(value, Node):
                what = f"this is {_called(value)}, not a JSON object"
                raise RecordError(what, "write one object a line")
            made = make(value)
        except RecordError as error:
            report.refuse(error, line)
            continue
        yield line, made


def entries_in(source: Source, report: Reporter) -> Iterator[Node]:
    """Yield the objects of a JSON array, or of JSON Lines."""
    if not source.head.lstrip().startswith(b"["):
        yield from (node for _, node in lines_in(source, report, lambda node: node))
        return
    for number, entry in enumerate(document_in(source) or [], 1):
        if isinstance(entry, Node):
            yield entry
        else:
            report(None, f"entry {number} is {_called(entry)}", "write an object")


def json_id(value: Any, noun: str, line: SupportsIndex) -> str:
    """Make an id of a string or a whole number. Raises `RecordError` for what is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    try:
        return id_of(value if isinstance(value, str) else "", noun)
    except RecordError as error:
        raise RecordError(error.what, error.mend, line) from error


def pop_text(record: dict[str, Any], *names: str) -> str:
    """Take a text out of a record: that of the first of `names` that has one; empty where none
    has. Raises `RecordError` for what is not a string there."""
    present = [name for name in names if record.get(name) not in (None, "")]
    if not present:
        for name in names:
            record.pop(name, None)
        return ""
    text = record.pop(present[0])
    if not isinstance(text, str):
        what = f"{present[0]!r} is {_called(text)}, not a string"
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
            what = f"{name!r} is {_called(value)}, not a string"
            raise RecordError(what, "write the id as a string")
    raise RecordError(f"no id: none of {', '.join(map(repr, names))}", f"add '{names[0]}'")


def json_text(document: Mapping[str, Any], indent: int = 1) -> str:
    """Write a JSON file of one document. Raises `ValueError` for numbers that are not finite."""
    return json.dumps(document, indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def jsonl_lines(documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Write one JSON object a line, in ASCII: no character is lost, and none does anything."""
    for document in documents:
        yield json.dumps(document, ensure_ascii=True, allow_nan=False) + "\n"
