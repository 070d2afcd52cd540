"""Queries as files name them, which have their ids or nothing but their texts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from judge_tui.errors import InputError
from judge_tui.formats.ids import text_of_field
from judge_tui.formats.query_names import folded_text
from judge_tui.model import Query

__all__ = [
    "NamedQueries",
    "clash",
    "known_query",
    "may_be_by_place",
    "one_of_text",
    "words_of",
]

_BY_PLACE = re.compile("q[0-9]{3,}")


class NamedQueries:
    """Queries with native ids (`formats.ids`), to be found by id or by text, in their order."""

    def __init__(self, queries: Iterable[Query]) -> None:
        self._by_id: dict[str, Query] = {}
        self._by_text: dict[str, list[Query]] = {}
        self._as_written: dict[str, list[Query]] = {}
        for query in queries:
            self._by_id[query.query_id] = query
            self._by_text.setdefault(words_of(query.text), []).append(query)
            self._as_written.setdefault(folded_text(query.text), []).append(query)

    def __iter__(self) -> Iterator[Query]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def of_id(self, query_id: str) -> Query | None:
        """The query of a native id, which a file of TREC has encoded; None where there is none."""
        return self._by_id.get(query_id)

    def of_text(self, text: str) -> list[Query]:
        """Those whose text has these words, several queries may; as written, if any has, else with
        codes such as %20 as what they stand for."""
        return self._as_written.get(folded_text(text)) or self._by_text.get(words_of(text), [])

    def of_field(self, field: str) -> Query | None:
        """The query of an id as `rows_of` has it (`exact`): encoded as in a file of TREC, as it
        stands, or encoded twice, as tables have it that were made from a file of TREC."""
        return self.of_id(field)

    def named(self, written: str, *, by_text: bool = False) -> list[Query]:
        """What a field of a file may mean that holds an id or a text: the query of that id
        (`of_field`), else those of that text. `by_text`: where the form has texts alone, those of
        that text go first."""
        query = self.of_field(written)
        of_id = [query] if query else []
        of_text = self.of_text(text_of_field(written))
        return of_text or of_id if by_text else of_id or of_text

    def also_an_id(self, written: str) -> tuple[Query, Query] | None:
        """The one query of that text, and another one of which that is the id; None where there are
        no two."""
        of_text, of_id = self.of_text(text_of_field(written)), self.of_field(written)
        if of_id is None or len(of_text) != 1 or of_id is of_text[0]:
            return None
        return of_text[0], of_id


def known_query(
    campaign: NamedQueries,
    path: str | os.PathLike[str],
    line: int | None,
    query: Query,
    mend: str,
) -> Query | None:
    """The query of a campaign that has the id which a file gives one, whose line is told; None
    where there is none. Raises `InputError` where it has another text, to be mended as `mend` says,
    but not where the file has no text."""
    known = campaign.of_id(query.query_id)
    text = words_of(query.text)
    if known is not None and text and words_of(known.text) != text:
        raise clash(path, line, known, query, mend)
    return known


def may_be_by_place(query_id: str) -> bool:
    """Whether an id looks like one that a place in a file gives, as q001 does; others are a
    file's own."""
    return _BY_PLACE.fullmatch(query_id) is not None


def one_of_text(
    path: str | os.PathLike[str], line: int | None, same: Sequence[Query], text: str
) -> Query | None:
    """The one query of a text in a campaign; None where there is none. Raises `InputError` for
    several."""
    if len(same) > 1:
        raise InputError(
            path,
            line,
            f"{len(same)} queries of the campaign are {words_of(text)!r:.70}:"
            f" {', '.join(one.query_id for one in same[:3])}",
            "write which one is meant as query_id",
        )
    return same[0] if same else None


def clash(
    path: str | os.PathLike[str],
    line: int | None,
    known: Query,
    query: Query,
    mend: str,
    where: str = "the campaign",
    here: str = "here",
) -> InputError:
    """One id, and another text in a file (`here`) than `where` the query is `known`."""
    return InputError(
        path,
        line,
        f"query {query.query_id!r} is {words_of(known.text)!r:.70} in {where}, and"
        f" {words_of(query.text)!r:.70} {here}",
        mend,
    )


def words_of(text: str) -> str:
    """By what texts are compared: as `folded_text` has them.

    A text may hold a code such as %20 of its own, which readers of tables cannot tell from ours: it
    counts as what it stands for.
    """
    return folded_text(text_of_field(text))
