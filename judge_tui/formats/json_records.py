"""Files that hold one JSON object per line, as queries and documents come: a record a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from math import isfinite
from typing import Any, Protocol, TypeVar

from judge_tui.formats.ids import trimmed
from judge_tui.formats.problems import Reporter, decoded, quoted
from judge_tui.formats.sample import Sample
from judge_tui.formats.source import Source

__all__ = ["RecordError", "lift_metadata", "pop_id", "pop_text", "records"]

_DEEPEST = 100
_METADATA = re.compile(rb'"metadata"\s*:\s*\{[^{}]*\}')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_IDENTITY = {"query_id", "doc_id", "_id", "id", "title", "text", "metadata"}
_CALLED = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
    type(None): "null",
}

Made = TypeVar("Made")


class RecordError(Exception):
    """A record that cannot be used: what is wrong with it and how to mend it."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(what, mend)
        self.what = what
        self.mend = mend


def records(
    source: Source, report: Reporter, make: Callable[[dict[str, Any]], Made]
) -> Iterator[tuple[int, Made]]:
    """What `make` makes of each line's object; a `RecordError` of it is reported with the line."""
    for number, raw in source.lines():
        if not raw.strip():
            continue
        text = decoded(raw, number, report)
        if text is None:
            continue
        try:
            made = make(_object(text))
        except RecordError as error:
            report(number, error.what, error.mend)
            continue
        yield number, made


def pop_id(record: dict[str, Any], names: tuple[str, ...]) -> str:
    """Take the id out of a record: the first of `names` that is there, without the white space
    around it; an integer as decimals."""
    for name in names:
        value = record.pop(name, None)
        if value is None:
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise RecordError(
                f"'{name}' is {_CALLED[type(value)]}, not a string", "write the id as a string"
            )
        return trimmed(value)
    raise RecordError(f"no id: none of {', '.join(map(repr, names))}", f"add '{names[0]}'")


def pop_text(record: dict[str, Any], name: str) -> str:
    """Take a text out of a record; empty where it is missing or null."""
    value = record.pop(name, None)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RecordError(
            f"'{name}' is {_CALLED[type(value)]}, not a string", f"write '{name}' as one string"
        )
    return value


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


def is_json_lines(sample: Sample) -> bool:
    """Whether the lines look like an object each: a lone bracket begins one of many lines."""
    return sample.mostly(lambda line: line.lstrip().startswith(b"{") and line.strip() != b"{")


def has_key(sample: Sample, *names: str) -> bool:
    """Whether the lines have one of these keys."""
    key = re.compile(rb'"(?:%s)"\s*:' % "|".join(names).encode())
    return sample.mostly(lambda line: key.search(line) is not None)


def has_own_key(sample: Sample, *names: str, filled: bool = False) -> bool:
    """The same, not counting what stands in the object `metadata`, where BEIR keeps what came with
    a query or a document; `filled`: with a text that is not empty."""
    key = re.compile(
        rb'"(?:%s)"\s*:%s' % ("|".join(names).encode(), rb'\s*"[^"]' if filled else b"")
    )
    return sample.mostly(lambda line: key.search(_METADATA.sub(b"", line)) is not None)


class _Decoder(Protocol):
    def decode(self, s: str) -> Any: ...


@cache
def _decoder() -> _Decoder:
    # Imported when a file is JSON: reading runs and qrels, whose start-up is counted, needs none.
    import json  # noqa: PLC0415

    def finite(number: str) -> float:
        value = float(number)
        if not isfinite(value):
            raise RecordError(f"{quoted(number)} is not a finite number", "write a finite number")
        return value

    return json.JSONDecoder(parse_float=finite, parse_constant=finite)


def _object(text: str) -> dict[str, Any]:
    if _depth(text) > _DEEPEST:
        raise RecordError(f"JSON nested deeper than {_DEEPEST} levels", "flatten the record")
    try:
        value = _decoder().decode(text)
    except ValueError as error:
        # The last ValueError is an integer of thousands of digits, which Python will not convert.
        reason = getattr(error, "msg", "a number of too many digits")
        column = getattr(error, "colno", None)
        place = "" if column is None else f" at column {column}"
        raise RecordError(
            f"not valid JSON: {reason}{place}", "write one JSON object per line"
        ) from error
    if not isinstance(value, dict):
        raise RecordError(
            f"this is {_CALLED[type(value)]}, not a JSON object", "write one object per line"
        )
    if "\\u" in text:
        _refuse_lone_surrogates(value)
    return value


def _depth(text: str) -> int:
    """How deep the brackets go, counted without recursion, before a parser recurses."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return 0
    depth = deepest = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _refuse_lone_surrogates(value: Any) -> None:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise RecordError(
                f"half a surrogate pair (\\u{ord(value[error.start]):04x}) in a string",
                "write the character whole, or U+FFFD in its place",
            ) from error
    elif isinstance(value, dict):
        for key, held in value.items():
            _refuse_lone_surrogates(key)
            _refuse_lone_surrogates(held)
    elif isinstance(value, list):
        for held in value:
            _refuse_lone_surrogates(held)
