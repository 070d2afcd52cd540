"""Queries as files of other tools name them: by the campaign's ids, or by their texts."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Protocol

from judge_tui.campaign.coming_queries import coming_queries, first_three, free_ids
from judge_tui.campaign.file import Campaign
from judge_tui.campaign.queries import add_queries, all_queries
from judge_tui.campaign.query_changes import texts_listed
from judge_tui.campaign.typed import typed
from judge_tui.errors import InputError, UsageError
from judge_tui.formats import decode_id
from judge_tui.formats.asked_beside import AskedTexts
from judge_tui.formats.ids import one_blank
from judge_tui.formats.mended_texts import may_be_its, mended_ones
from judge_tui.formats.named_queries import NamedQueries, clash, may_be_by_place, words_of
from judge_tui.formats.problems import quoted
from judge_tui.formats.queries_and_documents import has_its_queries
from judge_tui.formats.said_of_queries import saying
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
        self._asked = _Asked()
        self._may_be_its = cache(partial(may_be_its, others=_words_of_all(queries)))

    def heed(self, asked: AskedTexts) -> None:
        """Take the ids of the file for those of what was `asked` by them: those that may be places
        in a file of queries, which has changed, as texts may have that were mended."""
        self._asked = _Asked.among(all_queries(self._campaign), asked)

    def of_file(self, path: str | os.PathLike[str]) -> FoundQueries:
        """The same for another file that has the same ids."""
        its = copy(self)
        its._path = path
        return its

    def matching(self, named: str, *, by_text: bool = False) -> list[str]:
        """The ids of the queries that a file may mean."""
        if not by_text and (asked := self._asked.known.get(decode_id(named))) is not None:
            return [query.query_id for query in asked]
        if by_text and (both := self._queries.also_an_id(named)):
            self._both[named] = both
        return [query.query_id for query in self._queries.named(named, by_text=by_text)]

    def notes(self) -> list[str]:
        """What is to be said of the texts found so far that are ids of other queries, and of ids by
        which others were asked."""
        return [*about_ids_as_texts(list(self._both.values())), *self._asked.notes()]

    def asked_as(self) -> Mapping[str, str]:
        """The texts that were asked in the place of those which the campaign's queries have, by
        their ids there."""
        return {query.query_id: text for query, text in self._asked.mended()}

    def id_of(self, row: _Row, *, skip_unknown: bool, by_text: bool = False) -> str | None:
        """The campaign's id of a row's query; None where it has none and that is to be skipped.

        Raises `InputError` where it has none, and where several have that text.
        """
        found = self.matching(row.query_id, by_text=by_text)
        if len(found) == 1:
            return found[0]
        if found:
            named, mend = decode_id(row.query_id), "write the id of the one that is meant"
            if (asked := self._asked.texts.get(named)) is not None:
                named = asked
                mend = (
                    "nothing says which of them was asked: write the ids of the campaign into the"
                    " file of queries, as query_id, and ask anew"
                )
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
        text = self._asked.texts.get(query_id)
        if text is not None:
            what = f"query {query_id!r} was asked as {text!r:.70}, which is not in the campaign"
            if (its := self._queries.of_id(query_id)) is not None:
                what += f" and not its {its.text!r:.70}"
            mend += "; if its text is another one now, ask anew: collect or evaluate again"
        return InputError(self._path, row.line, what, mend)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked by ids of a run: `texts` by native id, as the file `where` says, and the
    queries of the campaign that are `known` to be these. `otherwise`: the text that was asked and
    the campaign's, by ids that are a file's own, where the two are no mended ones."""

    texts: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Sequence[Query]] = field(default_factory=dict)
    where: str = ""
    otherwise: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def among(cls, queries: Sequence[Query], asked: AskedTexts) -> _Asked:
        """The same of a campaign's queries: those that `coming_queries` finds, else the one that
        may be that text mended (`_mended`)."""
        named = NamedQueries(queries)
        words = _words_of_all(queries)
        texts = {
            query_id: text
            for query_id, text in asked.texts.items()
            if text.strip() and may_be_by_place(query_id)
        }
        said = asked.said or {}
        nameless = [Query(query_id, text, own_id=False) for query_id, text in texts.items()]
        rows = [(1, saying(query, said.get(query.query_id, {}))) for query in nameless]
        known = {one.query.query_id: one.known for one in coming_queries(queries, rows)}
        if asked.said is not None:  # then all others had ids of their own
            for query_id in known.keys() - said.keys():
                of_id = named.of_id(query_id)
                if of_id is not None and words_of(of_id.text) == words_of(texts[query_id]):
                    known[query_id] = [of_id]
        known |= _mended(queries, texts, known)
        otherwise = {
            query_id: (text, its.text)
            for query_id, text in asked.texts.items()
            if query_id not in texts
            and (its := named.of_id(query_id)) is not None
            and not may_be_its(text, its.text, words)
        }
        return cls(texts, known, asked.path.name, otherwise)

    def mended(self) -> list[tuple[Query, str]]:
        """The queries that have another text than was asked, which may be the one mended, with
        that."""
        return [
            (one, self.texts[query_id])
            for query_id, one in self._found()
            if words_of(one.text) != words_of(self.texts[query_id])
        ]

    def _found(self) -> list[tuple[str, Query]]:
        return [(query_id, its[0]) for query_id, its in self.known.items() if len(its) == 1]

    def notes(self) -> list[str]:
        """What is to be told of those that are there otherwise."""
        elsewhere = [
            f"{query_id} is {one.query_id}, {quoted(one.text)}"
            for query_id, one in self._found()
            if one.query_id != query_id
        ]
        mended = [
            f"{one.query_id} as {quoted(text)}, now {quoted(one.text)}"
            for one, text in self.mended()
        ]
        told = []
        if elsewhere:
            told.append(
                f"{self.where} says what was asked, and the campaign has other ids for"
                f" {len(elsewhere):,} of these queries ({first_three(elsewhere)}): results count"
                " for the query that was asked"
            )
        if mended:
            told.append(
                f"asked with another text than the campaign has now: {first_three(mended)};"
                " results are of what was asked"
            )
        if self.otherwise:
            told.append(
                f"{self.where} says that other texts were asked than the campaign has by these ids:"
                f" {texts_listed(self.otherwise, '{} there, {} here')}; if these are other queries,"
                " give them ids of their own"
            )
        return told


def _words_of_all(queries: Iterable[Query]) -> set[str]:
    return {words for query in queries if (words := words_of(query.text))}


def _mended(
    queries: Sequence[Query], asked: Mapping[str, str], known: Mapping[str, Sequence[Query]]
) -> dict[str, Sequence[Query]]:
    """For ids of texts that were `asked`, and that none of the `queries` is `known` to be: the one
    query without such an id which may be that text mended (`mended_ones`)."""
    there = {query.query_id for its in known.values() for query in its}
    left = [query for query in queries if query.query_id not in there]
    ids = [query_id for query_id, its in known.items() if not its]
    mended = mended_ones([query.text for query in left], [asked[query_id] for query_id in ids])
    return {ids[at]: [left[was]] for was, at in mended.items()}


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
        one_blank(decode_id(named)) for named in (*(row.query_id for row in rows), *lone_queries)
    )
    queries = [Query(*both) for both in zip(free_ids((), len(texts)), texts, strict=True)]
    add_queries(campaign, queries)
    return len(queries)
