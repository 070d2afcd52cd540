"""What is said of a query beside its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge_tui.formats.said import contradicted, said
from judge_tui.model import Query
from judge_tui.scoring.class_terms import class_called
from judge_tui.scoring.demands import subset_called

__all__ = ["meant_by", "said_of", "said_otherwise", "saying"]

_FIELDS = {"class": "query_class", "description": "description", "narrative": "narrative"}
"""What a query may say beside its meta, and what that is called in `Query`."""


def said_of(query: Query) -> dict[str, Any]:
    """What is said of a query beside its text, by name; what is empty says nothing."""
    return said({name: getattr(query, its) for name, its in _FIELDS.items()} | dict(query.meta))


def saying(query: Query, said: Mapping[str, Any]) -> Query:
    """The query of which this is said beside its text (`said_of`); empty keys of its meta stay."""
    meta = {**said}
    fields = {its: meta.pop(name, "") for name, its in _FIELDS.items()}
    return replace(query, meta={**query.meta, **meta}, **fields)


def meant_by(name: str, value: Any) -> Any:
    """The value without what makes no other one of it."""
    called = {"class": class_called, "subset": subset_called}.get(name)
    return called(value) if called and isinstance(value, str) else value


def said_otherwise(known: Query, query: Query) -> list[str]:
    """What of a query, its text aside, a file says otherwise than is known of it."""
    return contradicted(said_of(known), said_of(query), meant_by)
