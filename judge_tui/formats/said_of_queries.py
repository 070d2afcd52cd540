"""What is said of a query beside its text, and which of several queries of one text it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge_tui.formats.said import contradicted, said
from judge_tui.model import Query
from judge_tui.scoring.class_terms import class_called
from judge_tui.scoring.demands import subset_called

__all__ = ["FIELDS", "meant_by", "said_of", "said_otherwise", "told_apart"]

FIELDS = {"class": "query_class", "description": "description", "narrative": "narrative"}
"""What a query may say beside its meta, and what that is called in `Query`."""


def said_of(query: Query) -> dict[str, Any]:
    """What is said of a query beside its text, by name; what is empty says nothing."""
    return said({name: getattr(query, its) for name, its in FIELDS.items()} | dict(query.meta))


def meant_by(name: str, value: Any) -> Any:
    """The value without what makes no other one of it."""
    called = {"class": class_called, "subset": subset_called}.get(name)
    return called(value) if called and isinstance(value, str) else value


def said_otherwise(known: Query, query: Query) -> list[str]:
    """What of a query, its text aside, a file says otherwise than is known of it."""
    return contradicted(said_of(known), said_of(query), meant_by)


def told_apart(rows: Sequence[Query], known: Sequence[Query]) -> list[list[Query]]:
    """Of each row of a file without ids those of the queries `known` that it means, where all of
    them have one text: those of which the same is said, as far as both sides say such things, and
    of the rest any. Among these, rows whose places are all ids of these mean them; other ones go
    by their order, for places move on as soon as a row was put in before. One row alone means all
    of which nothing else is said."""
    if len(rows) == 1:
        return [[one for one in known if not said_otherwise(one, rows[0])] or [*known]]
    names = _said_in(rows) & _said_in(known)
    alike: dict[str, list[Query]] = {}
    for query in known:
        alike.setdefault(_key(query, names), []).append(query)
    of_key: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        of_key.setdefault(_key(row, names), []).append(at)
    found: dict[int, Query] = {}
    for key, places in of_key.items():
        found |= _in_place(rows, places, alike.get(key, []))
    there = {query.query_id for query in found.values()}
    left = [query for query in known if query.query_id not in there]
    found |= _in_place(rows, [at for at in range(len(rows)) if at not in found], left)
    return [[found[at]] if at in found else [] for at in range(len(rows))]


def _said_in(queries: Sequence[Query]) -> set[str]:
    return {name for query in queries for name in said_of(query)}


def _key(query: Query, names: set[str]) -> str:
    its = said_of(query)
    return repr([(name, meant_by(name, its[name])) for name in sorted(names & its.keys())])


def _in_place(
    rows: Sequence[Query], places: Sequence[int], known: Sequence[Query]
) -> dict[int, Query]:
    of_id = {query.query_id: query for query in known}
    ids = [rows[at].query_id for at in places]
    if of_id.keys() >= set(ids):
        return {at: of_id[query_id] for at, query_id in zip(places, ids, strict=True)}
    return dict(zip(places, known, strict=False))
