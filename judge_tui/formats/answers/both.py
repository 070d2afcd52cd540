"""A query of which a queries file and an answers file both say something."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from judge_tui.errors import InputError
from judge_tui.model import Query
from judge_tui.scoring.class_terms import DEMANDS, class_called
from judge_tui.scoring.demands import subset_named

__all__ = ["said_by_both"]

_LONGEST = 70


def said_by_both(
    known: Query, there: str, query: Query, path: str | os.PathLike[str], line: int | None
) -> Query:
    """The query with what either says of it, `known` by the file `there` and `query` by that of
    `path`; id, text and all other fields are those of `query`. Raises `InputError` where they say
    different things: which one is meant nobody can tell."""
    for name, one, other in _said(known, query):
        if one and other and one != other:
            raise InputError(
                path,
                line,
                f"query {query.query_id!r} has {name} {_shown(other)} here, and {_shown(one)} in"
                f" {there}",
                "mend one of them, or say it in one place",
            )
    meta = {**query.meta}
    for name in DEMANDS:
        if name in known.meta:
            meta[name] = known.meta[name]
    if subset_named(known) and not subset_named(query):
        meta["subset"] = known.meta["subset"]
    return replace(query, query_class=query.query_class or known.query_class, meta=meta)


def _said(known: Query, query: Query) -> Iterator[tuple[str, Any, Any]]:
    """Each thing that both can say, as they say it: capitals and spellings aside that mean one."""
    yield "class", class_called(known.query_class), class_called(query.query_class)
    yield "subset", subset_named(known), subset_named(query)
    for name in DEMANDS:
        yield name, known.meta.get(name), query.meta.get(name)


def _shown(value: Any) -> str:
    said = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
