"""Which queries of a campaign the rows of a file are, and what a file adds to a known record.

An id is equal byte for byte. A row without an id is the query of exactly its text, white space
folded. Nothing else is compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from itertools import count
from typing import Any, NamedTuple, TypeVar

from judge_tui.errors import InputError, UsageError
from judge_tui.formats.problems import quoted
from judge_tui.formats.query_names import folded_text, text_id
from judge_tui.model import Document, Query

__all__ = ["Identified", "KnownQueries", "identify", "refuse_other_text", "with_said"]

PathLike = str | os.PathLike[str]
Record = TypeVar("Record", Query, Document)


class Identified(NamedTuple):
    """A query of a file in its `line`, under the id that it has in the campaign, and the campaign's
    own, None for a new one."""

    line: int
    query: Query
    known: Query | None


class KnownQueries:
    """The queries of a campaign, as the rows of the file `path` name them."""

    def __init__(
        self, queries: Iterable[Query], path: PathLike, *, skip_unknown: bool = False
    ) -> None:
        self._path = path
        self._skip_unknown = skip_unknown
        self._by_id: dict[str, Query] = {}
        self._by_text: dict[str, list[Query]] = {}
        for query in queries:
            self._by_id[query.query_id] = query
            self._by_text.setdefault(_as_field(query.text), []).append(query)

    def at(self, path: PathLike) -> KnownQueries:
        """The same, as another file names them."""
        other = copy(self)
        other._path = path
        return other

    def has_one(self, named: str, *, by_text: bool = False) -> bool:
        """Whether that names one query."""
        return (
            len(self._by_text.get(_as_field(named), ())) == 1 if by_text else named in self._by_id
        )

    def of_id(self, line: int | None, query_id: str, text: str = "") -> Query | None:
        """The query of an id; None where there is none. Raises `InputError` where the file gives it
        another `text`, unless that is empty."""
        known = self._by_id.get(query_id)
        if known is not None and text.strip():
            refuse_other_text(self._path, line, known, text)
        return known

    def of_text(self, line: int | None, text: str) -> Query | None:
        """The query of a text, or of what a reader made an id of it; None where there is none.
        Raises `InputError` where several have it."""
        found = self._by_text.get(_as_field(text), [])
        if len(found) > 1:
            ids = " and ".join(query.query_id for query in found[:3])
            raise InputError(
                self._path,
                line,
                f"the text {quoted(folded_text(found[0].text))} belongs to {ids}",
                "give the query id instead",
            )
        return found[0] if found else None

    def wanted(
        self, line: int | None, query_id: str, text: str = "", *, by_text: bool = False
    ) -> Query | None:
        """The query of an id, or with `by_text` of the text that stands for one. Raises
        `InputError` where there is none, unless unknown ones are to be skipped: then None."""
        named = text or query_id
        found = self.of_text(line, named) if by_text else self.of_id(line, query_id, text)
        if found is None and not self._skip_unknown:
            raise InputError(
                self._path,
                line,
                # As an id stands for a text where it is one: with blanks it is read more easily.
                f"query {quoted(named.replace('%20', ' ') if by_text else query_id)} is not in the"
                " campaign",
                "load its queries first (load queries FILE), or leave such rows out with"
                " --skip-unknown",
            )
        return found


def identify(
    path: PathLike, rows: Sequence[tuple[int, Query]], known: Sequence[Query]
) -> list[Identified]:
    """The queries of a file with their lines, in its order. One without an id of its own whose text
    the campaign does not have gets the next free one of q001, q002 and so on.

    Raises `InputError` for a text of several queries, and for two rows that are one query.
    """
    queries = KnownQueries(known, path)
    taken = {query.query_id for query in known}
    taken.update(query.query_id for _, query in rows if query.own_id)
    free = (one for one in (f"q{number:03}" for number in count(1)) if one not in taken)
    lines: dict[tuple[bool, str], int] = {}
    found: list[Identified] = []
    for line, query in rows:
        if query.own_id:
            its, name = queries.of_id(line, query.query_id), query.query_id
        else:
            its, name = queries.of_text(line, query.text), folded_text(query.text)
        one = (True, its.query_id) if its else (query.own_id, name)
        first = lines.setdefault(one, line)
        if first != line:
            raise InputError(
                path,
                line,
                f"query {quoted(name)} is in line {first} already",
                "remove one of the two, or give each query an id of its own",
            )
        query_id = its.query_id if its else query.query_id if query.own_id else next(free)
        found.append(Identified(line, replace(query, query_id=query_id, own_id=True), its))
    return found


def with_said(known: Record, said: Record, *, over: bool) -> tuple[Record, str]:
    """A record of the campaign with what a file says of it: what was empty is filled in, and `over`
    what was there. And the name of the first field of which the two say different things, "" for
    none."""
    merged: dict[str, Any] = {}
    otherwise = ""
    for name in _FIELDS[type(known)]:
        merged[name], differs = _added(getattr(known, name), getattr(said, name), over=over)
        otherwise = otherwise or (name if differs else "")
    meta = dict(known.meta)
    for key, value in said.meta.items():
        meta[key], differs = _added(meta.get(key), value, over=over)
        otherwise = otherwise or (key if differs else "")
    return replace(known, meta=meta, **merged), otherwise


def refuse_other_text(path: PathLike, line: int | None, known: Query, text: str) -> None:
    """Raise `InputError` where the text is not that of the query, white space folded."""
    if folded_text(known.text) != folded_text(text):
        raise InputError(
            path,
            line,
            f"query {quoted(known.query_id)} is {quoted(folded_text(known.text))} in the campaign,"
            f" and {quoted(folded_text(text))} here",
            "give it another id, or load its new text with load queries FILE --replace",
        )


_FIELDS: dict[type, tuple[str, ...]] = {
    Query: ("text", "description", "narrative", "query_class"),
    Document: ("title", "text", "url", "kind"),
}


def _added(known: Any, said: Any, *, over: bool) -> tuple[Any, bool]:
    """What holds of two values, and whether they say different things."""
    if said in _NOTHING or known == said:
        return known, False
    if known in _NOTHING:
        return said, False
    return (said if over else known), True


_NOTHING: tuple[Any, ...] = (None, "", [], {})


def _as_field(text: str) -> str:
    """What readers make of the text of a query that has no id; the same of a text and its field."""
    try:
        return text_id(text)
    except UsageError:  # no id can be made of it, so that no reader does
        return folded_text(text)
