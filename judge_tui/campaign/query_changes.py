"""What a file says of queries that a campaign has. What it does not say stays, and contradicts
nothing."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from judge_tui.campaign.coming_queries import ComingQuery
from judge_tui.errors import InputError
from judge_tui.formats.changed_texts import older_and_newer
from judge_tui.formats.named_queries import words_of
from judge_tui.formats.said import SaidChanges, differing, listed, together
from judge_tui.formats.said_of_queries import said_of, said_otherwise, saying
from judge_tui.model import Query

__all__ = [
    "QueryChanges",
    "has_other_text",
    "refuse_changes",
    "texts_listed",
    "with_said",
]

_NOUNS = ("query", "queries")

_LISTED = 10
"""How many changed texts are told, so that nobody agrees to what they have not seen."""


def has_other_text(known: Query, query: Query) -> bool:
    """Whether the two ask something else: white space and its codes make no other text."""
    return words_of(known.text) != words_of(query.text)


def refuse_changes(path: str | os.PathLike[str], coming: Sequence[ComingQuery]) -> None:
    """Raise `InputError` where the file at `path` says something else of queries than the campaign
    does, with all the texts that would change."""
    both = [(one, known) for one in coming for known in one.known]
    texts = [(one, known) for one, known in both if has_other_text(known, one.query)]
    otherwise = [(one, known, said_otherwise(known, one.query)) for one, known in both]
    fields = Counter(name for _, _, names in otherwise for name in names)
    if texts:
        one, known = texts[0]
        if len(texts) == 1:
            older, newer = older_and_newer(known.text, one.query.text)
            what = f"query {known.query_id!r} is {older} in the campaign, and {newer} here"
        else:
            which = texts_listed(
                {known.query_id: (known.text, one.query.text) for one, known in texts}
            )
            what = f"texts of queries are other ones here than in the campaign: {which}"
        if fields:
            what += f"; other ones, too: {listed(fields, _NOUNS)}"
        mend = "give it a new id, or change it for everybody with --replace"
        if not one.query.own_id:
            mend = (
                "if its text was mended, change it for everybody with --replace; if it is another"
                " query, load it first from a file of its own"
            )
        if len(texts) > 1:
            mend = (
                "if all of them were mended, change them for everybody with --replace; load what is"
                " another query first, "
                + ("with a new id" if one.query.own_id else "from a file of its own")
            )
        raise InputError(path, one.line, what, mend)
    if fields:
        one, known, names = next(its for its in otherwise if its[2])
        raise InputError(
            path,
            one.line,
            differing(f"query {known.query_id!r}", names[0], fields, _NOUNS),
            "mend one of the two, or change it for everybody with --replace",
        )


def with_said(known: Query, query: Query, *, over: bool) -> Query:
    """The query of a campaign with what a file adds to it; or with all that the file says, where
    that goes `over` what the campaign does: of one without an id of its own, white space in the
    text stays as it is."""
    both = saying(known, together(said_of(known), said_of(query), over=over))
    if over and (query.own_id or has_other_text(known, query)):
        return replace(both, text=query.text)
    return both


@dataclass
class QueryChanges:
    """What came of queries that were there; `texts`: the older and the newer of those that ask
    something else now, by query_id."""

    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    _changes: SaidChanges = field(default_factory=lambda: SaidChanges(_NOUNS))

    def note(self, known: Query, query: Query, changed: Query) -> None:
        """Count what a query of a file made of the one that was known."""
        self._changes.note(said_of(known), said_of(query))
        if has_other_text(known, changed):
            self.texts[known.query_id] = known.text, changed.text

    def notes(self, under: str, *, replaced: bool) -> list[str]:
        """What is to be told; `under`: what there is for queries of newer texts, "" for nothing."""
        told = []
        if self.texts:
            stand = f"; {under} stand under such texts now" if under else ""
            told.append(
                f"texts of queries that are other ones now: {texts_listed(self.texts)}{stand}"
            )
        return [*told, *self._changes.notes(replaced=replaced)]


def texts_listed(texts: Mapping[str, tuple[str, str]], both_as: str = "{} is {}") -> str:
    """How many there are, and what they were and are, by query_id."""
    told = [
        f"{query_id}: {both_as.format(*older_and_newer(*both))}"
        for query_id, both in islice(texts.items(), _LISTED)
    ]
    if len(texts) > _LISTED:
        told.append(f"and {len(texts) - _LISTED:,} more")
    return f"{len(texts):,} ({'; '.join(told)})"
