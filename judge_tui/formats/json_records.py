"""JSON that other tools keep, one document or one object a line, read by the standard library.

An object knows the line on which it begins; where a key of it stands is looked up for an error
alone. Names that come twice, NaN, half surrogates and what is nested too deeply are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import repeat
from math import isfinite
from typing import Any, TypeVar

from judge_tui.formats.problems import RecordError, Reporter, decoded, not_utf8, quoted
from judge_tui.formats.source import Source, UnreadableError
from judge_tui.formats.tables import id_of

__all__ = ["Node", "document_in", "entries_in", "json_id", "lift_metadata", "lines_in", "pop_text"]

_DEEPEST = 100
_MARK = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.DOTALL)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_IDENTITY = {"query_id", "doc_id", "_id", "id", "title", "text", "metadata"}
Made = TypeVar("Made")


class Node(dict[str, Any]):
    """An object: `line` is where it begins, `start` the place in the `text`."""

    __slots__ = ("line", "start", "text")

    line: int
    start: int
    text: str

    def line_of(self, name: str, *, again: bool = False) -> int:
        """The line of a name in it, or of its second place, as far as it stands there as it is
        read."""
        key = json.dumps(name, ensure_ascii=False)
        at = self.text.find(key, self.start)
        at = self.text.find(key, at + 1) if again else at
        return self.line + self.text.count("\n", self.start, at) if at >= 0 else self.line

    def nodes(self, name: str) -> list[Node]:
        """The objects in the list of that name. Raises `RecordError` where it holds none."""
        found = self.get(name)
        if not isinstance(found, list) or not all(isinstance(one, Node) for one in found):
            raise RecordError(f"{name!r} is no list of objects", "write one", self.line)
        return found

    def string(self, *names: str) -> str:
        """The text under the first of these names that has one; "" where none has."""
        for name in names:
            value = self.get(name)
            if isinstance(value, str) and value.strip():
                return value
        return ""

    def id(self, name: str, noun: str) -> str:
        """The id of a query or document under a name. Raises `RecordError`."""
        return json_id(self.get(name), noun, self.line)


def document_in(source: Source, report: Reporter) -> Any:
    """What a source holds: a `Node`, a list or a value; None where it holds nothing, or had to be
    reported as not UTF-8. Raises `UnreadableError` for what is not JSON."""
    data = b"".join(source.pieces())
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        report.pass_on(not_utf8(source.path, data, error.start))
        return None
    if not text.strip():
        return None
    try:
        return _value(text, 1)
    except RecordError as error:
        raise UnreadableError(source.path, error.line, error.what, error.mend) from error


def lines_in(
    source: Source, report: Reporter, make: Callable[[Node], Made]
) -> Iterator[tuple[int, Made]]:
    """What `make` makes of each line's object; a `RecordError` of it is reported with the line."""
    for line, raw in source.lines():
        if not raw.strip():
            continue
        text = decoded(raw, line, report)
        if text is None:
            continue
        try:
            value = _value(text, line)
            if not isinstance(value, Node):
                called = _called(value)
                raise RecordError(f"this is {called}, not a JSON object", "write one a line")
            made = make(value)
        except RecordError as error:
            report(error.line or line, error.what, error.mend)
            continue
        yield line, made


def entries_in(source: Source, report: Reporter) -> Iterator[tuple[int, Node]]:
    """Number, from 1, and object of each entry of a JSON array, or of JSON Lines."""
    if not source.head.lstrip().startswith(b"["):
        found = lines_in(source, report, lambda node: node)
        yield from enumerate((node for _, node in found), 1)
        return
    for number, entry in enumerate(document_in(source, report) or [], 1):
        if isinstance(entry, Node):
            yield number, entry
        else:
            report(None, f"entry {number} is {_called(entry)}", "write an object")


