"""What is filled into the settings of a system: `{query}`, `{query_id}` and `{k}`.

Other braces stay as they are, and what a query holds is never filled in again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from judge_tui.model import Query

__all__ = ["asks_query", "fill", "fill_json", "fill_names", "fill_url"]

_NAME = re.compile(r"\{(query|query_id|k)\}")


def fill(
    text: str, query: Query, depth: int, encode: Callable[[str], str] = lambda value: value
) -> str:
    """`text` with the query and the number of results wanted, each passed through `encode`."""
    values = {"query": query.text, "query_id": query.query_id, "k": str(depth)}
    return _NAME.sub(lambda match: encode(values[match[1]]), text)


def fill_url(url: str, query: Query, depth: int) -> str:
    """The same in a URL, percent-encoded."""
    return fill(url, query, depth, lambda value: quote(value, safe=""))


def fill_json(value: Any, query: Query, depth: int) -> Any:
    """The same in every text of a JSON value; a text that is `{k}` alone becomes a number."""
    if isinstance(value, str):
        return depth if value == "{k}" else fill(value, query, depth)
    if isinstance(value, Mapping):
        return {name: fill_json(one, query, depth) for name, one in value.items()}
    if isinstance(value, list):
        return [fill_json(one, query, depth) for one in value]
    return value


def fill_names(text: str, values: Mapping[str, str]) -> str:
    """`text` with each `{name}` of `values` filled in, in one pass."""
    names = "|".join(map(re.escape, values))
    return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], text)


def asks_query(value: Any) -> bool:
    """Whether `{query}` or `{query_id}` stands anywhere in a setting."""
    if isinstance(value, str):
        return "{query}" in value or "{query_id}" in value
    inner = value.values() if isinstance(value, Mapping) else value
    return isinstance(value, Mapping | list | tuple) and any(map(asks_query, inner))
