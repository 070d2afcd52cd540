"""Header lines: files of TREC have none, those of spreadsheets and of other collections do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from judge_tui.formats.columns import (
    DOCUMENT,
    GRADE,
    QUEPID_DOCUMENT,
    QUEPID_QUERY,
    QUEPID_VALUES,
    QUERY,
    RANK,
    SCORE,
    TAG,
    folded,
)

__all__ = ["is_header", "is_table_header", "names_columns", "names_queries"]

_IDS = {"id", "_id", "queryid", "topic_id", "document_id", *QUERY.names, *DOCUMENT.names}
_MORE_IDS = {"passage_id", "iter", "iteration", "run", "system"}
_TEXTS = {"question", "title", "text", "body", "contents", "passage", *TAG.names}
_VALUES = {*RANK.names, *SCORE.names, *GRADE.names}
_NAMES = _IDS | _MORE_IDS | _TEXTS | _VALUES
# As HiCAL has the judgments of one user for one topic, which it does not name.
_HICAL = ["docno", "judgment"]
# As spreadsheets call what they hold beside queries or in their place; nobody searches for two of
# these at once.
_SAID = {
    *("no", "nr", "num", "number", "rank", "query_text", "search", "search_term", "search_terms"),
    *("search_query", "term", "terms", "keyword", "keywords", "phrase", "topic", "class", "subset"),
    *("category", "intent", "volume", "count", "description", "narrative", "owner", "language"),
}
_SEPARATORS = re.compile(rb"[,;\t]")


def is_header(fields: Sequence[str]) -> bool:
    """Whether the first two fields are names of columns, such as `query-id` and `corpus-id`."""
    names = [folded(field.strip().strip("\"'")) for field in fields[:2]]
    return len(names) == 2 and _NAMES.issuperset(names)


def is_table_header(line: bytes) -> bool:
    """Whether a line names the columns of a run or of qrels: a query, a document and a number."""
    cells = _SEPARATORS.split(line)
    in_order = [folded(cell.strip(b" \r\"'").decode("utf-8", "replace")) for cell in cells]
    if in_order == _HICAL:
        return True
    if len(cells) < 3:
        return False
    names = set(in_order)
    if in_order[:2] == ["query", "docid"]:
        return True
    if not any(map(names.isdisjoint, (QUEPID_QUERY, QUEPID_DOCUMENT, QUEPID_VALUES))):
        return True
    return not any(map(names.isdisjoint, (QUERY.names, DOCUMENT.names, _VALUES)))


def names_queries(line: bytes) -> bool:
    """Whether a line of several cells has one that is called `query`, as a table of queries has."""
    cells = _SEPARATORS.split(line)
    return len(cells) > 1 and any(cell.strip(b" \r\"'").lower() == b"query" for cell in cells)


def names_columns(line: bytes) -> bool:
    """Whether the first two cells between tabs are names of columns, of any table."""
    cells = [cell.strip(b" \r\"'").decode("utf-8", "replace") for cell in line.split(b"\t")[:2]]
    return len(cells) == 2 and (_NAMES | _SAID).issuperset(map(folded, cells))
