"""Queries as files of other tools name them: by the campaign's ids, or by their texts."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache, partial
from pathlib import Path
from typing import Protocol

from judge_tui.campaign.coming_queries import free_ids
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import decode_id
from judge_tui.formats.ids import text_of_field
from judge_tui.formats.mended_texts import may_be_its
from judge_tui.formats.named_queries import NamedQueries, clash, words_of
from judge_tui.formats.queries_and_documents import has_its_queries
from judge_tui.model import Query

__all__ = ["FoundQueries", "add_queries_by_text"]


def _load_queries(campaign: Campaign, path: str | os.PathLike[str]) -> str:
    """How the queries of a file are loaded: from itself, where it holds them."""
    from_itself = has_its_queries(path)
    file = shlex.quote(os.fspath(path)) if from_itself else "FILE"
    return typed(campaign.path, "load queries", file)


class _Row(Protocol):
    @property
    def line(self) -> int: ...
    @property
    def query_id(self) -> str: ...


class FoundQueries:
    """The queries of a campaign, to be found by id, else by text; or, where a file has no ids of
    queries (`by_text`), by text, else by id. White space in a text counts as one blank. Raises
    `UsageError` where there are none."""

    def __init__(self, campaign: Campaign, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._both: dict[str, tuple[Query, Query]] = {}
        queries = all_queries(campaign)
        if not queries:
            raise UsageError(
                "the campaign has no queries yet",
                f"first: {_load_queries(campaign, path)}",
            )
        self._campaign = campaign
        self._queries = NamedQueries(queries)
        self._may_be_its = cache(partial(may_be_its, others=_words_of_all(queries)))

    def of_file(self, path: str | os.PathLike[str]) -> FoundQueries:
        """The same for another file that has the same ids."""
        its = copy(self)
        its._path = path
        return its

    def matching(self, named: str, *, by_text: bool = False) -> list[str]:
        """The ids of the queries that a file may mean."""
        if by_text and (both := self._queries.also_an_id(named)):
            self._both[named] = both
        return [query.query_id for query in self._queries.named(named, by_text=by_text)]

    def notes(self) -> list[str]:
        """What is to be said of the texts found so far that are ids of other queries, and of ids by
        which others were asked."""
        return about_ids_as_texts(list(self._both.values()))

    def asked_as(self) -> Mapping[str, str]:
        """The texts that were asked in the place of those which the campaign's queries have, by
        their ids there."""
        return {}

    def id_of(self, row: _Row, *, skip_unknown: bool, by_text: bool = False) -> str | None:
        """The campaign's id of a row's query; None where it has none and that is to be skipped.

        Raises `InputError` where it has none, and where several have that text.
        """
        found = self.matching(row.query_id, by_text=by_text)
        if len(found) == 1:
            return found[0]
        if found:
            named, mend = decode_id(row.query_id), "write the id of the one that is meant"
            raise InputError(
                self._path,
                row.line,
                f"{len(found)} queries of the campaign are {named!r}: {', '.join(found[:3])}",
                mend,
            )
        if skip_unknown:
            return None
        raise self._unknown(row)

    def is_asked(
        self,
        row: _Row,
        query_id: str,
        text: str,
        beside: Path | None = None,
        *,
        skip_unknown: bool,
    ) -> bool:
        """Whether the campaign's query of that id, which a row names, has the text that the file
        has beside it (or the one `beside` the file), or one of which that was mended
        (`may_be_its`). Raises `InputError` where it has not, unless that is to be skipped."""
        known = self._queries.of_id(query_id)
        if known is None or self._may_be_its(text, known.text):
            return True
        if skip_unknown:
            return False
        others = self._queries.of_text(text)
        another, its_id = (
            (f"query {others[0].query_id!r}", "that id")
            if others
            else ("another query", "an id of its own")
        )
        mend = (
            f"give it {its_id}, leave such rows out with --skip-unknown, or take the text out if it"
            " is the same one"
        )
        if beside is not None:
            mend = (
                "leave such rows out with --skip-unknown, or export the grades anew with -f"
                " opensearch, which goes by texts"
            )
        raise clash(
            self._path,
            row.line,
            known,
            Query(query_id, text),
            f"what was judged is {another}: {mend}",
            here="here" if beside is None else f"in {beside}",
        )

    def _unknown(self, row: _Row) -> InputError:
        query_id = decode_id(row.query_id)
        what = f"query {query_id!r} is not in the campaign"
        mend = (
            f"load its queries first ({_load_queries(self._campaign, self._path)}), or leave such"
            " rows out with --skip-unknown"
        )
        return InputError(self._path, row.line, what, mend)


def _words_of_all(queries: Iterable[Query]) -> set[str]:
    return {words for query in queries if (words := words_of(query.text))}


def about_ids_as_texts(found: Sequence[tuple[Query, Query]]) -> list[str]:
    """A note on queries, each with the other one whose id its text is; none where there is none."""
    if not found:
        return []
    one, other = found[0]
    text = words_of(one.text)
    return [
        f"texts of queries that are ids of others: {len(found):,}, such as {text!r:.70}; as the"
        f" file tells queries by their text, that is query {one.query_id}, not {other.query_id}"
    ]


def add_queries_by_text(
    campaign: Campaign, rows: Iterable[_Row], lone_queries: Iterable[str] = ()
) -> int:
    """Give a campaign without queries those of the rows, q1, q2 and so on in the order in which
    they come, and behind them those that have no row; how many. One that has queries is left as it
    is."""
    if all_queries(campaign):
        return 0
    texts = dict.fromkeys(
        text_of_field(named) for named in (*(row.query_id for row in rows), *lone_queries)
    )
    queries = [Query(*both) for both in zip(free_ids((), len(texts)), texts, strict=True)]
    add_queries(campaign, queries)
    return len(queries)
