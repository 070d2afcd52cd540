"""Files as Quepid has them: the ratings and results of a case, a snapshot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = [
    "CaseRow",
    "detailed_csv",
    "guarded",
    "ratings_csv",
    "snapshot_csv",
]

# Where Quepid puts its blank, and what a spreadsheet may take for a formula beside those. White
# space around a cell is no part of it, for Quepid as for our readers.
_RISKY = ("=", "+", "-", "@")
_TO_QUOTE = re.compile(r'[",;\r\n]')


class CaseRow(NamedTuple):
    """One result of a query: its place from 1, its title, its rating (None where it has none); or,
    without a document, a query that nothing was found for."""

    query: str
    doc_id: str = ""
    position: int = 0
    title: str = ""
    rating: int | None = None


def ratings_csv(rows: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """The basic CSV of query text, document and rating."""
    yield "query,docid,rating\n"
    for text, doc_id, grade in rows:
        yield f"{guarded(text)},{guarded(doc_id)},{grade}\n"


def snapshot_csv(name: str, rows: Iterable[CaseRow]) -> Iterator[str]:
    """A snapshot: the results of each query, under the names that Quepid gives the columns."""
    yield "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    for row in rows:
        ids = f"{guarded(_words(row.query))},{guarded(row.doc_id)}"
        yield f"{guarded(name)},,,{ids},{row.position}\n"


def detailed_csv(name: str, rows: Iterable[CaseRow]) -> Iterator[str]:
    """A case in detail: the results of each query with their titles and ratings; a query without
    results has a row of four cells, as Quepid has it."""
    yield "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\n"
    for row in rows:
        if not row.doc_id:
            yield f",{guarded(name)},,{guarded(_words(row.query))}\n"
            continue
        ids = f"{guarded(_words(row.query))},{guarded(row.doc_id)}"
        rating = "" if row.rating is None else row.rating
        title = guarded(_words(row.title))
        yield f",{guarded(name)},,{ids},{row.position},{title},{rating}\n"


def guarded(text: str) -> str:
    """A cell of CSV that no spreadsheet runs: before = + - or @ there is a blank, as Quepid has it;
    other white space around it is left out. Before nothing but quotes there is one, too: without it
    Quepid's way of doubling them could not be told from quoting."""
    text = text.strip(" \t\n\v\f\r")
    has_quotes_alone = text != "" and not text.strip('"')
    guarded = f" {text}" if has_quotes_alone or text.startswith(_RISKY) else text
    return '"' + guarded.replace('"', '""') + '"' if _TO_QUOTE.search(guarded) else guarded


def _words(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
