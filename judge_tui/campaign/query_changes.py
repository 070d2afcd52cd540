"""What a file says of queries that a campaign has. What it does not say stays, and contradicts
nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge_tui.formats.named_queries import words_of
from judge_tui.formats.problems import quoted
from judge_tui.model import Query
from judge_tui.scoring.class_terms import class_called
from judge_tui.scoring.demands import subset_called

__all__ = ["QueryChanges", "has_other_text", "said_otherwise", "with_said"]

_FIELDS = {"class": "query_class", "description": "description", "narrative": "narrative"}


def has_other_text(known: Query, query: Query) -> bool:
    """Whether the two ask something else: white space and its codes make no other text."""
    return words_of(known.text) != words_of(query.text)


def said_otherwise(known: Query, query: Query) -> list[str]:
    """What of a query, its text aside, a file says otherwise than the campaign does."""
    there = _said(known)
    return [
        name
        for name, value in _said(query).items()
        if name in there and _meant(name, value) != _meant(name, there[name])
    ]


def with_said(known: Query, query: Query, *, over: bool) -> Query:
    """The query of a campaign with what a file adds to it; or with all that the file says, where
    that goes `over` what the campaign does: of one without an id of its own, white space in the
    text stays as it is."""
    said = _said(known) | _said(query) if over else _said(query) | _said(known)
    fields = {its: said.pop(name, "") for name, its in _FIELDS.items()}
    if over and (query.own_id or has_other_text(known, query)):
        fields["text"] = query.text
    return replace(known, meta={**known.meta, **said}, **fields)


@dataclass
class QueryChanges:
    """What came of queries that were there: what the file `added`, and what it does not say and
    `stays`, with how many queries; `texts`: the older and the newer of those that ask something
    else now, by query_id."""

    added: Counter[str] = field(default_factory=Counter)
    stays: Counter[str] = field(default_factory=Counter)
    texts: dict[str, tuple[str, str]] = field(default_factory=dict)

    def note(self, known: Query, query: Query, changed: Query) -> None:
        """Count what a query of a file made of the one that was known."""
        here, there = _said(query), _said(known)
        self.added.update(here.keys() - there.keys())
        self.stays.update(there.keys() - here.keys())
        if has_other_text(known, changed):
            self.texts[known.query_id] = known.text, changed.text

    def notes(self, under: str, *, replaced: bool) -> list[str]:
        """What is to be told; `under`: what there is for queries of newer texts, "" for nothing."""
        told = []
        if self.texts:
            stand = f"; {under} stand under such texts now" if under else ""
            query_id, (older, newer) = next(iter(self.texts.items()))
            told.append(
                f"texts of queries that are other ones now: {len(self.texts):,}, such as"
                f" {query_id}: {quoted(older)} is {quoted(newer)}{stand}"
            )
        if self.added:
            told.append(f"added, as the campaign did not say it: {_listed(self.added)}")
        if replaced and self.stays:
            told.append(f"stays, as the file does not say it: {_listed(self.stays)}")
        return told


def _said(query: Query) -> dict[str, Any]:
    """What is said of a query beside its text, by name; what is empty says nothing."""
    said = {name: getattr(query, its) for name, its in _FIELDS.items()} | dict(query.meta)
    return {name: value for name, value in said.items() if value not in ("", None)}


def _meant(name: str, value: Any) -> Any:
    """The value without what makes no other one of it."""
    called = {"class": class_called, "subset": subset_called}.get(name)
    return called(value) if called and isinstance(value, str) else value


def _listed(counts: Mapping[str, int]) -> str:
    named = sorted(counts.items())
    return ", ".join(
        f"{name} of {count:,} {'query' if count == 1 else 'queries'}" for name, count in named
    )
