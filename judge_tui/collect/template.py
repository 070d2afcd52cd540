"""What is filled into the settings of a system: `{query}`, `{query_id}`, `{k}` and the like.

Other braces stay as they are, and what a query holds is never filled in again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from judge_tui.model import Query


def query_values(query: Query, depth: int) -> dict[str, str]:
    """What is filled in for a query of which so many results are wanted."""
    return {"query": query.text, "query_id": query.query_id, "k": str(depth)}


def fill(text: str, values: Mapping[str, str]) -> str:
    """`text` with each `{name}` of `values` filled in, in one pass."""
    names = "|".join(map(re.escape, values))
    return re.sub(rf"\{{({names})\}}", lambda match: values[match[1]], text)


def fill_json(value: Any, values: Mapping[str, str]) -> Any:
    """The same in every text of a JSON value; a text that is `{k}` alone becomes a number."""
    if isinstance(value, str):
        return int(values["k"]) if value == "{k}" else fill(value, values)
    if isinstance(value, Mapping):
        return {name: fill_json(one, values) for name, one in value.items()}
    if isinstance(value, list):
        return [fill_json(one, values) for one in value]
    return value


def asks_query(value: Any) -> bool:
    """Whether `{query}` or `{query_id}` stands anywhere in a setting."""
    if isinstance(value, str):
        return "{query}" in value or "{query_id}" in value
    inner = value.values() if isinstance(value, Mapping) else value
    return isinstance(value, Mapping | list | tuple) and any(map(asks_query, inner))
