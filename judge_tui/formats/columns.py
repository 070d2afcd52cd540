"""What the columns of a table are called: the names promised, and those of other tools beside them.

Case plays no part, and `-` or a space in a name is the same as `_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = [
    "DOCUMENT",
    "GRADE",
    "QUERY",
    "RANK",
    "SCORE",
    "TAG",
    "Column",
    "aliased",
    "folded",
    "meant",
    "places_of",
]


class Column(NamedTuple):
    """One column by its names: the `promised` ones, and others that are `tolerated`, in the order
    in which they are preferred where a table has several."""

    promised: tuple[str, ...]
    tolerated: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.promised + self.tolerated

    def __str__(self) -> str:
        return self.promised[0]


# A data frame of PyTerrier has both `docno`, the id, and `docid`, a number of its own; and both
# `qid` and `query`, the text. ranx calls the first column `q_id`, BEIR the second `corpus-id`, and
# MS MARCO `pid`.
QUERY = Column(("query_id",), ("qid", "q_id", "topic", "query"))
DOCUMENT = Column(("doc_id",), ("docno", "docid", "corpus_id", "document", "doc", "pid"))
SCORE = Column(("score",), ("sim",))
RANK = Column(("rank",))
GRADE = Column(("relevance", "relevant", "grade"), ("rel", "label", "judgment"))
TAG = Column(("tag",))

_USUAL: dict[str, set[str]] = {}
for _column in (QUERY, DOCUMENT, SCORE, RANK, GRADE, TAG, Column(("query",), ("query_text",))):
    for _name in _column.names:
        _USUAL.setdefault(_name, set()).add(_column.promised[0])


# What tables have beside these, each under one name: what is told by (`Signature.needs`) or kept.
_OTHERS = (
    *("text", "title", "url", "kind", "body", "contents", "content", "description", "narrative"),
    *("class", "subset", "measures", "information_need", "notes", "judge", "user", "decision"),
    *("rating", "doc_position", "snapshot_name", "case_name", "team_name", "case_id", "iter", "q0"),
    *("snapshot_time", "id", "_id", "result", "expected", "pattern", "query_text", "task", "arm"),
    *("search_term", "keyword", "question", "number", "volume", "category", "answer", "passage"),
)
_NUMBERED = re.compile(r"(result|expected|pattern)s?[ _]*[0-9]*")


def aliased(names: Iterable[str]) -> set[str]:
    """Of (folded) names those that are known, by their usual names: `docno` is `doc_id`, and
    `result2` is `result`."""
    found: set[str] = set()
    for name in names:
        numbered = _NUMBERED.fullmatch(name)
        found |= {numbered[1] if numbered else name} & {*_OTHERS}
        found |= _USUAL.get(name, set())
    return found


def folded(name: str) -> str:
    """A name as it is compared: `Query-ID` is `query_id`."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


# A snapshot of Quepid's and the detailed CSV of a case begin with these, and hold these in a row;
# the detailed one alone has the others next. Behind them stand the fields of the documents.
_QUEPID = {"snapshot_name": (), "team_name": ("title", "rating")}
_QUEPID_RESULT = ["query_text", "doc_id", "doc_position"]


def meant(names: Sequence[str]) -> list[str]:
    """The folded names of a header, "" for those that name no column: in what Quepid exports, the
    fields of documents stand behind its own columns, and one may be called `query` or `rating`."""
    own = _QUEPID.get(names[0]) if names else None
    if own is None:
        return list(names)
    width = len(_QUEPID_RESULT)
    places = range(len(names) - width + 1)
    end = next((at + width for at in places if names[at : at + width] == _QUEPID_RESULT), None)
    if end is None:
        return list(names)
    for name in own:
        end += names[end : end + 1] == [name]
    return [*names[:end], *[""] * (len(names) - end)]


def places_of(column: Column, names: Sequence[str]) -> list[int]:
    """Where in a header (of folded names) a column is: once, or nowhere, or at all places that
    could equally be meant. One promised name goes before any that is only tolerated."""
    promised = [place for place, name in enumerate(names) if name in column.promised]
    if promised:
        return promised
    for tolerated in column.tolerated:
        found = [place for place, name in enumerate(names) if name == tolerated]
        if found:
            return found
    return []