def json_id(value: Any, noun: str, line: int) -> str:
    """A string or a whole number as an id. Raises `RecordError` for what is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        mend = f"give each {noun} an id, as a string"
        raise RecordError(f"the {noun} has no id", mend, line)
    return id_of(value, noun)


def pop_text(record: dict[str, Any], name: str) -> str:
    """Take a text out of a record; empty where it is missing or null."""
    value = record.pop(name, None)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordError(
            f"'{name}' is {_called(value)}, not a string", f"write '{name}' as one string"
        )
    return value


def pop_id(record: dict[str, Any], names: tuple[str, ...]) -> str:
    """Take the id out of a record: the first of `names` that is there, a whole number as digits."""
    for name in names:
        value = record.pop(name, None)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str):
            return value
        if value is not None:
            what = f"'{name}' is {_called(value)}, not a string"
            raise RecordError(what, "write the id as a string")
    raise RecordError(f"no id: none of {', '.join(map(repr, names))}", f"add '{names[0]}'")


def lift_metadata(record: dict[str, Any], texts: tuple[str, ...]) -> None:
    """Make what stands in the object `metadata`, where BEIR keeps it, keys of the record itself.

    What the record has already, what would become its id, title or text, and of `texts` what is
    none, stays where it is.
    """
    metadata = record.get("metadata")
    if not isinstance(metadata, dict):
        return
    kept = {}
    for name, value in metadata.items():
        if name in record or name in _IDENTITY or (name in texts and not isinstance(value, str)):
            kept[name] = value
        else:
            record[name] = value
    record.pop("metadata")
    if kept:
        record["metadata"] = kept


def _called(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    sorts = ((str, "a string"), (list, "a list"), (dict, "an object"))
    return next((name for sort, name in sorts if isinstance(value, sort)), "a number")


def _value(text: str, line: int) -> Any:
    """The value that is all of a text, which begins on that line. Raises `RecordError`."""
    if "\n" in text.strip() or text.count("[") + text.count("{") > _DEEPEST:
        begins = _begins(text, line)
    else:
        begins = repeat((line, 0))
    half = _HALF.search(text) is not None

    def node(pairs: list[tuple[str, Any]]) -> Node:
        made = Node(pairs)
        made.line, made.start = next(begins)
        made.text = text
        if len(made) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            what = f"{quoted(twice)} comes twice in one object"
            raise RecordError(what, "remove one of them", made.line_of(twice, again=True))
        if half:
            _refuse_half(made, made.line)
        return made

    def finite(written: str) -> float:
        number = float(written)
        if not isfinite(number):
            its_line = line + text.count("\n", 0, text.find(written))
            what = f"{quoted(written)} is not a finite number"
            raise RecordError(what, "write a finite number", its_line)
        return number

    try:
        value = json.loads(text, object_pairs_hook=node, parse_constant=finite, parse_float=finite)
        if half:
            _refuse_half(value, line)
    except json.JSONDecodeError as error:
        raise RecordError(
            f"not valid JSON: {error.msg} at column {error.colno}",
            "was it written to the end?" if error.pos >= len(text.rstrip()) else "mend it there",
            line + error.lineno - 1,
        ) from error
    except ValueError as error:  # of thousands of digits, which Python will not convert
        raise RecordError("not valid JSON: a number of too many digits", "mend it", line) from error
    return value


def _begins(text: str, line: int) -> Iterator[tuple[int, int]]:
    """Line and place where each object begins, in the order in which they end. Raises
    `RecordError` for brackets nested too deeply, before a parser recurses."""
    found: list[tuple[int, int]] = []
    open_ones: list[tuple[int, int]] = []
    counted = 0
    for mark in _MARK.finditer(text):
        if (bracket := mark[0]) in "[{":
            line += text.count("\n", counted, mark.start())
            counted = mark.start()
            open_ones.append((line, mark.start()))
            if len(open_ones) > _DEEPEST:
                what = f"JSON nested deeper than {_DEEPEST} levels"
                raise RecordError(what, "flatten it", line)
        elif bracket in "]}" and open_ones:
            begin = open_ones.pop()
            if bracket == "}":
                found.append(begin)
    return iter(found)


def _refuse_half(value: Any, line: int) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise RecordError(
                f"half a surrogate pair (\\u{ord(value[error.start]):04x}) in a string",
                "write the character whole, or U+FFFD in its place",
                line,
            ) from error
    elif isinstance(value, dict):
        for name, held in value.items():
            _refuse_half(name, line)
            _refuse_half(held, line)
    elif isinstance(value, list):
        for held in value:
            _refuse_half(held, line)
