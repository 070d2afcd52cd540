"""What the columns of a table are called: the names promised, and those of other tools beside them.

Case plays no part, and `-` or a space in a name is the same as `_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from judge_tui.errors import UsageError, unknown


class ColumnNames(NamedTuple):
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
QUERY = ColumnNames(("query_id",), ("qid", "q_id", "topic", "query"))
DOCUMENT = ColumnNames(("doc_id",), ("docno", "docid", "corpus_id", "document", "doc", "pid"))
SCORE = ColumnNames(("score",), ("sim",))
RANK = ColumnNames(("rank",))
GRADE = ColumnNames(("relevance", "relevant", "grade"), ("rel", "label", "judgment"))
TAG = ColumnNames(("tag",))
JUDGE = ColumnNames(("judge",), ("assessor", "annotator", "rater", "user"))

BEIR = frozenset({"query_id", "corpus_id", "score"})
"""The folded names of all columns of BEIR's qrels, whose grades are called `score`."""

# What collections call the text and the title of a document; the first that is there counts.
TEXT = ColumnNames(("text",), ("contents", "body", "passage", "content", "document_body"))
TITLE = ColumnNames(("title",), ("document_title",))

# Further columns: those that signatures need, and those whose cells are kept.
_OTHERS = (
    *("text", "title", "url", "kind", "body", "contents", "content", "description", "narrative"),
    *("class", "subset", "measures", "information_need", "notes", "decision"),
    *("rating", "doc_position", "snapshot_name", "case_name", "team_name", "case_id", "iter", "q0"),
    *("snapshot_time", "id", "_id", "result", "expected", "pattern", "query_text", "task", "arm"),
    *("search_term", "keyword", "question", "number", "volume", "category", "answer"),
    *("passage", "document_body", "document_title"),
)
_QUERY_TEXT = ColumnNames(("query",), ("query_text",))
_COLUMNS = (QUERY, DOCUMENT, SCORE, RANK, GRADE, TAG, JUDGE, _QUERY_TEXT)
# name -> what it may stand for
_USUAL: dict[str, set[str]] = {}
for _column in (*_COLUMNS, *(ColumnNames((_name,)) for _name in _OTHERS)):
    for _name in _column.names:
        _USUAL.setdefault(_name, set()).add(str(_column))
_NUMBERED = re.compile(r"(result|expected|pattern)s?[ _]*[0-9]*")


def aliased(names: Iterable[str]) -> set[str]:
    """Return the usual names of those (folded) names that are known: `docno` is `doc_id`, and
    `result2` is `result`."""
    found: set[str] = set()
    for name in names:
        numbered = _NUMBERED.fullmatch(name)
        found |= _USUAL.get(numbered[1] if numbered else name, set())
    return found


def folded(name: str) -> str:
    """Fold a name for comparison: `Query-ID` is `query_id`."""
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def declared_columns(text: str) -> dict[str, str]:
    """Return our name -> the column of a table that is called otherwise, as declared in a text like
    `query_id=topic,doc_id=document_id`.

    Raises `UsageError` for what is not of this form, and for a name that is none of ours.
    """
    declared: dict[str, str] = {}
    for part in text.split(","):
        name, sign, theirs = (piece.strip() for piece in part.partition("="))
        if not (sign and name and theirs) or name in declared:
            raise UsageError(
                f"{part.strip()!r:.70} is not NAME=COLUMN, once for each name",
                "write it like query_id=topic,doc_id=document_id,grade=rel",
            )
        if not aliased([name]):
            raise unknown("column", name, sorted(_USUAL))
        declared[name] = folded(theirs)
    return declared


def renamed(names: Sequence[str], declared: Mapping[str, str]) -> list[str]:
    """Return the (folded) names of a header with those that are declared in place of the table's
    own; another column of such a name is not meant."""
    ours = {theirs: name for name, theirs in declared.items() if theirs in names}
    return [ours.get(name, "" if name in ours.values() else name) for name in names]


def indices_of(column: ColumnNames, names: Sequence[str]) -> list[int]:
    """Return the index of a column in a header (of folded names); none where it is missing, and
    several where several could equally be meant. One promised name goes before any that is only
    tolerated."""
    promised = [at for at, name in enumerate(names) if name in column.promised]
    if promised:
        return promised
    for tolerated in column.tolerated:
        found = [at for at, name in enumerate(names) if name == tolerated]
        if found:
            return found
    return []
