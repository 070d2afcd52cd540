"""What stands for the query in a system's settings: `{query}`, `{query_id}` and `{k}`.

Other braces stay as they are, and what a query holds is never filled in again.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from judge_tui.model import Query

__all__ = [
    "NAMES",
    "asks_for",
    "fill",
    "fill_json",
    "fill_named",
    "fill_text_body",
    "fill_url",
    "is_escaped_as",
    "json_type",
    "unknown_in",
]

NAMES = ("query", "query_id", "k")

_FORM = "application/x-www-form-urlencoded"
_XML = re.compile(r"(?:text|application)/xml|.*\+xml")
_CDATA = re.compile(r"(<!\[CDATA\[.*?\]\]>)", re.DOTALL)
_NAMED = re.compile(r"(?<!\$)\{([^\W\d]\w*)\}")
_NAME = re.compile(rf"\{{({'|'.join(NAMES)})\}}")


def fill(text: str, query: Query, k: int) -> str:
    """`text` with the query and the number of results wanted in it."""
    return _filled(text, query, k, str)


def fill_url(text: str, query: Query, k: int) -> str:
    """The same in a URL: what is filled in is percent-encoded."""
    return _filled(text, query, k, lambda value: quote(value, safe=""))


def fill_json(value: Any, query: Query, k: int) -> Any:
    """The same in every string of a JSON value; a string that is `{k}` alone becomes a number."""
    if isinstance(value, str):
        return k if value == "{k}" else fill(value, query, k)
    if isinstance(value, Mapping):
        return {name: fill_json(inner, query, k) for name, inner in value.items()}
    if isinstance(value, list):
        return [fill_json(inner, query, k) for inner in value]
    return value


def fill_text_body(text: str, query: Query, k: int, media: str = "") -> str:
    """The same in a text that is sent as what the header Content-Type says, `media`. In one that is
    JSON, or JSON in each line, what is filled in is escaped as in a JSON string: a query may have a
    quote in it; in a form it is percent-encoded, in XML escaped."""
    if json_type(text):
        return _filled(text, query, k, lambda value: json.dumps(value, ensure_ascii=False)[1:-1])
    kind = is_escaped_as(media)
    if kind == "form":
        return fill_url(text, query, k)
    if kind == "XML":
        parts = enumerate(_CDATA.split(text))
        return "".join(
            _filled(part, query, k, _in_cdata if place % 2 else html.escape)
            for place, part in parts
        )
    return fill(text, query, k)


def is_escaped_as(media: str) -> str:
    """What a text of this media type is, which has signs of its own: form or XML; else empty."""
    media = media.partition(";")[0].strip().lower()
    if media == _FORM:
        return "form"
    return "XML" if _XML.fullmatch(media) else ""


def json_type(text: str) -> str:
    """The media type of a text that is sent as it is: JSON, or JSON in each line; empty where it is
    neither."""
    whole = text.replace("{k}", "1")
    lines = [line for line in whole.split("\n") if line.strip()]
    for parts, media in (([whole], "application/json"), (lines, "application/x-ndjson")):
        try:
            values = [json.loads(part) for part in parts]
        except (ValueError, RecursionError):
            continue
        if values:
            return media
    return ""


def unknown_in(value: Any, names: Sequence[str] = NAMES) -> list[str]:
    """What stands in braces in a setting as if it were to be filled in, and is none of `names`."""
    if isinstance(value, str):
        return [one for one in _NAMED.findall(value) if one not in names]
    if isinstance(value, Mapping):
        return [name for inner in value.values() for name in unknown_in(inner, names)]
    if isinstance(value, list):
        return [name for inner in value for name in unknown_in(inner, names)]
    return []


def fill_named(text: str, values: Mapping[str, str]) -> str:
    """`text` with these in the place of their names, `{name}` each."""
    names = "|".join(map(re.escape, values))
    return re.sub(rf"\{{({names})\}}", lambda match: values[match.group(1)], text)


def asks_for(value: Any, name: str) -> bool:
    """Whether `{name}` stands anywhere in a setting."""
    if isinstance(value, str):
        return f"{{{name}}}" in value
    if isinstance(value, Mapping):
        return any(asks_for(inner, name) for inner in value.values())
    return isinstance(value, list) and any(asks_for(inner, name) for inner in value)


def _in_cdata(value: str) -> str:
    return value.replace("]]>", "]]]]><![CDATA[>")


def _filled(text: str, query: Query, k: int, written: Callable[[str], str]) -> str:
    values = {"query": query.text, "query_id": query.query_id, "k": str(k)}
    return _NAME.sub(lambda match: written(values[match.group(1)]), text)
