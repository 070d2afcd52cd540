"""Which query is meant: by its id, or, in forms that have no ids, by exactly its text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from typing import SupportsIndex, TypeVar

from judge_tui.errors import InputError
from judge_tui.formats.problems import quoted
from judge_tui.model import Query

Line = TypeVar("Line", bound=SupportsIndex)


def folded_text(text: str) -> str:
    """Return a text as texts are compared: any white space in it is one blank, and none is around
    it."""
    return " ".join(text.split())


class QueryText(str):
    """A query's text where a form has no ids of queries: rows have it in the place of one."""

    __slots__ = ()

    def __new__(cls, text: str) -> QueryText:
        return super().__new__(cls, folded_text(text))


def name_of(query: Query) -> str:
    """Return what its file calls a query: its id, or its text where it has none."""
    return query.query_id if query.own_id else QueryText(query.text)


def numbered_queries(queries: Iterable[tuple[Line, Query]]) -> Iterator[tuple[Line, Query]]:
    """Yield the queries of a form without ids, each text where it first comes, as q001 and so
    on."""
    texts: set[str] = set()
    for line, query in queries:
        text = folded_text(query.text)
        if text not in texts:
            texts.add(text)
            yield line, replace(query, query_id=f"q{len(texts):03}", text=text, own_id=False)


class KnownQueries:
    """Queries, to be found by what the rows of the file `path` call them. Messages say `whose`
    queries they are, and how to `mend` a row of an unknown query."""

    def __init__(
        self,
        queries: Iterable[Query],
        path: str | os.PathLike[str],
        *,
        whose: str = "the queries",
        mend: str = "add it to them, or remove it here",
    ) -> None:
        self._path = path
        self._whose = whose
        self._mend = mend
        self._by_id: dict[str, Query] = {}
        self._by_text: dict[str, list[Query]] = {}
        for query in queries:
            self._by_id[query.query_id] = query
            self._by_text.setdefault(folded_text(query.text), []).append(query)

    def __iter__(self) -> Iterator[str]:
        """Their ids."""
        return iter(self._by_id)

    def at(self, path: str | os.PathLike[str]) -> KnownQueries:
        """Return the same queries, to be found by what rows of another file call them."""
        other = copy(self)
        other._path = path
        return other

    def find(self, line: SupportsIndex | None, name: str, text: str = "") -> Query | None:
        """Return the query of an id or of a `QueryText`; None where there is none.

        `text`: the text that the file has beside the id, if any. Raises `InputError` where it is
        not the query's, white space folded, and where several queries have a `QueryText`.
        """
        if not isinstance(name, QueryText):
            known = self._by_id.get(name)
            if known is not None and text.strip():
                self.refuse_other_text(line, known, text)
            return known
        of_text = self._by_text.get(name, [])
        if len(of_text) > 1:
            ids = " and ".join(query.query_id for query in of_text[:3])
            what = f"the text {quoted(name)} belongs to {ids}"
            raise InputError(self._path, line, what, "give the query id instead")
        return of_text[0] if of_text else None

    def get(self, line: SupportsIndex | None, name: str, text: str = "") -> Query:
        """Return the query as `find` does, but raise `InputError` where there is none."""
        known = self.find(line, name, text)
        if known is None:
            what = f"query {quoted(name)} is not in {self._whose}"
            raise InputError(self._path, line, what, self._mend)
        return known

    def refuse_other_text(self, line: SupportsIndex | None, known: Query, text: str) -> None:
        """Raise `InputError` where the text is not that of the query, white space folded."""
        if folded_text(known.text) != folded_text(text):
            raise InputError(
                self._path,
                line,
                f"query {quoted(known.query_id)} is {quoted(folded_text(known.text))} in"
                f" {self._whose}, and {quoted(folded_text(text))} here",
                "give the query one text; load queries --replace changes that of a campaign",
            )
